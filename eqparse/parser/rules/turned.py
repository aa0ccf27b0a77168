"""Rules about answers that turn round what the text says: an addition for a subtraction, a factor for a divisor."""

from __future__ import annotations

import re
from itertools import pairwise

from eqparse.parser.rules.changes import BY
from eqparse.parser.rules.comparatives import COMPARATIVES, LESS, MORE, SHARE
from eqparse.parser.rules.shape import Shape, needs
from eqparse.parser.rules.shares_out import SHARES_OUT
from eqparse.text.numbers.tables import CURRENCIES, SMALL, compiled, one_of

_LESS_THAN = rf"\b{LESS}\sthan\b"
_SMALLER_BY = compiled(rf"{_LESS_THAN}[^.;,]{{1,80}}\sby\s[{CURRENCIES}]?\Z")
_TIMES_SMALLER = compiled(rf"(?:\stimes|[\s-]?fold)\s(?:{LESS}|weaker)\b")
_TIMES_SMALLER_THAN = compiled(rf"(?:\stimes|[\s-]?fold)\s(?:{LESS}|weaker)(?:\s[a-z]+)?\sthan\b")
_INTO = compiled(r"\bdivided\sinto\s\Z")
_RATIO = rf"""(?<!\bfrom\s)(?P<first>\d+(?:\.\d+)?|{one_of(SMALL)})(?:\sto\s|-to-|\s?:\s?)
    (?P<second>\d+|{one_of(SMALL)})\b(?!\s(?:times|percent|per\scent|points|[ap]\.?m)\b|\s?%)"""
_OUTNUMBER = compiled(rf"""(?P<be>\b(?:am|is|are|was|were|be|been|being|gets?|got|feels?|felt)\s(?:[a-z]+\s){{0,2}}?)?
    \b(?P<verb>out(?:(?P<done>numbered|weighed|sold|spent)|(?:number|weigh|sell|spend)(?:s|ing)?))
    (?P<by>\sby)?\s(?P<between>[^.;:]{{1,80}}?\s)??(?:by\s)?{_RATIO}""")
_THEIR = "(?:the|th[eo]se|my|his|her|its|our|your|their)"
_OF = compiled(rf"""(?P<percent>\s?(?:%|per\s?cent))?\s(?:of\s(?:all\s)?(?:{_THEIR}\s)?|{_THEIR}\s)
    (?:(?!them|it|us|you|which|whom)[a-z]+\s)?[{CURRENCIES}]?""")
_PART_IS = compiled(rf"""(?:\s?(?:%|per\s?cent))?\sof\s
    (?:(?!(?:plus|minus|and|less|more|added|what|with|together|both)\b)[^\W\d_]+\s){{1,6}}?(?:is|are|was|were|equals?)\s
    [{CURRENCIES}]?(?P<amount>(?:\d[\d.,]*+|{one_of(SMALL)})(?!\s?%|(?:\s[a-z]+)?\s(?:more|less|fewer)\b))""")
_OPENING = compiled(r"\s*(?:(?:if|exactly|only|just|about|nearly|almost|an?)\s){0,2}")
_DIVIDED_BY = compiled(r"\bdivided\sby\s\Z")
_SENIOR = r"(?P<who>senior|junior)"
_OWNER = compiled(r"(?:[^.,;:]{1,40}?['’]s?|my|his|her|its|our|your|their)\s")
_SENIOR_BY = compiled(rf"\b{_SENIOR}(?:\s(?:to|of)\s[^.;:,]{{1,60}}?)?,?{BY}")
_YEARS_SENIOR = compiled(rf"""\s?(?:[a-z]+\s)?(?:years?|yrs?|months?|weeks?|days?|hours?|minutes?|decades?)['’]?\s
    (?:(?:(?:my|his|her|its|our|your|their|the)|(?:(?!\bthan\b)[^.,;:]){{1,40}}?['’]s?)\s)?{_SENIOR}
    (?:\s(?:to|of)(?=\s)|(?=\s?(?:[.,;:!?)–—]|\Z)|\s(?:and|but|than|at|in|by|on|when|who|which|is|was)\b))""")
_THAT_IS = compiled(rf"""(?:\s?[^\W\d_]++){{0,2}}?\s?[,–—(]\s?
    (?:(?:about|only|just|nearly|exactly|which\sis|that\sis|thus|or),?\s)?[{CURRENCIES}]?""")
_AHEAD_OF = compiled(rf"""(?:\s(?!times\b|per\b)[^\W\d_]+){{0,2}}?\s
    (?:(?P<less>{LESS})|{MORE})\s(?:[a-z]+\s){{0,2}}?than\b""")
_HAD = compiled(rf"\b(?:had|weighed|cost|measured|held|owned|(?:began|started)\swith)\s[{CURRENCIES}]?\Z")
_NOW = r"\bnow\b"
_HAS_NOW = compiled(rf"""\b(?:now\s(?:(?:he|she|it|they|i|we)\s)?(?:has|have|weighs?|costs?|measures?|holds?|owns?)
    |(?:has|have|weighs?|costs?|measures?|holds?|owns?)\snow)\s[{CURRENCIES}]?\Z""")
_BOTH = compiled(r"\b(?:together|total\w*|altogether|in\sall|sum|combined|between\sthem)\b")
_RESULT = compiled(r"\s(?:is|equals?|gives?|makes?|goes)\b")


@needs(compiled(_LESS_THAN).search)
def adds_what_is_less(of: Shape) -> bool:
    """The answer adds by how much one amount is less: "less heavy than the crate by 4 kilos" is not V2 + 4."""
    return any(_SMALLER_BY.search(of.text, max(0, at - 120), at) for at, _ in of.grown)


@needs(_TIMES_SMALLER.search, _TIMES_SMALLER_THAN.search)
def multiplies_what_is_less(of: Shape) -> bool:
    """The answer multiplies by how many times less an amount is: "4 times smaller than the bed" is not 4 * V2, nor is
    the smaller one to be divided, nor 4 a difference, or the smaller one divided by the other.
    """
    factors = [end for sign, _, end in of.applied if sign == "*"]
    factors += [end for sign, _, end in of.wholes if sign[0] != "/"]
    divisors = [end for _, end in of.divisors] + [end for sign, _, end in of.wholes if sign == "/lr"]
    return any(_TIMES_SMALLER.match(of.text, end) for end in factors) or any(
        _TIMES_SMALLER_THAN.match(of.text, end) for end in divisors
    )


def divides_the_other_way(of: Shape) -> bool:
    """The answer divides an amount by what it is divided into: "x divided into 6 is 2" is not V1 / 6 = 2."""
    return any(_INTO.search(of.text, max(0, at - 16), at) and _RESULT.match(of.text, end) for at, end in of.divisors)


@needs(_OUTNUMBER.search)
def is_no_ratio(of: Shape) -> bool:
    """The answer takes the numbers of a ratio for something else, or turns it round: "outnumber the others by two to
    one" is V1 / V2 = 2 / 1, or V1 = 2 * V2.
    """
    return any(
        not {match.span("first"), match.span("second")}.isdisjoint(of.numbers) and not _is_ratio(of, match)
        for match in _OUTNUMBER.finditer(of.text)
    )


def _is_ratio(of: Shape, match: re.Match[str]) -> bool:
    """Whether the answer is the ratio in which one amount outnumbers another, or is outnumbered by it."""
    numbers = {name: match.start(name) for name in ("first", "second")}
    amounts = sorted(at for at in of.ratio if at not in numbers.values())
    left_out = [name for name, at in numbers.items() if at not in of.ratio]
    if len(amounts) != 2 or len(left_out) == 2 or any(match[name].lower() not in ("1", "one") for name in left_out):
        return False
    wanted = {-of.ratio.get(numbers["first"], 0), of.ratio.get(numbers["second"], 0)} - {0}
    if amounts[0] < match.start("verb") < amounts[1]:
        turned = match["done"] and (match["be"] or match["by"] or not match["between"])
        wanted.add(of.ratio[amounts[1 if turned else 0]])
    return len(wanted) == 1 and of.ratio[amounts[0]] == -of.ratio[amounts[1]]


@needs(compiled(_SENIOR).search)
def turns_the_elder_round(of: Shape) -> bool:
    """The answer takes the elder for the younger, or years for a factor: "3 years Sue's senior" is not V2 - 3."""
    unknown = sorted({*of.letters, *of.phrases})
    for at, end in of.numbers:
        ahead = [u for u in unknown if u < at]
        if match := _YEARS_SENIOR.match(of.text, end):
            elder, other = ahead[-1:], [u for u in unknown if end < u <= match.end() + 1]
        elif match := _SENIOR_BY.search(of.text, max(0, at - 100), at):
            other = [u for u in ahead if u > match.start() or _OWNER.fullmatch(of.text, u, match.start())][-1:]
            elder = [u for u in ahead if other and u < other[0]]
        else:
            continue
        years = of.sides[at] * (1 if match["who"].lower() == "senior" else -1)
        if of.ratio or any(of.sides[u] != -years for u in elder) or any(of.sides[u] != years for u in other):
            return True
    return False


def takes_the_whole_for_the_share(of: Shape) -> bool:
    """The answer takes the number whose share is told for that share, or for an unknown: "half of the 60 pupils" are
    not 60, and V1 is not the pupils.
    """
    unknown = (*of.letters, *of.phrases)
    for (at, end), (start, stop) in pairwise(of.numbers):
        share = _OF.fullmatch(of.text, end, start)
        if not share or not (share["percent"] or SHARE.search(of.text, at, end)):
            continue
        counted = any(at <= u <= stop + 1 for u in unknown) and ("*", start, stop) not in of.applied
        if counted or at < of.right <= start:
            return True
    return False


@needs(_PART_IS.search)
def takes_a_share_for_the_rest(of: Shape) -> bool:
    """The answer adds or subtracts a share that is an amount: "40 % of the hay is 9 tons" is not V1 - (0.4 * V1)."""
    if len(of.numbers) != 2 or of.ratio:
        return False
    (at, end), (amount, _) = of.numbers
    part = _PART_IS.match(of.text, end) if _OPENING.fullmatch(of.text, 0, at) else None
    return part is not None and part.start("amount") == amount


@needs(compiled(r"\bdivided\sby\b").search)
def does_not_divide(of: Shape) -> bool:
    """The answer multiplies by what is divided by, and has no division: "divided by 2/3 is 12"."""
    factors = [(start, stop) for *_, start, stop in of.applied] + [product.right for product in of.products]
    return not of.divides and any(_DIVIDED_BY.search(of.text, max(0, at - 20), at) for at, _ in factors)


@needs(_AHEAD_OF.search)
def adds_to_an_amount(of: Shape) -> bool:
    """The answer adds to an amount by how much it is more: "costs 3 dollars, 1 more than a loaf" is 3 = 1 + V1."""
    plain = {*of.terms, *((start, end) for _, start, end in of.wholes)}
    for (at, end), (start, stop) in pairwise(of.numbers):
        more = _AHEAD_OF.match(of.text, stop) if {(at, end), (start, stop)} <= plain else None
        if more and _THAT_IS.fullmatch(of.text, end, start):
            return (of.sides[at] == of.sides[start]) is (more["less"] is None)
    return False


@needs(compiled(_NOW).search)
def adds_then_and_now(of: Shape) -> bool:
    """The answer has what was and what is now on one side: "had 12, got some and now has 20" is not V1 - 12 = 20."""
    plain = sorted({*of.terms, *((start, end) for _, start, end in of.wholes)})
    return not _BOTH.search(of.text) and any(
        of.sides[at] == of.sides[after]
        for (at, _), (after, _) in pairwise(plain)
        if _HAD.search(of.text, max(0, at - 24), at) and _HAS_NOW.search(of.text, max(0, after - 24), after)
    )


TURNED = {
    adds_what_is_less: "what is less, and it is added",
    multiplies_what_is_less: "a number of times less, and it is multiplied",
    divides_the_other_way: "a division, the other way round",
    is_no_ratio: "a ratio, and its numbers are taken for something else, or the other way round",
    turns_the_elder_round: "who is older by years, the other way round",
    **COMPARATIVES,
    **SHARES_OUT,
    adds_then_and_now: "what was and what is now, both on one side",
    adds_to_an_amount: "an amount and by how much it is more or less, the wrong way round",
    takes_a_share_for_the_rest: "a share that is an amount, and it is added or subtracted",
    does_not_divide: "a division, and the answer multiplies",
    takes_the_whole_for_the_share: "a share of a number, and the number is taken for the share",
}
"""Rule -> what is wrong with an answer that it finds; another reading may be right."""
SURELY_TURNED = (
    multiplies_what_is_less, is_no_ratio, turns_the_elder_round, does_not_divide, takes_a_share_for_the_rest,
)
"""Those of them whose words leave no doubt of what the other readings have in common, beside `COMPARATIVES`."""
