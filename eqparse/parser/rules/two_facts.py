"""Rules about answers to sentences that state two facts of equal standing."""

from __future__ import annotations

from eqparse.parser.rules.shape import Shape
from eqparse.text.numbers.tables import SMALL, compiled, one_of

_COMPARISON = r"(?:(?:more|less|fewer|[a-z]{2,}er)\s(?:[a-z]+\s)?than|(?:times|twice|half)\sas\s\w+\s(?:\w+\s)?as)"
_JOINED = r"(?:,?\s(?:and|but|yet|while|whereas)\s|;\s)"
_CHAIN = compiled(rf"""\b{_COMPARISON}\b[^.;:]*?
    (?:,?\s(?:who|which|that|whose\s\w+)|{_JOINED}(?:(?:an?|the|my|our|your|his|her|their)\s)?(?:\w+\s)?\w+)\s
    [^\W\d_]+\s(?:only\s|just\s|about\s)?
    (?:(?:\d[\d.,]*|{one_of(SMALL)})\s?(?:\w+\s){{0,2}}?|(?=twice|half)){_COMPARISON}\s(?!\d)""")
_VALUE = rf"(?:\d[\d.,]*|{one_of(SMALL)})\b(?!\s(?:more|less|fewer)\b)"
_IS = rf"(?:is|are|equals?|makes)\s{_VALUE}"
_NAMED = r"(?:sum|total|product|difference|quotient|ratio|average)"
_RESULT = rf"{_NAMED}\b[^.;:,]{{0,80}}?\s{_IS}"
_A_RESULT = rf"an?\s{_NAMED}\sof\s{_VALUE}"  # "have a sum of 12", not "the sum of 12 and a number"
_JOINS = r"(?:plus|minus|times|divided\sby|multiplied\sby)\s[^.;:,]{0,80}?\s"
_ANY = rf"(?:\d(?:[\d.,]*\d)?|{one_of(SMALL)})"
_COMPARED_BY = rf"""(?:is|was|are|has|have|had|costs?|weighs?|being)\s(?:[a-z]+\s)?
    (?:{_ANY}\s(?:[a-z]+\s){{0,2}}?(?:(?:more|less|fewer|[a-z]{{2,}}er)\s(?:[a-z]+\s)?than|times)\b|(?:twice|half|double|thrice)\b)"""
_ONE = r"""(?:one|the\s(?:larger|smaller|bigger|greater|longer|shorter|first|second))
    (?:\s(?:number|part|piece|of\sthem))?"""
_THEY = rf"""(?:they|the\stwo|both|the\snumbers|{_ONE}\sand\s[a-z\s]{{1,20}}?|together,?\sthey)\s
    (?:both\s|together\s)?"""
_COME_TO = rf"(?:add(?:s|ed)?(?:\sup)?\sto|sum\sto|total|come\sto|make)\s{_VALUE}"
_TWO_RESULTS = compiled(rf"""\b(?:{_RESULT}|(?:ha(?:ve|d)|with)\s{_A_RESULT})
      [^.;:,]{{0,80}}?{_JOINED}(?:(?:their|the|its|whose)\s{_RESULT}|{_A_RESULT})
    |\b{_JOINS}{_IS}{_JOINED}[^.;:,]{{0,80}}?\b{_JOINS}{_IS}
    |\badd(?:ed|s)?\s(?:up\s)?to\s{_VALUE}{_JOINED}(?:they\s)?differ(?:ed|s)?\sby\b
    |\b(?:{_RESULT}|(?:ha(?:ve|d)|with)\s{_A_RESULT}|two\s[a-z]+s\s{_COME_TO})[^.;:,\d]{{0,30}}?
      (?:{_JOINED}|\s(?:so|such)\sthat\s|,?\swhere\s){_ONE}\s{_COMPARED_BY}
    |\b{_ONE}\s{_COMPARED_BY}[^.;:,\d]{{1,60}}?{_JOINED}
      (?:(?:their|the)\s{_RESULT}|{_THEY}{_COME_TO}|{_THEY}ha(?:ve|d)\s{_A_RESULT})""")
_TOTAL_AND_MORE = compiled(rf"""(?<![\d.,]){_ANY}\s(?:[^\W\d_]++\s)??(?P<one>[^\W\d_]++)\sand\s(?P<other>[^\W\d_]++)\b
    [^.:]{{0,60}}?\b(?:more|fewer|as\smany)\s
    (?:(?P=one)\s(?:than|as)\s(?P=other)|(?P=other)\s(?:than|as)\s(?P=one))\b""")


def is_chained(of: Shape) -> bool:
    """The text compares a thing with another, and that one with a third: "3 more than B, which is 2 more than C"."""
    return bool(_CHAIN.search(of.text))


def states_two_results(of: Shape) -> bool:
    """The text tells two results of one pair: "the sum of two numbers is 9 and their difference is 3", "there are 9
    boys and girls, and 3 more girls than boys".
    """
    return bool(_TWO_RESULTS.search(of.text) or _TOTAL_AND_MORE.search(of.text))


TWO_FACTS = {
    is_chained: "three amounts, each compared with the next",
    states_two_results: "two facts; give them one at a time",
}
"""Rule -> what is wrong with an answer that it finds; no other reading is right."""
