"""What the words around a number say about it."""

from __future__ import annotations

import re

from eqparse.text.numbers.tables import compiled
from eqparse.text.numbers.units import MEASURES

CLOSED = frozenset(
    """a about above across after ago all along already also altogether an and another apart are as at away because
    before behind below beneath beside between beyond but by can could cost costs deep did do does done down during each
    else equals even ever every extra fewer for from further gives good had has have he heavier her here high higher his
    however if in inside instead into is it its just larger last later left less long longer lower make makes may me
    minus more most much must my near next not now of off old on once only onto or our out outside over overall past per
    plus remain remained shall she short shorter should since smaller so still strong such taken tall taller than that
    the their them then there these they thick this those though through till times to today together tomorrow too
    toward towards under until up upon us was we weigh weighs were what when where whether which while who whose wide
    will with within without worth would yesterday yet you your""".split()
)
LABELS = frozenset(
    """act aisle article block box bus case chapter class column counter day desk door exercise exit figure flat flight
    floor gate grade group heat house issue item lane lap lesson level line locker lot model number page part
    pier platform problem question room round route row seat section series shelf stage stand step table team
    tram volume ward week year""".split()
)
COMPARED = compiled(r"""\s(?:more|less|fewer|longer|shorter|taller|higher|lower|heavier|lighter|older|younger|wider
    |deeper|faster|slower|quicker|bigger|larger|smaller|greater|cheaper|dearer|warmer|cooler|colder|hotter|stronger|weaker
    |thicker|thinner|narrower|broader|richer|poorer|steeper|further|farther|nearer|closer|brighter
    |darker|louder|quieter|harder|softer|busier|easier|pricier|costlier|wetter|drier|tougher|shallower|[a-z]+er\sthan|ahead|behind
    |above|below|short(?:\sof|(?=[.,;]))|shy\sof|(?:up|down)\son)\b""")
PRICE = compiled(r"""£|\b(?:cost|price|pay|paid|charg|fares?\b|fees?\b|cheap|dear|spen[dt]|pence|owe|bills?\b|tip
    |bought|buy|sold|sell|sav|earn|worth|ticket|rent|wage)""")
OF_SOME = compiled(r"\bof\s(?:the|these|those|them|my|our|your|his|her|its|their)\s\Z")
_NEXT_WORD = re.compile(r"[\s-]([^\W\d_]++)(?!\w)")
_ATTRIBUTE = re.compile(r"(-)?\s?([^\W\d_]++)(?:[\s-]([^\W\d_]++))?")
_SINGULAR = frozenset(
    "page seat watt volt word piece bed star litre liter man woman person day week hour minute second".split()
) | {unit.name for unit in MEASURES.values()} | frozenset("meter kilometer centimeter kilogram".split())  # fmt: skip


def word_before(text: str, at: int) -> str:
    """The word that ends right before the white space at `at`, in lower case; "" at the start or after punctuation."""
    words = text[max(0, at - 20) : at].split()
    return words[-1].lower() if words and text[at - 1].isspace() and words[-1].isalpha() else ""


def word_after(text: str, at: int) -> str:
    """The word after one space or hyphen at `at`, in lower case; "" if punctuation or a digit follows."""
    match = _NEXT_WORD.match(text, at)
    return match[1].lower() if match else ""


def compared_next(text: str, end: int) -> bool:
    """Whether a comparison follows at `end`, perhaps behind a plural noun: "more than", "eggs fewer"."""
    noun = word_after(text, end)
    return bool(COMPARED.match(text, end) or (noun.endswith("s") and COMPARED.match(text, end + 1 + len(noun))))


def is_attribute(text: str, end: int) -> bool:
    """Whether the number that ends at `end` is an attribute: "500-gram bags", "ten pound notes", "250 ml cups"."""
    match = _ATTRIBUTE.match(text, end)
    if match is None or match.end() == end:
        return False
    if match[1]:
        return True
    unit, noun = match[2], (match[3] or "").lower()
    if not noun or noun in CLOSED:
        return False
    abbreviated = unit in MEASURES and len(unit) <= 3
    return unit.lower() in _SINGULAR or (abbreviated and noun.endswith("s"))
