"""Rules about answers to sentences that suggest an equation of two unknowns and state none."""

from __future__ import annotations

import re

from eqparse.parser.rules.left_out import AHEAD, is_open, leaves_out_of_a_list
from eqparse.parser.rules.shape import Shape
from eqparse.text.numbers.tables import CURRENCIES, PARTS, SMALL, compiled, one_of

_MEASURES = r"""(?:miles|(?:kilo)?met(?:re|er)s|feet|yards|inches|kilos|grams|pounds|tonnes|lit(?:re|er)s|gallons|hours
    |minutes|seconds|euros|dollars|k[mg]|m)\b"""
_NUMBER = rf"(?:\d+(?:[.,]\d+)*(?:\s(?:thousand|million|billion))?|{one_of(SMALL)})"
_COMPARISON = r"(?:more|less|fewer|[a-z]{2,}er)\s(?:[a-z]+\s){0,2}?than"
_BY_WHAT = rf"\s(?:(?:times\s)?as\s[a-z]+\sas|(?:[a-z]+\s){{0,3}}?{_COMPARISON})\s"
_TWO_COMPARISONS = compiled(rf"""(?<![\w.,])(?P<first>{_NUMBER}|twice|half){_BY_WHAT}[^.;:]{{1,60}}?
    (?:,?\s(?:and|but|yet)|,)\s(?:(?:also|only|about|just|nearly)\s)?
    [{CURRENCIES}]?(?P<second>{_NUMBER}|twice|half){_BY_WHAT}
    (?!\d|{one_of([*SMALL, 'twice', 'half'])}\b)""")
_AGES = compiled(rf"""{AHEAD}(?:exactly\s|just\s|only\s)?
    (?:twice|{_NUMBER}\stimes|half|an?\s{one_of(PARTS)}|one\s{one_of(PARTS)})\sas\sold\sas\b
    (?!.*\b(?:is|are|am|was|were|will|now|then|today|currently|present)\b)""")
_RIGHT = r"""(?:(?-i:no)(?=,|\s(?:wait|sorry|make|i\smean)\b)|wait(?=,|\sno\b)|sorry|who?ops|oops|i\smean|correction
    |or\srather|make\sthat|scratch\sthat|strike\sthat|pardon|excuse\sme|hang\son|hold\son|or\sshould\si\ssay
    |er|erm|um|actually(?!\s\S+\s(?:[a-z]+\s){0,2}?(?:more|less|fewer|[a-z]{2,}er)\sthan\b))"""
_PLAINLY = r"""(?:no,?\s(?:wait|sorry|make|i\smean)|wait,?\sno|or\srather|i\smean|(?<!\bi\s)make\sthat
    |(?:scratch|strike)\sthat|who?ops)"""
_PUT_RIGHT = compiled(rf"""(?<![\w.,])[{CURRENCIES}]?(?P<first>{_NUMBER}|twice|half)(?:\s[^\W\d_]+|%){{0,6}}?
    (?:\s?[,;(–—-]+\s?|\s(?={_PLAINLY}\b))(?:(?:well|but|or|oh)[,\s]\s?)?{_RIGHT}[,:]?\s
    (?:(?:{_RIGHT}|it['’]?s|it\sis|that['’]?s|make\sthat|well),?\s){{0,2}}
    [{CURRENCIES}]?(?P<second>{_NUMBER}|twice|half)\b""")
_SCORE = compiled(rf"""\b(?:w[io]n|wins|winning|beat(?:s|en|ing)?|lost|los(?:es?|ing)|defeat(?:s|ed|ing)?|le[ad]d?|leads
    |thrash(?:es|ed)?|trounced|drew)\s(?P<team>(?:against\s|to\s)?(?:the\s)?(?:(?-i:[A-Z])
        |(?:[a-z]+\s){{0,2}}?(?:team|side|boys|girls|visitors|hosts|champions)\b))?[^.;:,]{{0,60}}?
    (?<!by\s)(?<!from\s)(?P<first>{_NUMBER})
    \s?(?:to|-|–|:)\s?(?P<second>{_NUMBER})\b(?!\s(?:times\b|{_MEASURES}))""")
_COUNTED = rf"(?!{_NUMBER}\s{_MEASURES}){_NUMBER}\s(?:[^\W\d_]+\s){{0,2}}?[^\W\d_]+"
_THREE_COUNTED = compiled(rf"""(?<![\w.,])(?<!\b(?:at|in|on|by|to)\s)(?<!\bfor\s)
    (?:{_COUNTED},\s)+{_COUNTED},?\s(?:and|plus|&)\s{_COUNTED}\s(?:costs?|weigh|come|make|total|add|are)\b""")
_OFTEN = compiled(rf"\s?{_MEASURES}\s(?:more|less)\s(?:often|frequently|rarely|seldom|regularly)\b")
_ZERO = r"(?:0(?:\.0+)?(?![\d.,]*\d|\s?%)|zero|nought|naught|nil|nowt)\b"
_BY_ZERO = compiled(rf"""\b(?:divid(?:e[sd]?|ing)|division)\s(?:[^.;]{{1,60}}?\s)?by\s(?:{_ZERO}|nothing\b)
    |\bquotient\sof\s[^.;]{{1,60}}?\s(?:and|by)\s{_ZERO} | \bratio\sof\s[^.;]{{1,60}}?\sto\s{_ZERO}
    |\b{_ZERO}\s(?:goes\s|divided\s)?into\s | \s[/÷]\s{_ZERO} | [\da-z)]÷{_ZERO}
    |(?<!\b(?:is|of|be)\sa\s)\b(?:number|integer|quantity|amount|sum|difference|product|it|[a-z]|\d+)\sover\s{_ZERO}
      (?=\s(?:is(?!\s[a-z]+ed\b)|was|equals?|gives?|makes?|yields?|comes|plus|minus|times)\b|\s?[.,;?!]|\s*\Z)""")
_NO_NUMBER = compiled(r"""(?:an?\s|one\s)?(?:(?-i:NaN|nan|NAN)(?=\s(?:is|equals?|plus|minus|times|and)\b|[.,;]|\s*\Z)
    |infinity(?=\s(?:is|equals?|plus|minus|times|and|divided)\b|[.,;]|\s*\Z)|∞|googol(?:plex)?s?\b
    |[a-z]*zillions?\b)""")
_FROM_TO = rf"(?P<first>{_NUMBER})\s(?:up\s)?(?:to|and)\s(?P<second>{_NUMBER})\b"
_CHOOSE = r"(?:pick|choose|name|think\sof|select|draw|write|guess)\s(?:down\s)?(?:an?|any|one|some|the)\s"
_RANGES = (
    compiled(rf"""(?:(?:\A|\b(?:is|are|was|were|be|been|stays?)\s)(?:open|closed|shut)\s|\b{_CHOOSE}|\bnumbered\s)
        (?:[^\W\d_]+\s){{0,4}}?(?:from|between)\s{_FROM_TO}"""),
    compiled(rf"\A(?:from|between)\s{_FROM_TO},\s{_CHOOSE}"),
)


def is_compared_twice(of: Shape) -> bool:
    """The answer has both numbers of two comparisons side by side: "4 more than planned and 2 more than in May"."""
    return any(
        {match.span("first"), match.span("second")} <= set(of.numbers)
        for match in _TWO_COMPARISONS.finditer(of.text)
    )


def takes_back_a_number(of: Shape) -> bool:
    """The answer has a number that is put right or puts another right: "10 metres longer, no, 12"."""
    return _has_either(of, _PUT_RIGHT)


def is_a_score(of: Shape) -> bool:
    """The answer has only the numbers of a score: "beat the Hawks 12 to 4"; not "risers beat fallers 7 to 2"."""
    return any(
        {match.span("first"), match.span("second")} == {*of.numbers} and (match["team"] or len(of.ratio) < 4)
        for match in _SCORE.finditer(of.text)
    )


def is_a_range(of: Shape) -> bool:
    """The answer has only the ends from which to choose, or between which something is open: "a number from 3 to 9"."""
    return any(
        {match.span("first"), match.span("second")} == {*of.numbers}
        for rule in _RANGES for match in rule.finditer(of.text)
    )


def counts_how_often_by_a_measure(of: Shape) -> bool:
    """The answer compares how often something happens, and by what no frequency has: "5 miles more often"."""
    return any(_OFTEN.match(of.text, end) for _, end in of.numbers)


def divides_by_zero(of: Shape) -> bool:
    """The answer divides by 0, or the text does: "a number over zero"."""
    return of.by_zero or bool(_BY_ZERO.search(of.text))


def has_no_number_of_its_own(of: Shape) -> bool:
    """An unknown of the answer is a name for no number or for one that is not read: "infinity", "NaN", "a googol"."""
    return any(_NO_NUMBER.match(of.text, at) for at in of.phrases)


def adds_two_of_several(of: Shape) -> bool:
    """The answer adds two amounts of a list of three or more: "the length, the width and the height add up to 90"."""
    return leaves_out_of_a_list(of) and not is_open(of.text)


def counts_three_things(of: Shape) -> bool:
    """The answer has numbers of a list that counts three things or more: "2 pens, 3 pads and 4 cups cost 40"."""
    counted = [match.span() for match in _THREE_COUNTED.finditer(of.text)]
    return any(start <= at < end for start, end in counted for at, _ in of.numbers)


def _has_either(of: Shape, pattern: re.Pattern[str]) -> bool:
    return any(
        not {match.span("first"), match.span("second")}.isdisjoint(of.numbers) for match in pattern.finditer(of.text)
    )


def needs_the_years_twice(of: Shape) -> bool:
    """The text compares two ages at a time to come, so that either would need the years until then, which stand there
    once: "in 5 years Ann will be twice as old as Ben".
    """
    return bool(_AGES.search(of.text))


UNCERTAIN = {
    takes_back_a_number: "a number that is taken back",
    is_a_score: "a score",
    is_a_range: "an interval, and nothing that it is related to",
    counts_how_often_by_a_measure: "how often, compared by a length, a weight, a time or money",
    divides_by_zero: "a division by zero",
    has_no_number_of_its_own: "an amount that is no number, or one that is not read",
    adds_two_of_several: "three or more unknown amounts",
    counts_three_things: "three or more unknown amounts",
    is_compared_twice: "an amount that is compared with two others",
    needs_the_years_twice: "ages at a time to come, whose years would be needed twice",
}
"""Rule -> what is wrong with an answer that it finds; no other reading is right."""
