"""What multiplies the number before it: "million", "k", "dozen", "grand"."""

from __future__ import annotations

import re

from eqparse.text.numbers.context import CLOSED, COMPARED, LABELS, word_after, word_before
from eqparse.text.numbers.millions import METRES, is_million
from eqparse.text.numbers.tables import (
    ANY_SCALE,
    CLAUSE_ENDS,
    COUNTED_SCALE,
    GAP,
    LETTER_SCALE,
    MINUS,
    NOTES,
    SCALES,
    SHORT_SCALE,
    SMALL,
    compiled,
    one_of,
)
from eqparse.text.numbers.units import CURRENCY_NEXT

_ASKED = r"\s(?:[a-z]+\s)?(?:asking|budget|price|guide|list|valuation)"  # "30 thou under the asking price"
_SCALE = compiled(rf"""(?:{GAP}?(?:({SCALES})s?{GAP})?({SCALES})s?|\s?({one_of(SHORT_SCALE)}))(?!\w)
    (?!(?<=thou)\s(?:(?:over|under)(?!{_ASKED})|thick|out|of\san\sinch)\b)  # "four thou over", of an inch""")
_LETTER = compiled(rf"\s?({one_of(LETTER_SCALE)})(?!\w)")
_RUN = compiled(r"""\b(?:ran|runs?|running|rac(?:ed?|ing)|jog\w*|walk(?:ed|s|ing)?|swam|(?:train\w*|enter\w*)\sfor)\s
    (?:(?:the|an?|his|her|my|our|their|your|its|this|that|last|first|another|charity|annual)\s){0,2}\Z""")
_IN_TIME = compiled(r"""\s(?:in|is|was|took|takes)\s(?:[a-z]+\s)?[\w.:]+
    \s(?:minutes?|mins?|seconds?|secs?|hours?|hrs?)(?!\w)""")
_THE = compiled(r"\b(?:the|his|her|my|our|their|your)\s(?:(?:first|second|last|next|best|fastest)\s)?\Z")
_SHOT_IN = compiled(r"\bin\s\Z")
_RUPEES = frozenset("₹ Rs INR PKR".split())
_RUPEES_NEAR = compiled(r"""\b(?:rupees?|Rs|INR)\b|₹
    |(?P<large>(?:\b(?:crores?|lakhs?|lacs?)|(?<=\d)\s?cr|(?:₹|\bRs\.?\s?)[\d.,]+\s?L)(?!\w))""")
_LIQUID = compiled(r"""\b(?:lit(?:re|er)s?|water\w*|milk|oil|petrol|diesel|fuel|juice|paint|tanks?|buckets?|cans
    |(?:an?|the|each|per|every)\scan|bottles?|drums?|jars?|drinks?|pours?|pumps?|boilers?|fridges?|rucksacks?|backpacks?
    |engines?|boot|capacity|volume|freezers?|coolers?|cookers?|ovens?|heaters?|geysers?|holds)\b""")
_ENGINE = compiled(r"(?:an?\s\d+(?:\.\d)?|the\s\d\.\d)\s?L\Z")  # "the 1.2L is 2 lakh cheaper"
_TENS = compiled(rf"(?:hundred|{one_of(word for word, value in SMALL.items() if value >= 10)})\Z")
# "ten k is 4 more than m"
_UNKNOWN = compiled(r"""(?<![\w'’])(?:(?-i:[b-jl-z])(?![\w'’]|\.\s?\w)|(?:an?|the)\s(?:number|integer)\b)""")
_IS_NEXT = compiled(r"\s(?:is|was|are|were|equals|plus|minus)\b")
# a word that names something, which "ten k is 35" has not
_NAMED = compiled(rf"""\b(?!(?:hundred|thousand|k|and|twice|half|times|is|was|are|were|equals|plus|minus|more|less|than
    |{one_of(SMALL)})\b)[^\W\d_]""")
_COUNTED = compiled(rf"[\s-]({one_of(COUNTED_SCALE)})(?!\w)(?:(?:\syears)?\sand\s({one_of(SMALL)})(?!\w))?")
_BONUS = compiled(r"\s(?:bonus|pay|deposit|loan|fine|prize|debt|discount|cheque|profit|overdraft|rise|reward|fee)\b")
_SCREEN = compiled(r"\s(?:ones?\b|tvs?|television|resolution|video|screen|display|camera|monitor)")
_RACE = compiled(r"\s(?:races?|runs?|walks?|swims?|tvs?|thick\w*)\b")
_KELVIN = compiled(r"""\b(?:kelvins?|temperatures?|(?<!\ba\s)cool\w*|heat\w*|warm\w*|superconduct\w*|cryo\w*|helium
    |nitrogen|ran|jog\w*|rac\w+)\b""")
# "the 10k race", "the 10k runners"
OVER_KILOMETRES = compiled(r"""\s(?:races?|run|walk|swim|jog|loop|course|times?|record|field|start|finish|event|pace
    |best|title|champion|route|distance|(?:(?<=[Tt]he\s\dk\s)|(?<=[Tt]he\s\d\dk\s))(?:runn|finish|walk|swimm)ers)(?!\w)""")
_RACES = compiled(rf"\d[kK]{OVER_KILOMETRES.pattern}|\b(?:half-?\s?)?marathons?\b")
_DEARER = compiled(r"\s(?:dearer|cheaper|pricier|costlier)\b")
_HOTTER = compiled(r"\s(?:colder|hotter|warmer|cooler)\b")
_BUSINESS = compiled(r"""[$€£]|\b(?:(?:mil|bil|tril)lions?|thousands?|dollars?|euros?|pay|paid|price|cost\w*|s[oe]ld
    |sell\w*|sales|salary|wages?|bonus|budget|forecasts?|revenues?|profits?|deals?|worth|invest\w*|rais\w+|earn\w*|mak(?:es?|ing)|made
    |won|wins?|winnings|prizes?|jackpots?|lottery|casino|fund\w*|bids?|offer(?:s|ed)?|auction\w*|banks?|savings|rent|loans?|mortgages?|debts?|owe\w*|spen\w+|views|visits|visitors|readers|followers|subscribers|subs
    |users)\b""")
# "2m 300k", "$4bn 200m"
_SMALLER = compiled(r"\s\d{1,3}k(?!\w)")
_LARGER = compiled(r"[$€£]\d++(?:bn|b|m)\s\Z")
# "of" before a number distinguishes a result from a count: "a score of 12", "a gross of 300 dollars"
_OF_NUMBER = compiled(rf"""\sof\s(?:(?:minus|negative)\s|[{MINUS}+]?[\d$€£¥₹]|{one_of(SMALL)}\b
    |about|around|at|over|under|nearly|just)""")


def scale_after(text: str, start: int, end: int, currency: str) -> tuple[int, int] | None:
    """The factor of the scale after the number text[start:end], and where it ends."""
    if match := _SCALE.match(text, end):
        factor = 1
        for word in filter(None, match.groups()):
            factor *= ANY_SCALE[word.lower()]
        return factor, match.end()
    if (match := _LETTER.match(text, end)) and _is_scale(text, start, end, match, currency):
        return LETTER_SCALE[match[1].lower()], match.end()
    return None


def _is_scale(text: str, start: int, end: int, letter: re.Match[str], currency: str) -> bool:
    """Whether k, m, b or t after a number scales it. "3 m" and "5 t" are metres and tonnes, but for money and "3m more
    people"."""
    sign, glued = letter[1], letter.start(1) == end
    if sign.lower() in ("cr", "l"):
        return sign != "l" and (currency.rstrip(".") in _RUPEES or _counts_rupees(text, sign, start, letter.end()))
    if currency or CURRENCY_NEXT.match(text, letter.end()):
        return True
    if text[letter.end() : letter.end() + 1] == "+" and glued and sign in "kKMB":  # "10M+ downloads"
        return word_before(text, start) not in LABELS
    if sign in ("k", "K"):
        if word_before(text, start) in LABELS or _SCREEN.match(text, letter.end()):
            return False
        if sign == "K" and _HOTTER.match(text, letter.end()):
            return False
        if glued and (OVER_KILOMETRES.match(text, letter.end()) or is_distance(text, start, letter.end())):
            return False
        if glued and text[start:end] in ("4", "8") and _SHOT_IN.search(text[max(0, start - 4) : start]):  # a film
            return False
        if sign == "k" and _IS_NEXT.match(text, letter.end()) and _TENS.search(text, start, end):  # "one hundred k is"
            around = text[max(0, start - 99) : end + 99]
            named = bool(_NAMED.search(around))
            return named and not (_UNKNOWN.search(around) or _KELVIN.search(around) or METRES.search(around))
        return glued or _counted(text, letter.end()) or _is_business(text, start, letter.end())
    if sign in ("mil", "mill", "bil"):
        stands = word_after(text, letter.end()) in CLOSED or CLAUSE_ENDS.match(text, letter.end())
        return (bool(stands) or _counted(text, letter.end())) and _is_business(text, start, letter.end())
    if glued and sign in ("M", "B") and CLAUSE_ENDS.match(text, letter.end()):
        large = "." in text[start:end] or (sign == "M" and _is_business(text, start, letter.end()))  # not "he, 37M,"
        return large and word_before(text, start) not in LABELS and not METRES.search(text)
    if glued and (_SMALLER.match(text, letter.end()) or _LARGER.search(text[max(0, start - 12) : start])):
        return True
    if sign in "mM" and glued and is_million(text, start, end):
        return True
    counts = sign in ("M", "B") and ("." in text[start:end] or sign == "M")
    return counts and _counted(text, letter.end()) and word_before(text, start) not in LABELS


def _counts_rupees(text: str, sign: str, start: int, end: int) -> bool:
    """Whether "20L" or "2 Cr" counts rupees, as another of the sentence does: "3 crore, 20L more", no litres."""
    if not (word_after(text, end) in CLOSED or CLAUSE_ENDS.match(text, end) or COMPARED.match(text, end)):
        return False
    around = text[max(0, end - 160) : end + 160]
    if sign != "L":
        return bool(_RUPEES_NEAR.search(around))
    if _LIQUID.search(around) or _ENGINE.search(text[max(0, start - 4) : end]):
        return False
    return any(match["large"] for match in _RUPEES_NEAR.finditer(around))


def is_distance(text: str, start: int, end: int) -> bool:
    """Whether "10k" is a race over kilometres: "ran the 10k", "the 10k in 50 minutes", not "ran 10k adverts"."""
    if _counted(text, end):
        return False
    before = word_before(text, start)
    the = _THE.search(text, max(0, start - 16), start)
    stands = CLAUSE_ENDS.match(text, end) or word_after(text, end) in CLOSED - {"to", "per", "less"}
    near = max(0, start - 200), end + 200  # "the 5k race drew more than the 10k"
    if (the or before == "a") and stands and _RACES.search(text, *near):
        return True
    return bool(_RUN.search(text[max(0, start - 32) : start]) or (the and _IN_TIME.match(text, end)))


def _is_business(text: str, start: int, end: int) -> bool:
    """Whether the text speaks of money, results or readers, and not of kelvins or a race over kilometres."""
    around = text[max(0, start - 99) : end + 99]
    if _DEARER.match(text, end):
        return True
    return bool(_BUSINESS.search(around)) and not _KELVIN.search(around) and not _RACE.match(text, end)


def _counted(text: str, at: int) -> bool:
    word = word_after(text, at)
    return word in ("people", "more", "fewer", "less") or (word[-1:] == "s" and word not in CLOSED)


def counted_scale(text: str, end: int) -> tuple[int, int, int] | None:
    """Factor, addend and end of a "score", "gross" or "grand" that multiplies the number before it."""
    match = _COUNTED.match(text, end)
    if match is None:
        return None
    bonus = match[1].lower() == "grand" and (match[0][0] == "-" or _BONUS.match(text, match.end(1)))
    if not (bonus or counts(text, match[1], match.end(1))):
        return None
    if match[1].lower() == "score" and match[2]:
        return 20, SMALL[match[2].lower()], match.end()
    return COUNTED_SCALE[match[1].lower()], 0, match.end(1)


def counts(text: str, word: str, end: int) -> bool:
    """Whether the word that ends at `end` counts things: "two gross of nails", not "two gross errors"."""
    if _OF_NUMBER.match(text, end):
        return False
    word, following = word.lower(), word_after(text, end)
    if word in NOTES:
        return True
    if word == "score":
        return following not in ("higher", "lower", "better", "worse", "draw", "draws", "sheet", "sheets")
    stands = following in CLOSED and following != "old"  # "three grand old men"
    return stands or bool(CLAUSE_ENDS.match(text, end) or COMPARED.match(text, end))
