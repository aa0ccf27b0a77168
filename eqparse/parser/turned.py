"""Rules about answers that turn round what the text says: an addition for a subtraction, a factor for a divisor."""

from __future__ import annotations

from eqparse.parser.shape import Shape
from eqparse.text.numbers.tables import CURRENCIES, SMALL, compiled, one_of
from eqparse.text.numbers.units import unit_end

_BY = rf"\s(?:by\s)?(?:(?:about|nearly|almost|just|another|only|a\sfurther)\s)?[{CURRENCIES}]?\Z"
_ROSE = compiled(rf"""\b(?:rose|risen|ris(?:es?|ing)|grew|grown?s?|growing|up|(?:widen|climb|increas|jump|gain|surg|soar
    |swell|expand|advanc|rebound)(?:e?s|e?d|ing)?){_BY}""")
_FELL = compiled(rf"""\b(?:fell|fallen|fall(?:s|ing)?|shrank|shrunk|down|(?:narrow|declin|decreas|dropp?|slipp?|plung
    |tumbl|shrink|dwindl|slid)(?:e?s|e?d|ing|e)?){_BY}""")
_TO = compiled(r"(?:\spoints?)?\sto\s")
_SMALLER = r"""(?:(?:less|fewer)(?:\s[a-z]+)?|lower|shorter|smaller|lighter|cheaper|younger|narrower|shallower
    |thinner|weaker)"""
_SMALLER_BY = compiled(rf"\b{_SMALLER}\sthan\b[^.;,]{{1,80}}\sby\s[{CURRENCIES}]?\Z")
_TIMES_SMALLER = compiled(rf"\stimes\s{_SMALLER}\b")
_TIMES_SMALLER_THAN = compiled(rf"\stimes\s{_SMALLER}(?:\s[a-z]+)?\sthan\b")
_MORE = "(?:more|higher|greater|larger|bigger|longer|dearer|taller|heavier|older|faster|wider|warmer|busier|richer)"
_PERCENT_MORE = compiled(rf"\s?(?:%|per\s?cent)\s(?:{_MORE}|up)\b")
_PERCENT_MORE_THAN = compiled(rf"\s?(?:%|per\s?cent)\s{_MORE}\b(?:\s[a-z]+){{0,3}}?\sthan\b")
_WHOLE = compiled(r"\d{3,}(?:\.\d+)?")
_INTO = compiled(r"\bdivided\sinto\s\Z")
_OUTNUMBER = compiled(rf"""\boutnumber(?:s|ed|ing)?\s[^.;:]{{1,80}}?\s
    (?P<first>\d+(?:\.\d+)?|{one_of(SMALL)})\sto\s(?P<second>\d+|{one_of(SMALL)})\b""")
_RESULT = compiled(r"\s(?:is|equals?|gives?|makes?|goes)\b")


def changes_the_other_way(of: Shape) -> bool:
    """The answer subtracts what an amount rose by, or adds what it fell by: "widened by 3 to 12" is not V1 - 3 = 12."""
    return any(
        _TO.match(of.text, unit_end(of.text, end)) and verb.search(of.text, max(0, at - 40), at)
        for verb, changed in ((_ROSE, of.shrunk), (_FELL, of.grown)) for at, end in changed
    )


def adds_what_is_less(of: Shape) -> bool:
    """The answer adds by how much one amount is less: "less heavy than the crate by 4 kilos" is not V2 + 4."""
    return any(_SMALLER_BY.search(of.text, max(0, at - 120), at) for at, _ in of.grown)


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


def adds_a_share(of: Shape) -> bool:
    """The answer adds a share of an amount as it stands: "200 % more than the fee" is not 2 + V2."""
    return any(
        sign == "+" and _WHOLE.fullmatch(of.text, at, end) and _PERCENT_MORE.match(of.text, end)
        for sign, at, end in of.applied
    )


def multiplies_by_what_is_more(of: Shape) -> bool:
    """The answer multiplies by the share that is more, and adds nothing: "200 % more than the fee" is not 2 * V2."""
    named = (*of.letters, *of.phrases)
    return len(set(named)) == len(named) and any(
        sign != "+" and _PERCENT_MORE_THAN.match(of.text, end) for sign, _, end in of.applied
    )


def divides_the_other_way(of: Shape) -> bool:
    """The answer divides an amount by what it is divided into: "x divided into 6 is 2" is not V1 / 6 = 2."""
    return any(_INTO.search(of.text, max(0, at - 16), at) and _RESULT.match(of.text, end) for at, end in of.divisors)


def is_no_ratio(of: Shape) -> bool:
    """The answer takes the numbers of a ratio for something else: "outnumber the others by two to one"."""
    ratios = (match.span(part) for match in _OUTNUMBER.finditer(of.text) for part in ("first", "second"))
    return not of.ratio and not {*ratios}.isdisjoint(of.numbers)


TURNED = {
    changes_the_other_way: "a rise that is read as a fall, or a fall as a rise",
    adds_what_is_less: "what is less, and it is added",
    multiplies_what_is_less: "a number of times less, and it is multiplied",
    adds_a_share: "a share of an amount, and it is added as it stands",
    multiplies_by_what_is_more: "a share more of an amount, and nothing is added",
    divides_the_other_way: "a division, the other way round",
    is_no_ratio: "a ratio, and its numbers are taken for something else",
}
"""Rule -> what is wrong with an answer that it finds; another reading may be right."""
