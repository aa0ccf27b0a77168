"""Fractions in words: "two thirds", "a quarter", "half"."""

from __future__ import annotations

import re
from fractions import Fraction

from eqparse.text.numbers.context import CLOSED, COMPARED, word_after, word_before
from eqparse.text.numbers.numeral import Numeral
from eqparse.text.numbers.scales import counts
from eqparse.text.numbers.tables import (
    ANY_SCALE,
    COUNTED_SCALE,
    GAP,
    ORDINALS,
    PARTS,
    SCALES,
    SMALL,
    compiled,
    one_of,
)
from eqparse.text.numbers.units import MEASURES, measure, scaling_unit

_PART = compiled(rf"""(?P<gap>{GAP})(?:(?P<one>{one_of(PARTS)})|(?P<many>halves|(?<=-)eights|{one_of(PARTS)}s))
    (?!\w)(?![\s-](?:grade|place|floor|class|base|party))""")
_MERE = r"(?:(?P<mere>mere|bare|scant|measly|paltry|meagre|good|full|whole|clear|further)\s)?"
_ARTICLE_PART = compiled(rf"an?{GAP}{_MERE}({one_of(PARTS)})(?!\w)")
_SCALE_OF = compiled(rf"""{GAP}(?:of{GAP})?(?:an?{GAP})?
    ({SCALES}(?P<dozen>(?<=dozen)\sdozen)?|{one_of(COUNTED_SCALE)}|(?<=\ba\s)mil(?=\s(?:more|less|is|was|on|in|for|at|from|to)\b|\s?[.,;]|\Z))(?!\w)""")
_OF = compiled(r"\sof\b")
_DECIMAL_BY = compiled(r"\bby\s(?:(?:just|only|about|nearly|almost)\s)?\Z")
_COINS = compiled(r"\b(?:dimes?|nickels?|pennies|penny|coins?)\b")
# "a third" is an ordinal before a noun ("a third angle"); before these and comparisons, or after _BY at a clause's
# end, a fraction
_PART_OF = compiled(r"""[\s-](?:parts?|of|as|the|that|what|this|its|his|her|their|my|your|our|more|less|fewer|mile|above
    |below|off|over|under|up|down|on\s(?:the|its|last|top)|(?:is|are|was|were)\s(?:added|taken|left|off)
    |(?:wo|ca|do|did|does|could|would|were|was|have|has)n['’]t|never|or\s(?:less|more)\sof
    |inch|cup|pound|acre|hour|point|[a-z]{1,20}er\s(?:than|of)|full|empty|short(?=\sof|[.,;])|shy\sof|ahead\sof|inside(?=\s(?:the|his|her|its|their)\b))(?!\w)""")
_OF_THE = compiled(r"\sof\s(?:the|its|all|them|it|these|those|his|her|their|our|my|your)\b")
_OF_A = compiled(r"\sof\san?(?=\s)")
DECIMAL_PARTS = frozenset(("tenths", "hundredths", "thousandths"))
_NTH = ORDINALS | frozenset(
    "first second last next final past this each every another opening latter own subsequent additional".split()
)
_AND_UPPER = compiled(rf"\band\s(?:{one_of(SMALL)}|\d)\Z")
_AND = compiled(rf"{GAP}and{GAP}")
_BY = compiled(r"""\b(?:by|about|nearly|almost|than|to|only|roughly|exactly|and|or|is|was|least|most|just|over|under|up
    |down|within|cuts?|(?P<verb>los[et]s?|dropped|drops?|gain(?:s|ed)?|falls?|fallen|fell|ris(?:es?|en)|rose|gr[eo]w[sn]?|sheds?
    |shr[aiu]nks?|climb(?:s|ed)?|jump(?:s|ed)?|slip(?:s|ped)?|slid|sav(?:es?|ed)|adds?|added|holds?|held|keeps?|kept|owns?
    |owned|take|takes|taken)|off|account(?:s|ed|ing)?\sfor|m(?:akes?|ade)\sup
    |(?:cut|rise|gain|drop|fall|share|stake|increase|decrease|reduction|discount|loss|lead|majority|decline|saving|payment|deposit
      |tip|bonus|commission|fee|tax|margin|swing)\sof)
    \s\Z""")
_CLAUSE_END = compiled(r"""\s?(?:[.,;:!?)]|\Z|\(\d)|\s(?:to|from|in|and|or|at|on|with|this|last|when|while|after|before
    |since|as|so|but|because|due|thanks|compared|against|during|between|within|per|each|every|year|overnight|again|today
    |yesterday|if|until|next|now|already|than|back|aside|it|he|she|they|we|you)\b""")
_HEDGED = compiled(r"""\b(?:barely|hardly|scarcely|just|only|nearly|almost|not\squite|about|around|roughly|exactly|some
    |plus|minus|less|by|fully|over|under|(?:more|less|fewer)\sthan)\s\Z""")
_STANDS = compiled(rf"""{_CLAUSE_END.pattern}
    |\s(?:is|are|was|were|had|have|has|came|come|went|go|goes|said|say|lived?|voted?|comes)\b""")
_FROM = compiled(r"\bfrom\s(?:(?:about|nearly|almost|just|over|under|around)\s)?\Z")
_TO = compiled(r"\sto\s")
_UNIT = compiled(r"\s(?:hour|mile|inch|pint|lit(?:re|er)|cup|pound|acre)\b")  # "a further quarter hour"
_CLOCK = compiled(rf"""\s(?:to|past)\s(?:\d{{1,2}}|{one_of(SMALL)})
    (?:\s?(?:[.,;]|\Z)|\s(?:until|till|to|on|every|and|[ap]m)\b)""")
_CHANGE = compiled(r"""%|\bper\s?cent\b|\b(?:share|proportion|slump|slid|fall|fell|ris|rose|rais|cut|down|up\b|drop|grew
    |grow|climb|jump|shr[aiu]nk|reduc|increas|decreas)""")
_GAPPED = compiled(r",\s(?:and\s)?(?:the|their|its|his|her|our|my|those|these)\s(?:[a-z-]+\s){1,2}\Z")
_OF_ALL = compiled(r"\bof\s(?:the|its|his|her|their|our|my|these|those|all)\s(?:[a-z-]+\s){0,2}[a-z-]+,?\s\Z")
# "Of Ann's 96 points, a quarter came late"
_OF_MANY = compiled(r"(?:\A|[.;:,(–—]\s)of\s(?:(?:[\w'’-]+\s){1,5}[\w'’-]+,|(?:[\w'’-]+\s)?[\d,]+\s[a-z-]+)\s\Z")
_ARE = compiled(r"\s(?:are|were|is|was)\b")
_ARE_MANY = compiled(r"\s(?:are|were|have|aren['’]t|weren['’]t|haven['’]t)\b")
_OF_ANOTHER = frozenset("of in on with for from at".split())  # "the crew of a third are on strike"
_END = compiled(r"\s?(?:[.;!?]|\Z)")
_OF_A_NUMBER = compiled(r"\b(?:number|amount|figure|value|weight|price|whose)\b.*\b(?:its|their)\s\Z")
_NUMBER_WHOSE = compiled(r"\bnumber\s(?!of\s)(?:[a-z]+\s){0,2}whose\s\Z")
_WHOSE_IS = compiled(r"\s(?:is|was|equals|exceeds|plus|minus|makes|added|less)\b")
_ITS_END = compiled(r"\s(?:plus|minus|makes?|equals?|by|add(?:ed|s)?)\b")
_OF_WHICH = compiled(r"\bof\swhich\s(?:[^,;.\d]{1,30}\s)?\Z")
_AND_UNIT = compiled(rf"\ban?\s(?:{one_of(word for word in MEASURES if len(word) > 2)})\s(?:and|&)\s\Z")
# "a tenth and a half inside"
_AND_A_PART = compiled(r"(?<=(?:ten|red|and)th)\sand\sa\s(?:half|quarter)\b")
_PART_WORD = compiled(r"\spart\b")
_REST = compiled(r"\b(?:rest|remainder|remaining|others)\b")
_LESS_ANOTHER = compiled(r"\b(?:less|minus|plus)\sanother\s\Z")
_LISTED = compiled(r"(?:[,;]|\b(?:and|with|while))\s\Z")
_DID = frozenset("goes go went come comes came lives live lived said say voted vote stayed failed died left".split())


def scale_of(text: str, end: int) -> tuple[int, int] | None:
    """The scale that a fraction is part of, and where it ends: "a million" in "half a million"."""
    match = _SCALE_OF.match(text, end)
    if match is None or (match[1].lower() in COUNTED_SCALE and not counts(text, match[1], match.end())):
        return None
    return 144 if match["dozen"] else ANY_SCALE[match[1].lower()], match.end()


def part_after(text: str, end: int) -> re.Match[str] | None:
    """The match of the denominator after a numerator: "thirds" in "two thirds"."""
    return _PART.match(text, end)


def is_counted_part(text: str, start: int, part: re.Match[str]) -> bool:
    """Whether the digits at `start` count parts: "2 thirds of", "5 hundredths faster", not "12 quarters longer"."""
    if _OF.match(text, part.end()):
        return True
    if not part["many"] or part["many"].lower() in ("halves", "quarters"):
        return False
    by = part["many"].lower() in DECIMAL_PARTS and _DECIMAL_BY.search(text[max(0, start - 14) : start])
    return bool(COMPARED.match(text, part.end()) or (by and _CLAUSE_END.match(text, part.end())))


def denominator(text: str, upper: Fraction | int, tail: re.Match[str]) -> int | None:
    """The value of a denominator after the numerator `upper`; None if it is an ordinal or a coin."""
    fits = tail["one"] if upper == 1 else tail["many"] or "-" in tail["gap"] or (
        _AND_UPPER.search(text[max(0, tail.start() - 12) : tail.start()]) and measure(text, tail.end())
    ) or scale_of(text, tail.end())  # "four and three quarter tons", "three quarter million"
    if upper < 1 or not fits:
        return None
    part = (tail["one"] or tail["many"]).lower()
    part = {"halves": "half", "eights": "eighth"}.get(part) or (part if tail["one"] else part[:-1])
    if part == "quarter":
        around = text[max(0, tail.start() - 80) : tail.end() + 80]
        return 4 if upper in (1, 3) and not _COINS.search(around) else None
    return None if part == "half" and upper == 2 else PARTS[part]


def read_article_part(text: str, start: int, found: list[Numeral]) -> int:
    """Read "a third of", "a half" or "a mere fifth", but not "a third angle". Returns where to continue, or 0."""
    match = _ARTICLE_PART.match(text, start)
    if match is None or (match["mere"] and not _is_whole(text, match)):
        return 0
    return _read_part(text, match[2].lower(), start, match.end(), found, mere=bool(match["mere"]))


def _is_whole(text: str, match: re.Match[str]) -> bool:
    """Whether "a good third" is a number: not before a noun, nor where "a full quarter" is one of the year."""
    if match[2].lower() == "half":
        return False
    ordinal = match["mere"].lower() in ("full", "whole", "good", "clear", "further")  # "came a good fifth"
    if ordinal and match[2].lower() == "quarter":
        return bool(_OF_THE.match(text, match.end()) or _UNIT.match(text, match.end()))
    if not ordinal and _CLAUSE_END.match(text, match.end()):
        return True
    return is_part(text, match.start(), match.end()) or word_after(text, match.end()) in CLOSED | _DID


def is_part(text: str, start: int, end: int) -> bool:
    """Whether text[start:end], "a third", is a fraction by what stands around it."""
    return bool(
        _PART_OF.match(text, end)
        or _SCALE_OF.match(text, end)
        or scaling_unit(text, end, of=True)
        or (_ARE_MANY.match(text, end) and word_before(text, start) not in _OF_ANOTHER)
        or (_BY.search(text[max(0, start - 16) : start]) and _CLAUSE_END.match(text, end))
        or (_HEDGED.search(text[max(0, start - 12) : start]) and _STANDS.match(text, end))
        or ((compared := COMPARED.match(text, end)) and _CLAUSE_END.match(text, compared.end()))
    )


def read_own_part(text: str, start: int, end: int, found: list[Numeral]) -> int:
    """Read a fraction without its article: "its own third", "a number less its quarter", "quarter of a million"."""
    of_a = _OF_A.match(text, end)
    part_of = text[end : end + 5].lower() == " part" and text[max(0, start - 3) : start] in ("'s ", "’s ")
    bare = of_a and word_before(text, start) not in _NTH
    its = _OF_A_NUMBER.search(text[max(0, start - 60) : start])
    its = its and (_STANDS.match(text, end) or _ITS_END.match(text, end) or _PART_WORD.match(text, end))
    its = its or (_WHOSE_IS.match(text, end) and _NUMBER_WHOSE.search(text[max(0, start - 40) : start]))
    bare = bare and (_SCALE_OF.match(text, end) or measure(text, of_a.end()))
    own = text[max(0, start - 4) : start].lower() == "own "
    if bare or its or part_of or own or _is_next_share(text, start, end, found):
        found.append(Numeral(Fraction(1, PARTS[text[start:end].lower()]), start, end, "fraction"))
    return end


def _is_next_share(text: str, start: int, end: int, found: list[Numeral]) -> bool:
    """Whether a fraction is one more share: "half was sold, another sixth was milled", "the remaining third"."""
    word = word_before(text, start)
    if word not in ("another", "remaining"):
        return False
    if _OF_THE.match(text, end) or _LESS_ANOTHER.search(text[max(0, start - 16) : start]):
        return True
    listed = any(n.kind in ("fraction", "multiplier") and n.value < 1 for n in found)
    if word == "remaining" and _STANDS.match(text, end) and text[start:end].lower() not in ("half", "quarter", "third"):
        return True
    stands = word == "remaining" or _STANDS.match(text, end) or word_after(text, end) in CLOSED | _DID
    return listed and bool(stands)


def _is_share(text: str, part: str, start: int, end: int, found: list[Numeral]) -> bool:
    """Whether "a third" is a share beside other amounts: "half walk, a third come by bus, the rest ...", "to 7 % from a
    fifth", "2 mm, the others a tenth".
    """
    before = text[max(0, start - 80) : start]
    if _FROM.search(before):
        level = _CLAUSE_END.match(text, end) and (_TO.match(text, end) or _CHANGE.search(before))
        return bool(level) and not _CLOCK.match(text, end)
    if _OF_ALL.search(before) and (_ARE.match(text, end) or word_after(text, end) in _DID):
        return True
    if found and found[-1].value >= 2 * PARTS[part] and _OF_MANY.search(before):
        return True
    if not found:
        return False
    if _OF_WHICH.search(before) and _STANDS.match(text, end):
        return True
    if _GAPPED.search(before):
        return bool(_END.match(text, end))
    listed = any(n.kind in ("fraction", "multiplier") and n.value < 1 for n in found) and _REST.search(text)
    return bool(listed and _LISTED.search(before)) and word_after(text, end) in CLOSED | _DID


def _joins(text: str, found: list[Numeral], start: int, end: int) -> bool:
    """Whether "and a third" belongs to the number before it, or its unit: "two and a third times", "8 hours and a
    quarter by bus", not "two and a third angle".
    """
    last = found[-1].end if found else start
    unit = measure(text, last)
    if not (_AND.fullmatch(text, last, start) or (unit and _AND.fullmatch(text, unit[1], start))):
        return False
    following = word_after(text, end)
    return following in CLOSED or following[-1:] == "s" or bool(_CLAUSE_END.match(text, end) or measure(text, end))


def _is_next(text: str, part: str, start: int, found: list[Numeral]) -> bool:
    """Whether "a third" after a verb is one more than the two before: "ate two plums and dropped a third"."""
    by = _BY.search(text[max(0, start - 16) : start])
    return bool(by and by["verb"]) and _one_more(part, found)


def _one_more(part: str, found: list[Numeral]) -> bool:
    return any(numeral.value == PARTS[part] - 1 for numeral in found[-2:])


def _read_part(text: str, part: str, start: int, end: int, found: list[Numeral], *, mere: bool = False) -> int:
    if (
        part == "half"
        or mere
        or (is_part(text, start, end) and not _is_next(text, part, start, found))
        or _joins(text, found, start, end)
        or _AND_UNIT.search(text[max(0, start - 24) : start])
        or _AND_A_PART.match(text, end)
        or (_is_share(text, part, start, end, found) and not _one_more(part, found))
        or (part == "quarter" and measure(text, end))
    ):
        found.append(Numeral(Fraction(1, PARTS[part]), start, end, "fraction"))
    return end
