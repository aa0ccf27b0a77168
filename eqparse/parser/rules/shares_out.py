"""Rules about answers to texts that share out: the price of one of several, and what is left over of a division."""

from __future__ import annotations

from eqparse.parser.rules.shape import Shape, needs
from eqparse.text.numbers.tables import CURRENCIES, SMALL, compiled, one_of

_SMALL = one_of(word for word, value in SMALL.items() if value > 1)
_SEVERAL = rf"(?P<count>(?<![\d.,])(?:[2-9]|[1-9]\d+)(?![\d.,])|\b{_SMALL}\b)\s?"
_COST = rf"""(?:costs?|come\sto|sell\sfor|are\ssold\sfor|weighs?)\s(?:(?:about|exactly|only|just)\s)?[{CURRENCIES}]?
    (?P<total>\d++(?:[.,]\d++)*+|{one_of(SMALL)})\b"""
_OF_ONE = r"""\b(?:how\s(?:much|many|heavy)|what|find|work\sout)\b[^.;]{0,60}?
    \b(?:(?:one|1|a\ssingle|each)\b|(?:price|cost|weight)\sof\san?\b)"""
_PRICE_OF_ONE = compiled(rf"\b{_SEVERAL}(?:[^\W\d_]+\s){{1,4}}?{_COST}[^.;]{{0,40}}?{_OF_ONE}")
_LEFT_OVER = compiled(r"\bremainder\b|\bleft\sover\b|\s(?:\d+|[a-z]+)\s(?:[a-z]+\s)?over\s?[.,;?!]")
_SHARED = compiled(r"\b(?:divid(?:e[sd]?|ing)|shar(?:e[sd]?|ing)|split(?:s|ting)?|quotient|remainder)\b")


@needs(_PRICE_OF_ONE.search)
def multiplies_for_the_price_of_one(of: Shape) -> bool:
    """The answer multiplies where several cost so much and one is asked for: "5 pens cost 10 dollars, how much is one?"
    is not 5 * 10.
    """
    return any(
        of.ratio.get(match.start("count"), 0) == of.ratio.get(match.start("total"), 1)
        for match in _PRICE_OF_ONE.finditer(of.text) if of.ratio
    )


@needs(_LEFT_OVER.search)
def takes_the_remainder_for_a_part_of_the_quotient(of: Shape) -> bool:
    """The answer divides an unknown and has what is left over beside the quotient: "divided by 7 is 9, remainder 3" is
    not V1 / 7 = 9 + 3.
    """
    if len(of.divisors) != 1 or len(of.terms) != 2 or not (_LEFT_OVER.search(of.text) and _SHARED.search(of.text)):
        return False
    return {start < of.right for start, _ in of.terms} == {of.divisors[0][0] >= of.right}


SHARES_OUT = {
    multiplies_for_the_price_of_one: "the price of one of several, and it is multiplied",
    takes_the_remainder_for_a_part_of_the_quotient: "a remainder, and it is added to the quotient",
}
"""Rule -> what is wrong with an answer that it finds; another reading may be right."""
