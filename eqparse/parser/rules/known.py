"""Rules about answers to a comparison of two amounts, one of which has its value beside it: in an aside ("Tom, who is
12, is twice as old as Ann") or in a clause of its own ("my score was 15 lower than hers, and she got 82").
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from eqparse.equation.comparison import same_relation
from eqparse.equation.equation import Equation
from eqparse.equation.expression import Number, Operation, Variable
from eqparse.parser.rules.comparatives import COMPARED, is_less
from eqparse.parser.rules.shape import Shape, needs
from eqparse.text.numbers.tables import CURRENCIES, compiled
from eqparse.text.quantities import Quantity, find_quantities
from eqparse.text.units import unit_of

_AGE = frozenset("old older younger age".split())
_DIMENSIONS = (
    _AGE,
    frozenset("tall taller high higher short shorter low lower height".split()),
    frozenset("long longer short shorter length".split()),
    frozenset("wide wider broad broader narrow narrower width".split()),
    frozenset("deep deeper shallow shallower depth".split()),
    frozenset("heavy heavier light lighter weight".split()),
)
_AMOUNT = frozenset("many much expensive dear".split())
_ABOUT = rf"(?:(?:only|just|about|nearly|exactly|almost|now|already|still)\s){{0,2}}[{CURRENCIES}]?"
_TAIL = r"(?P<tail>(?:\s?(?!(?:than|as|of|at|in|on|for|from|when)\b)[^\W\d_]++){0,3}?)"
_ASIDE = compiled(rf"""(?:,|\s\()\s?(?:(?:who|which)(?:(?P<is>['’]s|\sis)|\s(?:was|costs?|weighs?|measures?))\s|aged\s)?
    {_ABOUT}\Z""")
_ASIDE_ENDS = compiled(rf"{_TAIL}[,)]\s(?:is|are|(?P<was>was|were))\s{_ABOUT}")
_THAN = compiled(rf"{COMPARED}\sthan\s")
_TIMES = compiled(r"""(?:[\s-]?times|[\s-]?fold)?\s(?:as\s(?P<word>[^\W\d_]++)(?:\s(?P<noun>[^\W\d_]++))?\sas\b
    |(?P<owner>(?:the|my|his|her|their|our|your)|[^\W\d_]++['’]s?)\s(?P<dimension>age|height|length|width|depth|weight)\b)""")
_MAY_COMPARE = compiled(r"\bthan\b|\bas\b|\b(?:age|height|length|width|depth|weight)\b")
_ARTICLES = frozenset("the a an my our your his her their".split())
_PERSON = frozenset("he she they i we you".split())
_SPEAKER = compiled(r"(?:I|we|mine|ours|me|us)\b")
_MY = compiled(r"(?:my|our)\b")
_GENDERS = {
    "she": frozenset("she sister mother mum mom daughter wife aunt niece grandmother grandma girl woman lady".split()),
    "he": frozenset("he brother father dad son husband uncle nephew grandfather grandpa boy man".split()),
}
_CLAUSE = compiled(rf"""\s?(?P<other>[^.,;:\d]{{0,40}}?\b(?P<name>[^\W\d_]++)(?:['’]s)?)
    (?:(?P<bracket>\s\()|(?:,?\s(?:and|but|while|whereas)\s|[,;]\s|\s[–—-]\s)
    (?P<who>he|she|it|they|I|we|mine|ours|yours|his|hers|theirs
      |(?:(?:the|my|our|your|his|her|their)\s)?(?:[^\W\d_]++\s)??(?P=name))
    (?:\s(?:just|only|now))?(?:(?P<be>['’](?:s|m|re)|\s(?:is|was|are|were|am|turn(?:s|ed)))|\s[^\W\d_]++)\s){_ABOUT}""")
_IT = r"(?:hers|his|her|him|it|its|theirs|them|that|he|she|they)"
_HAS = compiled(rf"""(?P<name>(?:\b[^\W\d_]++\s)??[^\W\d_]++)(?:(?P<be>['’](?:s|m|re)|\s(?:is|was|are|were|am))
    |\s(?:has|have|had|got|costs?|weigh(?:s|ed)?|earn(?:s|ed)?|pa(?:ys?|id)|scored|ran|makes?|made|takes?|took|measures?|lasts|lasted|holds?|sold|won))\s{_ABOUT}\Z""")
_NEXT = compiled(rf"""{_TAIL}(?:,\s(?:and|but|while)\s|\s(?:and|but|while)\s|[,;]\s)
    (?:(?P<who>[^.,;:\d]{{1,40}}?)(?:['’](?:s|m|re)|\s[^\W\d_]++)\s)?{_ABOUT}""")
_AGAIN = compiled(rf"""\s?(?:{_IT}(?:\s(?:age|height|length|weight))?
      |(?P<name>(?:[^\W\d_]++\s){{0,2}}?[^\W\d_]++)(?:['’]s)?)
    (?:\s(?:is|was|does|did|do|has|had|costs?))?\s?(?:[.,;!?)]|\Z)""")
_CLAUSE_ENDS = compiled(rf"{_TAIL}\s?(?:[.!?;,)]|\Z)")


class _Known(NamedTuple):
    """A comparison, and the value of one of its amounts.

    change, value: the two numbers.
    sign: what leads from the second amount to the first: "+", "-" or "*", with `change`; "" for a value of something
        else, as the length in "the pond, 40 metres long, is twice as deep as the lake".
    first: whether the value is the first amount's; None where it may be of either, so that nothing is stated.
    """

    change: Quantity
    value: Quantity
    sign: str
    first: bool | None


@needs(lambda text: _known(text))
def leaves_out_what_is_known(of: Shape) -> bool:
    """The answer compares two amounts and leaves out the value of one of them, or takes it for another one's."""
    return any(
        (change.start, change.end) in of.numbers and not _fits(of, known) for known in _known(of.text)
        for change in [known.change]
    )


def _fits(of: Shape, known: _Known) -> bool:
    """Whether the answer has the value where it belongs (beside other numbers, that is anywhere)."""
    change, value = known.change, known.value
    if (value.start, value.end) not in of.numbers or of.equation is None or not known.sign:
        return (value.start, value.end) not in of.numbers and not known.sign
    unknown = {*of.letters, *of.phrases}
    if len(of.numbers) != 2:
        return True
    first = max(unknown) > change.start  # then it is the second amount that is unknown
    if known.first is not first or len(of.equation.variables) != 1:
        return False
    amount, compared = (Number(value.exact), Variable("V1"))[:: 1 if first else -1]
    return same_relation(of.equation, Equation(amount, Operation(known.sign, compared, Number(change.exact))))


@lru_cache(maxsize=256)  # a text has many readings, and its answer is looked at again after its batch
def _known(text: str) -> tuple[_Known, ...]:
    if not _MAY_COMPARE.search(text):
        return ()
    found = []
    for one, two in pairwise(find_quantities(text)):
        opens = _ASIDE.search(text, max(0, one.start - 40), one.start)
        aside = _ASIDE_ENDS.fullmatch(text, one.end, two.start) if opens else None
        if opens and aside and opens["is"] and aside["was"]:
            continue
        compared = _comparison(text, two) if aside else None
        if aside and compared:
            kind = _of_one_kind(text, two, one, compared[1], aside["tail"], aged=True)
            found += [_Known(two, one, compared[0] if kind else "", first=True)] if kind is not False else []
            continue
        if known := _told_before(text, one, two):
            found.append(known)
        compared = _comparison(text, one)
        clause = _CLAUSE.fullmatch(text, compared[2], two.start) if compared else None
        ends = _CLAUSE_ENDS.match(text, two.end) if clause else None
        if clause and ends and compared:
            aged = bool(clause["be"] or clause["bracket"])
            person = (clause["who"] or "").lower() in _PERSON and unit_of(text, two).sort is None
            if aged and person and not compared[1] & _AGE:
                continue
            if _of_one_kind(text, one, two, compared[1], ends["tail"], aged=aged):
                found.append(_Known(one, two, compared[0], _whose(text[: one.start], clause)))
    return tuple(found)


def _told_before(text: str, value: Quantity, change: Quantity) -> _Known | None:
    """The same where a clause before has the value: "Zoe is 17, and her brother is 4 years younger than her"."""
    has = _HAS.search(text, max(0, value.start - 40), value.start)
    following = _NEXT.fullmatch(text, value.end, change.start) if has else None
    compared = _comparison(text, change) if following else None
    if not (has and following and compared):
        return None
    match, who = _AGAIN.match(text, compared[2]), (following["who"] or "it").lower()
    again = match and (not match["name"] or _same(match["name"], has["name"]))
    first = None if again and who in _PERSON else not again
    if not again and who not in ("he", "she", "it", "they", "which", "that"):
        return None
    aged = has["be"] is not None
    if not _of_one_kind(text, change, value, compared[1], following["tail"], aged=aged):
        return None
    return _Known(change, value, compared[0], first)


def _comparison(text: str, change: Quantity) -> tuple[str, set[str], int] | None:
    """The sign of a comparison by that number, its words, and where what is compared with begins."""
    if match := _TIMES.match(text, change.end):
        words = {match[name].lower() for name in ("word", "noun", "dimension") if match[name]}
        return "*", words, match.start("owner") if match["dimension"] else match.end()
    match = _THAN.match(text, change.end)
    if match is None or unit_of(text, change).sort == "":
        return None
    return "-" if is_less(match) else "+", {*match[0].lower().split()[-2:]}, match.end()


def _of_one_kind(
    text: str, change: Quantity, value: Quantity, words: set[str], tail: str, *, aged: bool
) -> bool | None:
    """Whether what is compared is what the value measures, None where it surely is not. aged: whether a bare number may
    be an age.
    """
    named = {word for word in tail.lower().split() if any(word in kind for kind in _DIMENSIONS)}
    if named and any(words & kind for kind in _DIMENSIONS):
        return any(named & kind and words & kind for kind in _DIMENSIONS) or None
    ours, theirs = unit_of(text, change).sort, unit_of(text, value).sort
    if words & _AGE:
        return aged and theirs in ("year", None) and ours in ("year", None, "")
    if ours == "":
        counted = tail.strip() not in words and words != {"many"} and theirs is not None and theirs.startswith("a ")
        return bool(words & _AMOUNT) and not counted and (theirs is not None or not aged)
    return ours == theirs is not None or (theirs is None and not tail and (ours is None or not aged))


def _whose(first: str, clause: re.Match[str]) -> bool | None:
    """Whether the value of a clause is the first amount's; None where it may be of either.

    first: the text before the comparison's number.
    """
    who, other = (clause["who"] or clause["name"]).lower(), clause["other"].lower()
    if who.endswith(clause["name"].lower()):
        return False if clause["bracket"] or _same(who, other) else None
    ours = bool(_SPEAKER.match(first) or (_MY.match(first) and other.endswith("s")))
    theirs = bool(_SPEAKER.match(other) or other == "my age")
    if _SPEAKER.match(who) or ours != theirs:
        return theirs is not bool(_SPEAKER.match(who))
    gender, his = _gender(who), _gender({"his": "he", "her": "she"}.get(other.split()[0], ""))
    if gender and gender != (_gender(first) or his or gender):
        return False
    return True if gender and gender != (_gender(other) or gender) else None


def _same(one: str, other: str) -> bool:
    """Whether two phrases have the same words, apart from articles and the like."""
    first, second = ({*words.lower().split()} - _ARTICLES for words in (one, other))
    return first == second


def _gender(words: str) -> str | None:
    """Of whom words speak: "she" or "he", or None where that is open."""
    found = {pronoun for pronoun, kind in _GENDERS.items() if not kind.isdisjoint(words.lower().split())}
    return found.pop() if len(found) == 1 else None


KNOWN = {leaves_out_what_is_known: "a comparison, without the value of one of its amounts or with that of the other"}
"""Rule -> what is wrong with an answer that it finds; another reading may be right."""
