"""Rules about answers to texts whose numbers are related to nothing: "two coaches leave at 7", "she is 12, he is 9"."""

from __future__ import annotations

from eqparse.parser.rules.shape import Shape, needs
from eqparse.text.numbers.tables import CURRENCIES, PARTS, SMALL, compiled, one_of

# both are possessive, a value begins at its first digit: thousands of digits or letters would take minutes otherwise
_VALUE = rf"(?:[{CURRENCIES}]\s?)?(?:(?<!\d)(?<!\d[.,])\d(?:[.,]*+\d)*+|{one_of(SMALL)})"
_WORDS = r"(?:\s?[^\W\d_]++){0,4}?"
# not what makes up the difference: "has 12 thanks to the calves"
_UNIT = r"(?:\s?(?!(?:thanks|due|because|owing|with|without|from)\b)[^\W\d_]++){0,4}?"
_NAME = r"(?:[^\W\d_][\w'’-]*\s){1,5}?"
_AND = r"(?:,?\s(?:and|but|while|whereas)\s|,\s|;\s)"
_END = r"\s?[.!]?\s*\Z"
_BE = frozenset({"is", "are", "was", "were"})
_RELATED = compiled(rf"""[+×*/=?]|:(?!\d)
    |\b(?:than|as|twice|thrice|half|(?:doubl|tripl|equal|exceed|add|subtract|multipl|divid|remain|sav|differ)\w*|times|per
      |each|every|apiece|plus|minus|sum|total\w*|together|combined|altogether|between|product|average|mean|more|less|fewer
      |apart|same|rest|others?|another|left\sover|leaving|behind|short|ahead|by|too|over|under|above|below|off|up|down|both
      |against|part|whole|gap|margin|lead|change|discount|profit|loss|senior|junior|until|after|some|if|which|that|who
      |an?\s{one_of(PARTS)})\b
    |{_VALUE}(?:\s[^\W\d_]+)?\s[a-z]{{2,}}er\b""")
_MOVE = r"""(?:leav(?:e|ing)|left|depart(?:ed)?|set(?:ting)?\s(?:off|out|sail)|start(?:ed)?|arrived?|sail(?:ed)?|fly
    |flew|travel(?:led)?|drive|drove|walk(?:ed)?|run|ran|meet|met|go|went|come|came|board(?:ed)?|wait(?:ed)?|gather(?:ed)?
    |take\soff|took\soff|return(?:ed)?)\b"""
_MOVING = compiled(rf"""(?:(?:the|all|my|our|these|those)\s)?(?P<count>[2-9]|[1-9]\d+|{one_of(SMALL)})\s
    (?:(?!and\b|or\b|of\b|to\b)[a-z-]+\s){{0,2}}?(?:[a-z]+s|people|men|women|children|geese|sheep)\s{_MOVE}""")
_JOINED = compiled(rf"(?:\band\b|&|,)(?!\s(?:\d|noon\b|midnight\b|{_MOVE}))")
_LONG = rf"{_VALUE}\s[^\W\d_]+\s(?:long|wide|tall|high|deep|thick|broad|across)"
_MEASURES = compiled(rf"[^,;:.]*?\b(?:is|are|was|were)\s{_LONG}(?:{_AND}{_LONG})+{_END}")
_TWO_VALUES = compiled(rf"""(?!(?:while|when|if|for|as|though|although)\b)
    {_NAME}(?P<verb>{{verb}})\s{_VALUE}{_WORDS}{_AND}{_NAME}(?P<second>{{verb}})\s{_VALUE}{_UNIT}{_END}"""
    .replace("{verb}", r"is|are|was|were|costs?|weigh(?:s|ed)?|scored|earn(?:s|ed)?|ha(?:s|ve|d)|got"))
_NOW = r"(?:now|today|these\sdays|this\s(?:year|month|week|season|morning|time))"
_THEN = rf"{_NAME}(?:had|was|were|weighed|cost|held|measured)\s{_VALUE}{_WORDS}{_AND}"
_IS = r"(?:is|are|has|have|weighs?|costs?|holds?|measures?)"
_BEFORE_AND_AFTER = compiled(rf"""{_THEN}(?:
    (?:{_NAME})??{_NOW},?\s(?:{_NAME})??{_IS}\s{_VALUE}{_UNIT} | (?:{_NAME})??{_IS}\s(?:{_NOW}\s{_VALUE}{_UNIT}
    |{_VALUE}{_UNIT}\s{_NOW})){_END}""")
_PART = compiled(rf"""(?:there\s(?:are|were)|of(?:\sthe)?)\s{_VALUE}\s(?:[^,;:.\d]|(?<=\s)\d{{1,2}}(?=[a-z]\b))*?
    (?:{_AND}(?:of\s(?:which|whom)\s)?|\s(?=\d)){_VALUE}(?:\sof\s(?:them|these|those))?\s
    (?:is|are|was|were|have\sbeen|had\sbeen)\s[^,;:.\d]*{_END}""")

_TIME = r"""(?:second|minute|hour|day|night|morning|afternoon|evening|week|weekend|fortnight|month|quarter|season|term
    |year|(?:mon|tues|wednes|thurs|fri|satur|sun)day)"""
_A_TIME = compiled(rf"""(?:\s[^\W\d_]+){{0,4}}?\s(?P<each>every|each|per|an?)\s(?:single\s)?
    (?P<time>{_TIME}){_END}""")
_MORE_THAN_A_RATE = compiled(r"""\b(?:than|as|plus|minus|and|with|together|between|total\w*|up|down|by|more|less|fewer
    |[a-z]{2,}er\sby)\b""")
_EACH = compiled(r"(?:\s[^\W\d_]+)?\s(?:each|apiece)\b")


def gives_a_rate_alone(of: Shape) -> bool:
    """The answer is the one number of a text, times a unit of time: "earns 15 euros every hour"."""
    rate = _A_TIME.match(of.text, of.numbers[0][1]) if len(of.numbers) == 1 and len(of.ratio) == 3 else None
    unit = {rate.start("each"), rate.start("time")} if rate else set()
    return not unit.isdisjoint(of.phrases) and not _MORE_THAN_A_RATE.search(of.text)


def counts_who_moves(of: Shape) -> bool:
    """The answer has no number but a count of things that go somewhere: "two coaches leave the depot at 7 a.m."."""
    match = _MOVING.match(of.text)
    return bool(match and of.numbers == (match.span("count"),)) and not (
        _RELATED.search(of.text, match.end()) or _JOINED.search(of.text, match.end())
    )


def gives_values_alone(of: Shape) -> bool:
    """The text gives two amounts their values, and no more: "is 12 cm long and 7 cm wide", "she is 12 and he is 9"."""
    if _MEASURES.match(of.text):
        return True
    match = _TWO_VALUES.match(of.text)
    if match is None or _RELATED.search(of.text):
        return False
    verbs = {match["verb"].lower(), match["second"].lower()}
    return verbs <= _BE or len({verb[:2] for verb in verbs}) == 1


def tells_before_and_after(of: Shape) -> bool:
    """The text gives one amount two values, of then and of now: "had 30 euros and now has 18"."""
    return bool(_BEFORE_AND_AFTER.match(of.text)) and not _RELATED.search(of.text)


def tells_of_a_part(of: Shape) -> bool:
    """The text tells how many of a number are so, and nothing of the rest: "there are 28 pupils, and 16 are girls"."""
    return bool(_PART.match(of.text)) and not _RELATED.search(of.text)


@needs(_EACH.search)
def adds_what_each_has(of: Shape) -> bool:
    """The sum of two unknowns is what each of them has: "the jug and the bowl weigh 5 kilos each"."""
    return of.adds and any(sign == "+" and _EACH.match(of.text, end) for sign, _, end in of.wholes)


SIDE_BY_SIDE = {
    counts_who_moves: "a number that counts things, and nothing that it is related to",
    tells_before_and_after: "one amount before and after, and no name for what is between",
    gives_values_alone: "values side by side, and nothing that relates them",
    gives_a_rate_alone: "a rate by itself",
    tells_of_a_part: "a part of a whole, and nothing is said of the rest",
    adds_what_each_has: "a value that each of two amounts has",
}
"""Rule -> what is wrong with an answer that it finds; no other reading is right."""
