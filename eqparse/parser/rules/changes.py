"""Rules about answers that turn a change round: what an amount rose or fell by, and what is taken off a price."""

from __future__ import annotations

from itertools import pairwise

from eqparse.parser.rules.comparatives import LESS, MORE
from eqparse.parser.rules.shape import Shape, needs
from eqparse.text.numbers.tables import CURRENCIES, FOLDS, compiled, one_of
from eqparse.text.numbers.units import unit_end

BY = rf"\s(?:by\s)?(?:(?:about|nearly|almost|just|another|only|a\sfurther)\s)?[{CURRENCIES}]?\Z"
_ROSE = r"""\b(?:rose|risen|ris(?:es?|ing)|grew|grown?s?|growing
    |(?<!gave\s)(?<!give\s)(?<!gives\s)(?<!given\s)(?<!giving\s)up|(?:widen|climb|increas|jump|gain|surg|soar
    |swell|expand|advanc|rebound)(?:e?s|e?d|ing)?)"""
_FELL = r"""\b(?:fell|fallen|fall(?:s|ing)?|shrank|shrunk|down|g[ai]v(?:e[sn]?|ing)\sup
    |(?:narrow|declin|decreas|dropp?|slipp?|plung
    |tumbl|shrink|dwindl|slid)(?:e?s|e?d|ing|e)?)"""
_ROSE_BY, _FELL_BY = compiled(_ROSE + BY), compiled(_FELL + BY)
_TO = compiled(r"(?:\spoints?)?\sto\s")
_TIMES = r"\s(?:(?:about|nearly|almost|more\sthan|over)\s)?(?:by\s)?(?:(?:an?|the)\sfactor\sof\s)?(?:about\s)?\Z"
_ROSE_TIMES, _FELL_TIMES = (
    compiled(rf"(?:{_ROSE}|\braised|\bboosted){_TIMES}"), compiled(rf"(?:{_FELL}|\bcut|\breduced|\blowered){_TIMES}"))
_TIMES_TO = compiled(rf"(?P<times>[\s-]?fold|\stimes)?,?\sto\s(?:about\s)?[{CURRENCIES}]?")
_FACTOR = compiled(r"\bfactor\sof\s(?:about\s)?\Z")
_FOLD = compiled(one_of(FOLDS))
_OFF = r"""(?:coupon|voucher|discount|rebate|trade-in|refund|reduction|markdown|gift\s(?:card|certificate)|subsidy
    |cashback)"""
_TAKEN_OFF = compiled(rf"""\b(?:with|using|after|thanks\sto|appl(?:ied|ying)|redeem(?:ed|ing))\s
    (?:using\s)?(?:(?:an?|the|my|our|her|his|your|their|this|that)\s)?(?:[a-z]+\s)??
    (?:{_OFF}\s(?:worth|of|for)\s[{CURRENCIES}]?(?P<of>\d[\d.,]*+)|[{CURRENCIES}]?(?P<ahead>\d[\d.,]*+)(?!\s?%)
      (?:[\s-][a-z-]+){{0,2}}?\s{_OFF}\b)""")
_PAID = compiled(rf"""\b(?:is|was|are|were|costs?|c[ao]mes?\sto|pa(?:id|ys?)|totall?(?:s|ed)|set)\s
    (?:(?:us|me|him|her|them|back)\s){{0,2}}
    (?:(?:about|now|only|just)\s)?[{CURRENCIES}]?\Z""")
_COMPARED = compiled(rf"(?:\s[^\W\d_]++)?\s(?:{LESS}|{MORE})\b")


@needs(_TO.search)
def changes_the_other_way(of: Shape) -> bool:
    """The answer subtracts what an amount rose by, or adds what it fell by: "widened by 3 to 12" is not V1 - 3 = 12."""
    return any(
        _TO.match(of.text, unit_end(of.text, end)) and verb.search(of.text, max(0, at - 40), at)
        for verb, changed in ((_ROSE_BY, of.shrunk), (_FELL_BY, of.grown)) for at, end in changed
    )


@needs(compiled(r"fold\b|\btimes\b|\bfactor\b").search)
def changes_by_no_factor(of: Shape) -> bool:
    """The answer to what rose or fell by a factor is another one: "fell threefold to 15" is V1 / 3 = 15."""
    unknown = (*of.letters, *of.phrases)
    for (at, end), (start, _) in pairwise(of.numbers):
        before = of.text[max(0, at - 60) : at]
        to = _TIMES_TO.fullmatch(of.text, end, start)
        if to is None or not (to["times"] or _FOLD.fullmatch(of.text, at, end) or _FACTOR.search(before)):
            continue
        for verb, side in ((_ROSE_TIMES, 1), (_FELL_TIMES, -1)):
            if verb.search(before):
                amount = of.ratio.get(start, 0)
                wanted = {at: -side * amount, unknown[0]: -amount, start: amount}
                return not amount or of.ratio != wanted
    return False


@needs(compiled(_OFF).search)
def adds_what_is_taken_off(of: Shape) -> bool:
    """The answer adds what is taken off to get the price that is paid, or takes it off that price: "with my 10-dollar
    coupon the bill was 38" is V1 - 10 = 38.
    """
    if len(of.numbers) != 2:
        return False
    (at, end), (start, stop) = of.numbers
    for match in _TAKEN_OFF.finditer(of.text):
        off = match.start(match.lastgroup)
        if off not in (at, start):
            continue
        paid, done = (start, stop) if off == at else (at, end)
        if _PAID.search(of.text, max(0, paid - 40), paid) and not _COMPARED.match(of.text, done):
            sides = {of.sides[u] for u in (*of.letters, *of.phrases)}
            return bool(of.ratio) or sides != {-of.sides[paid]} or of.sides[off] != of.sides[paid]
    return False


CHANGES = {
    changes_the_other_way: "a rise that is read as a fall, or a fall as a rise",
    changes_by_no_factor: "a rise or fall by a factor, and it is another one",
    adds_what_is_taken_off: "what is taken off a price, and it is added",
}
"""Rule -> what is wrong with an answer that it finds; another reading may be right."""
