"""A sign apart from its number: "minus 8", "negative eight", "- 8"; not the subtraction in "a number minus 8"."""

from __future__ import annotations

from eqparse.text.numbers.context import CLOSED, COMPARED, word_after
from eqparse.text.numbers.tables import CLAUSE_ENDS, CURRENCIES, MINUS, SMALL, compiled, one_of
from eqparse.text.numbers.units import unit_end

_BEFORE = compiled(rf"""(?:\bnegative
    | (?:(?P<opening>\A(?:(?:so|then|thus|hence|therefore|now|next|also|finally|well),\s|(?:if|when|as|since)\s)?|,\s
        |(?:[(\[=*×·:<>]|(?<!\+)(?<!\bplus)/)\s?|(?P<possessive>(?:['’]s|s['’])\s)(?=minus))|\b(?P<word>[a-z]++)\s)(?:(?P<minus>minus)|[{MINUS}]))
    (?:\s[{CURRENCIES}]?(?:(?<=minus\s)\()?|(?:(?<=minus)|(?<=negative))-)\Z""")
# The words after which a sign begins a number; after any other word, "minus" and "-" subtract.
_OPENERS = frozenset(
    """is are was were be been being equal equals by of to from than at with as plus minus times over below above under
    give gives gave make makes made get gets got become becomes became yield yields read reads reach reaches reached hit
    hits add adds adding added subtract subtracting multiply multiplying divide dividing into between exceeds leaves
    exceeding against versus average averages averaged dipped sank plunged dropped slid touched recorded logged
    registered record chilly bitter frigid freezing icy frosty
    measured showed shows fell rose about around nearly almost roughly exactly just only""".split()
)
_OPERATION = compiled(r"""\b(?:sum|product|difference|quotient|total|ratio|average|mean|between|numbers|both)\b
    |\A(?:minus|negative)\s[^\W_]+\sand\s""")
# "minus" after these is a sign, but subtracts in "what he had minus 5 is 3"
_HOLDERS = frozenset("has have had held holds hold owes owed keeps kept".split())
# after these, only the word "minus" is one
_TAKEN = frozenset("on take takes taking took scored sits stood".split())
_IS = compiled(r"(?:\s[^\W\d_]++)?\s(?:is|was|are|were|equals?|makes?|leaves?|gives?)\b")
_WORKED = compiled(r"\s(?:added|multiplied|divided|subtracted|deducted|taken|raised|squared|doubled|tripled|halved)\b")

# "The temperature in Oslo, minus 3, equals that", not "The price, minus 3, is 8"
_HEAT = compiled(r"\b(?:temperatures?\s(?:in|at|on)\s[^,.;]{1,30}|(?:coldest|warmest|hottest)\s[^,.;]{1,50})\Z")
_HEAT_END = compiled(rf""",\s(?!(?:is|was|equals|makes|gives|leaves)\s(?:\d|{one_of(SMALL)}\b)
    (?!\S*\sdegrees\s(?:colder|warmer|cooler|hotter|lower|higher)))""")
# "warmer than Oslo's minus six", not "Tom's time is Ann's minus 5 seconds"
_DEGREES = compiled(r"°|\b(?:degrees?|temperatures?|warm\w*|cold\w*|cool\w*|hot\w*|fr[eio]+z\w*|fridge|mercury)\b")
_IT_IS = compiled(r"\b(?:it|that|now)['’]s\s\Z")


def _is_heat(text: str, at: int, end: int) -> bool:
    """Whether the aside text[at:end], which begins with a comma, tells a temperature."""
    return bool(_HEAT.search(text[max(0, at - 64) : at]) and _HEAT_END.match(text, end))


# "tall –6 cm taller": an aside, unlike the value of "is –6 cm"
_ASIDE = compiled(r"\b([a-z]++)\s–\Z")


def is_dash(text: str, at: int, end: int) -> bool:
    """Whether the "–" right before the number at `at` opens an aside: "tall –6 cm taller than the rest"."""
    word = _ASIDE.search(text[max(0, at - 24) : at])
    compared = COMPARED.match(text, unit_end(text, end))
    return bool(word and compared) and word[1].lower() not in _OPENERS


def sign_before(text: str, start: int, end: int, *, below: bool = False) -> int | None:
    """The start of the minus sign, or the word for it, before the number text[start:end]; None if it has none.

    below: whether the number before it is negative, as in "minus 8 and minus 5".
    """
    if start < 2 or text[start - 1] not in f" \u00a0-({CURRENCIES}":
        return None
    at = max(0, start - 26)
    match = _BEFORE.search(text[at:start])
    if match is None:
        return None
    if match[0].lower().startswith("negative"):
        return at + match.start()
    if match["minus"] and match[0].endswith("-"):  # "minus-eight degrees"
        return at + match.start("minus")
    if match["possessive"]:
        opens = _IT_IS.search(text[: at + match.start("minus")][-8:]) or _DEGREES.search(text)
    elif match["word"] is None:
        opens = True
        if match["opening"][:1] == ",":
            opens = match["minus"] and _is_heat(text, at + match.start(), unit_end(text, end))
        elif not match["opening"] or match["opening"][0].isalpha():
            # at the start, "-" is a bullet and "Minus 14 eggs, ..." subtracts
            stands = word_after(text, end) in CLOSED or CLAUSE_ENDS.match(text, end)
            past = unit_end(text, end)
            stands = stands or _WORKED.match(text, past)
            opens = at == 0 and match["minus"] and (stands or (past > end and _IS.match(text, past)))
    else:
        word = match["word"].lower()
        opens = word in _OPENERS or (below and word in ("and", "or"))
        opens = opens or (match["minus"] and word in _TAKEN and not _IS.match(text, end))
        opens = opens or (word == "and" and _OPERATION.search(text[max(0, start - 100) : start]))
        opens = opens or _IT_IS.search(text[: at + match.start("minus")][-8:]) if match["minus"] else opens
        opens = opens or (word in _HOLDERS and not _IS.match(text, end))
    if not opens:
        return None
    return at + match.end("word") + 1 if match["word"] else at + match.end("opening")
