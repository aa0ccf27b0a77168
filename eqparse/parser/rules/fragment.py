"""Texts that name an amount, and nothing that it equals: "three times the width of the garden"."""

from __future__ import annotations

from eqparse.parser.rules.shape import Shape
from eqparse.text.numbers.tables import PARTS, SMALL, compiled, one_of

_NUMBER = rf"(?:\d+(?:[.,]\d+)*\s?%?|{one_of(SMALL)}|(?:an?|one)\s{one_of(PARTS)}|half)"
_NO_VERB = r"(?!(?:is|are|was|were|equals?|makes?|gives?|leaves?)\b)"  # "a number is minus 8" equals
_NOUN = rf"(?:an?|the|my|our|your|his|her|their|its|this|that|some|another)\s(?:[^\W\d_]+\s)?{_NO_VERB}[^\W\d_]+"
_OTHER = r"\s(?:of|in|on|at|from|for)\s(?:(?:the|my|our|your|his|her|their|a|an)\s)?\w+"
_TIMES = rf"(?:twice|thrice|double|triple|half|{_NUMBER}\stimes)\s"
_AMOUNT = rf"(?:{_TIMES})?(?:(?:{_NOUN}|[b-z])(?:{_OTHER}){{0,2}}|{_NUMBER})"
_FRAGMENT = compiled(rf"""\s*(?:
    (?:the\s)?(?:sum|total|product|difference|quotient|ratio)\s(?:of|between)\s{_AMOUNT}\s(?:and|to)\s{_AMOUNT}
    | (?:an?\s)?{_NUMBER}(?:\s[^\W\d_]+)?\s(?:more|less|fewer|[a-z]{{2,}}er)\sthan\s{_AMOUNT}
    | (?:twice|thrice|half|{_NUMBER}\stimes)\sas\s[^\W\d_]+(?:\s[^\W\d_]+)?\sas\s{_AMOUNT}
    | half\s(?:the|my|our|your|his|her|their|its)\s[^\W\d_]+(?:{_OTHER}){{1,2}}
    | {_AMOUNT},?\s(?:plus|minus|times|multiplied\sby|divided\sby)\s{_AMOUNT}
    | (?:twice|thrice|double|triple|{_NUMBER}\stimes|{_NUMBER}\sof)\s(?:{_NOUN}|[b-z])(?:{_OTHER}){{0,2}}
    )\s?[.!?…]*\s*""")
_EXPRESSION = compiled(r"""\s*(?:please\s)?(?:write|give|state|form|find|make|simplify|evaluate|work\sout)\s
    (?:down\s)?(?:me\s)?(?:an?|the)\s(?:[a-z]+\s)?(?:expression|term)\s(?!.*(?:[=<>]|\b(?:is|are|was|were|equal\w*|makes?|gives?|comes)\b))""")


def is_a_fragment(of: Shape) -> bool:
    """The text names one amount, an expression, and no other one: "the product of 8 and the width of the garden", or
    asks for one: "write an expression for 7 less than a number".
    """
    return bool(_FRAGMENT.fullmatch(of.text) or _EXPRESSION.match(of.text))
