"""Which comparatives say a smaller amount, and rules about answers that take it for the larger one."""

from __future__ import annotations

import re

from eqparse.equation.comparison import same_relation
from eqparse.equation.equation import Equation
from eqparse.equation.expression import Expression, Number, Operation, Variable
from eqparse.parser.rules.shape import Shape, needs
from eqparse.text.numbers.tables import PARTS, VULGAR, compiled, one_of

SMALLER = tuple(
    """lower shorter smaller lighter cheaper younger narrower shallower thinner nearer closer cooler colder chillier
    poorer quieter earlier sooner drier dryer dimmer fainter scarcer rarer slimmer leaner emptier sparser tinier
    slighter""".split()
)
"""Of a smaller amount; beside them "less" and "fewer", which may have a noun of their own."""
UNCLEAR = tuple(
    """better worse faster slower quicker swifter stronger weaker harder softer milder gentler calmer flatter duller
    darker paler blunter looser tamer plainer easier simpler gloomier
    other rather over under after former latter neither either never however whether""".split()
)
"""Of either, by what is measured (a time or a speed, a price or a count); and words that are no comparatives."""
LESS = rf"(?:(?:less|fewer)(?:\s[a-z]+)?|{one_of(SMALLER)})"
MORE = rf"(?:more(?:\s[a-z]+)?|(?!{one_of((*SMALLER, *UNCLEAR))}\b|fewer\b)[a-z]{{2,}}er)"
SHARE = compiled(rf"(?:(?:{one_of(PARTS)}|halve)s?|/\d+|(?<!\d)0?\.\d+|[{''.join(VULGAR)}])\Z")
_UNIT = r"""(?P<unit>(?:\s?%|[\s-](?!(?:times|fold|per|and|or|to|by|that|is|are|was|were|than|more|less|fewer)\b)
    [^\W\d_]+){0,3}?)"""
_TIME = r"\s(?:an?\s)?(?:seconds?|secs?|minutes?|mins?|hours?|days?|weeks?|months?|years?)\s"
COMPARED = rf"""(?:{_UNIT}\s(?:(?P<less>{LESS})|{MORE})
    |{_TIME}(?:(?P<quicker>faster|quicker)|slower))"""  # "5 miles an hour faster" is more
_PERCENT = compiled(r"\s?(?:%|per\s?cent\b)")
_PLAN = r"(?:(?:the|its|their|his|her|our|my)\s(?:[a-z]+\s)?)?(?:schedule|plan|deadline|target|timetable)\b"
_THAN = compiled(rf"(?:{COMPARED}\sthan\s(?!that\b(?!\sof\b))|{_TIME}(?P<early>ahead\sof)\s(?={_PLAN}))")
_BY_A_FACTOR = compiled(rf"""\b(?:(?P<less>{LESS}|weaker)|{MORE})\s(?:[^.;:,]{{0,60}}?\s)??
    by\s(?:about\s)?an?\sfactor\sof\s(?:(?:about|nearly|almost|over|some|roughly)\s)?""")
_SHORT_WAY = compiled(r"[^.;:,\d]{0,40}")
_FRONTED = compiled(r"""\A(?:(?:as\s)?compared\s(?:with|to)|in\scomparison\s(?:with|to)|relative\sto|next\sto
    |(?:set|measured)\sagainst)\s[^.;:,\d]{1,80}(?P<comma>,)\s""")
_COMPARED_ALONE = compiled(rf"{COMPARED}(?=\s?(?:[.,;!)–—]|\Z|\s(?:and|but)\b))")


@needs(compiled(r"\sthan\s|\sahead\sof\s").search)
def turns_a_comparison_round(of: Shape) -> bool:
    """The answer takes the smaller of two for the larger: "15 % steeper than the bay" is not V2 - (0.15 * V2).

    Where things are counted ("7 more larks than wrens"), the other amount is not the first behind the number.
    """
    unknown = sorted({*of.letters, *of.phrases})
    for at, end in () if of.ratio else of.numbers:
        other = next((u for u in unknown if u > end), None)
        than = _THAN.match(of.text, end) if other else None
        if than and _SHORT_WAY.fullmatch(of.text, than.end(), other):
            return (of.sides[at] == of.sides[other]) is is_less(than)
    return False


@needs(_FRONTED.match)
def turns_a_fronted_comparison_round(of: Shape) -> bool:
    """The same where what is compared with comes first: "compared with the train, the bus is 2 hours later"."""
    fronted, unknown = _FRONTED.match(of.text), sorted({*of.letters, *of.phrases})
    if fronted is None or len(of.numbers) != 1 or len(unknown) != 2 or of.equation is None:
        return False
    (at, end), (other, one) = *of.numbers, unknown
    than = _COMPARED_ALONE.match(of.text, end)
    if than is None or not other < fronted.start("comma") < one < at:
        return False
    first, second = Variable("V1"), Variable("V2")
    change: Expression = next(leaf for leaf in of.equation.leaves() if isinstance(leaf, Number))
    if _PERCENT.match(of.text, end) or (not than["unit"] and SHARE.search(of.text, at, end)):
        change = Operation("*", change, first)
    return not same_relation(of.equation, Equation(second, Operation("-" if is_less(than) else "+", first, change)))


@needs(_BY_A_FACTOR.search)
def turns_a_factor_round(of: Shape) -> bool:
    """The answer takes the smaller of two for the larger, or what divides for something else: "smaller by a factor of 4
    than the bay" is V2 / 4.
    """
    unknown = sorted({*of.letters, *of.phrases})
    for match in _BY_A_FACTOR.finditer(of.text):
        number = next((at for at, _ in of.numbers if at == match.end()), None)
        one = next((u for u in reversed(unknown) if u < match.start()), None)
        other = next((u for u in unknown if u > match.start()), None)
        if number is not None and one is not None and other is not None:
            beside = one if match["less"] else other
            return of.ratio.get(one, 0) == of.ratio.get(other, 0) or of.ratio[number] != of.ratio[beside]
    return False


def is_less(comparison: re.Match[str]) -> bool:
    return any(comparison.groupdict().get(name) for name in ("less", "quicker", "early"))


COMPARATIVES = {
    turns_a_factor_round: "more or less by a factor, and it is another one",
    turns_a_comparison_round: "what is more than another amount, and it is less, or the other way round",
    turns_a_fronted_comparison_round: "what is more or less, compared with another amount, the wrong way round",
}
"""Rule -> what is wrong with an answer that it finds; another reading may be right."""
