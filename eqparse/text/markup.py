"""Step 0, text with markup -> the plain sentence, which is what the parser was trained on.

Removes Markdown, HTML, tags of message boards, numbers that are struck through, wiki links, footnote marks, notes in
brackets, unmatched brackets, quotation marks, ellipses, bullets and emoji. A mark stays where it may belong to the
sentence: the star of "3 * 4", an identifier's underscore, "a < b", a "[2]" in a number's place, the inch mark of 30".
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable

from eqparse.text.apart import MAY_BE_STUCK, set_apart
from eqparse.text.edited import Edited
from eqparse.text.links import LINKS, OPENING
from eqparse.text.numbers.labels import label_end
from eqparse.text.numbers.tables import compiled as _rule
from eqparse.text.quantities import find_quantities

_SIGNS = re.compile(
    "[*_`~|<>&\\[\\](){}\"“”„«»‹›‘…†‡§¶¹²³⁰-⁹•‣◦▪●○►▶#="
    "\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\u20e3\u2190-\u2bff\U0001f000-\U0001faff]"
    "|\\\\|https?:|www\\.|^\\s*(?:RT )?@|\\$[A-Za-z]\\$|(?<!\\w)['’]|\\.\\s?\\.|[:;]-?[)DP(]|^\\s*[-–—]|[:;,–—-]\\s*$"
)
"""Anything that a rule might match; a text without any of it is left as it is."""


# --- HTML -----------------------------------------------------------------------------------------------------------

_TAGS = """a|abbr|b|big|blockquote|br|center|cite|code|del|div|em|font|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|pre|q|s
    |small|span|strike|strong|sub|table|tbody|td|th|tr|tt|u|ul|var"""
_ATTRIBUTES = r"""(?:\s+[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>=]+))*"""  # none in "a <b and c> d"
_REFERENCE = _rule(r"""<!--[^<>]*-->|<ref\b[^<>]*/>|<ref\b[^<>]*>[^<>]*</ref>
    |[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]""")
_RAISED_MARK = _rule(r"(?<=[^\W\d_]|[.,;])<sup>\s*\[?[\w*†‡]{1,2}\]?\s*</sup>")
_RAISED_LETTERS = _rule(r"(?<=\d)<sup>(?P<keep>st|nd|rd|th)</sup>")
_RAISED = _rule(r"<sup>(?P<keep>[^<>]*)</sup>")
_POWER = _rule(r"(?:(?<=\d)|(?<=\))|(?<=(?<!\w)[a-ln-z]))<sup>(?=\s*[+\u2212-]?\w{1,3}\s*</sup>)")
_UPPER = _rule(r"(?<=\d)<sup>(?=\d{1,2}</sup>\s?[/⁄∕]\s?<sub>\d)")  # of 1 1/2
_BASE = _rule(r"(?<=\d)<sub>(?=\d+</sub>)")
_TAG = _rule(rf"</?(?:{_TAGS}){_ATTRIBUTES}\s*/?>")
_BLOCKS = "br|blockquote|center|div|h[1-6]|hr|li|ol|p|table|tbody|td|th|tr|ul"
_BREAK = _rule(rf"(?<=\S)\s*(?:</?(?:{_BLOCKS}){_ATTRIBUTES}\s*/?>\s*)+(?=\S)")
_HIDDEN = _rule(r"<(?P<t>script|style)\b[^<>]*>.*?</(?P=t)\s*>")
_STRUCK = _rule(r"~~[^~\n]+~~|<(?P<t>s|strike|del)>[^<>]*</(?P=t)\s*>|\[s\][^\[\]]*\[/s\]")
_UNKNOWN_TAG = _rule(rf"</[a-z][\w:-]*\s*>|<[a-z][\w:-]+{_ATTRIBUTES}\s*/?>")
_BOARD = "b|i|u|s|center|code|color|font|img|quote|size|spoiler|url"
_BOARD_TAG = _rule(rf"""\[(?:/(?:{_BOARD})|(?:{_BOARD})=[^\[\]]{{1,80}}|[bius]
    |(?:{_BOARD})(?=\][^\[\]]*\[/?(?:{_BOARD})[=\]]))\](?!\()""")
_MATHS = (
    _rule(r"\$(?P<keep>[a-z])\$"),
    _rule(r"\\(?:text(?:bf|it|tt|rm)?|emph|underline|mathrm)\{(?P<keep>[^{}]*)\}"),
    _rule(r"\\\(\s?(?P<keep>[^()\\]*[^()\\\s])\s?\\\)"),
    _rule(r"\\\[\s?(?P<keep>[^\[\]\\]*[^\[\]\\\s])\s?\\\]"),
)
_ESCAPE = _rule(r"\\(?=[*_`~\#!+.>$%&])")
_ENTITY = _rule(r"&(?:[a-z]{2,8}\d{0,2}|\#\d{2,6}|\#x[\da-f]{2,5});")

# --- footnotes and notes ---------------------------------------------------------------------------------------------

_FIGURES = r"\^?\d{1,3}(?:\s?[,–-]\s?\d{1,3})*"
_FOOTNOTE = _rule(
    rf"""(?:(?<=[^\W\d_][^\W\d_])|(?<=[\d.,;:!?"”’)\]*]))\[(?:{_FIGURES}|[a-z]|\^\w+)\]
    |(?:(?<=[^\W\d_][^\W\d_])|(?<=[.,;:!?"”’)\]*]))\^\[\d{{1,3}}\]|(?<=\])\[[^\[\]]*\]|\[\^\w+\]"""
)
_SPACED_FIGURE = _rule(rf"(?:\s|^)\[{_FIGURES}\](?!\w)")
_NUMBER_NEXT = frozenset(
    "a about an and are at be by divided equal equals exactly exceeds for from had has have is least minus most nearly "
    "of only or over plus than the times to under was were with + - − * × / ÷ =".split()
)
"""Words that may precede a number; after any other word "[2]" is a footnote, provided the text has another number."""
_NOTE = _rule(
    r"""\s?[(\[]\s*(?:
        (?:see|cf\.?|compare|sources?:|via|photo:|image:|note:)\s[^()\[\]]*
      | (?:foot)?notes?(?:\s+\w{1,3})? | (?:nb|fn|ref|no|fig|figure|table|chart|page|pp?)s?\.?\s*\w{0,3}\d+\w{0,2}
      | pictured(?:\s\w+)? | (?:photo\s|see\s)?(?:above|below) | sic!? | edit | (?:my|his|her|our)\semphasis
      | emphasis\s\w+ | (?:citation|clarification|source)\sneeded | when\? | who\? | which\? | by\swhom\? | ref
      | … | \.\s?\.\s?\.
    )\s*[)\]]"""
)
_DAGGER = _rule(r"(?<=[^\W\d_])[†‡§¶]+")
_RAISED_DIGITS = _rule(r"""(?:(?<=[^\W\d_][^\W\d_][^\W\d_])|(?<=[^\W\d_][^\W\d_][*_`~"”’»\]])
    |(?<=[^\W\d_][*_~]{2})|(?<=[.,;]))[¹²³⁰⁴-⁹]+""")
_UNIT = re.compile(r"[cdkm]?m|ft|in|yd|mi|[a-z]*met(?:re|er)s?|feet|foot|inch(?:es)?|yards?|miles?")

# --- emphasis --------------------------------------------------------------------------------------------------------

_EMPHASIS = (
    _rule(r"(?<![\w*])(?P<d>\*{1,3})(?=[^\s*])(?P<keep>[^*\n]*[^\s*])(?P=d)(?![\w*])"),
    _rule(r"(?<!\w)(?P<d>_{1,3})(?=[^\s_])(?P<keep>[^\n]*?[^\s_])(?P=d)(?!\w|\.\w)"),
    _rule(r"(?P<d>~~|==|\|\|)(?=\S)(?P<keep>[^~=|\n]*[^\s~=|])(?P=d)"),
    _rule(r"(?<![\w~])~(?=[^\W\d_])(?P<keep>[^~\n]*[^\s~])~(?![\w~])"),
    _rule(r"(?<![\w`])``(?=\S)(?P<keep>[^`'\n]*[^\s`'])''(?!\w)"),
    _rule(r"(?<![\w'])(?P<d>'{2,5})(?=[^\s'])(?P<keep>(?:[^'\n]|(?<=\w)'(?=\w))*[^\s'])(?P=d)(?![\w'])"),
    # a star without a partner that is not a multiplication sign
    _rule(r"(?:(?<=[^\W\d_][^\W\d_])|(?<=[^\W\d_][.,;!?]))\*{1,3}(?![\w*]|\s*\d)"),
    _rule(r"(?:^|(?<=[^\W\d_]\s)|(?<=[.,;:!?]\s))\*{1,3}(?=[^\W\d_]{2})"),
    _rule(r"`+"),
)

# --- brackets and quotation marks ------------------------------------------------------------------------------------

_UNWRAP = (
    _rule(r"(?<!\w)\[(?P<keep>[^\[\]]*)\]"),
    _rule(r"(?<![\w\\$])\{(?P<keep>[^{}]*)\}"),
    _rule(r"^\s*\((?P<keep>[^()]*)\)\s*\Z"),
)
_BRACKET = _rule(r"[()\[\]{}]")
_NO_QUOTE = r"(?!\d|(?:tis|twas|em|til|cause|bout|round)\b)"
_QUOTES = (
    _rule(r"^\s*['‘]{1,3}(?=\S)(?P<keep>[^\n]*[.!?])['’]{1,3}\s*\Z"),
    _rule(r'(?<![\w"″])"(?=\S)(?P<keep>[^"]*[^\s"])"(?!\w)'),
    _rule(r"[“„«‹»]\s?(?P<keep>[^“”„«»‹›]*?)\s?[”“»›«](?!\w)"),
    _rule(rf"(?<![\w'])'{_NO_QUOTE}(?=\S)(?P<keep>(?:[^'\n]|(?<=\w)'(?=\w))*[^\s'])'(?![\w'])"),
    _rule(rf"(?<!\w)‘{_NO_QUOTE}(?=\S)(?P<keep>(?:[^‘’\n]|(?<=\w)’(?=\w))*[^\s‘’])’(?!\w)"),
    _rule(r"(?<![\w'‘])['‘](?P<keep>[$€£]?\d[\w.,%]*(?:\s\w+)?)['’](?![\w'])"),
    _rule(r"""(?<![\w"″])"(?=\w) | (?:(?<=[^\W\d_])|(?<=[.,!?]))"(?!\w) | [“„«‹] | (?<!\d)[”»›]"""),
)

# --- ellipses, bullets, pictures, ends -------------------------------------------------------------------------------

_ELLIPSIS = r"(?:…|\.{3,}|\.(?:\s\.){2,3})"
_LAST_ELLIPSIS = _rule(rf"(?<!\s)\s*{_ELLIPSIS}\s*\Z|(?<=\w)\.\.\s*\Z|(?<=\w){_ELLIPSIS}(?=\s+{OPENING})")
_FIRST_ELLIPSIS = _rule(rf"^\s*{_ELLIPSIS}\s*")
_ELLIPSIS_FOR_SPACE = _rule(rf"(?<=[^\W\d_]){_ELLIPSIS}(?=[^\W\d_])")
_OTHER_ELLIPSIS = _rule(rf"\s?{_ELLIPSIS}(?!\d)")
_BULLET = _rule(r"^\s*(?:[•‣◦▪●○►▶*>]|\#{1,6}|[-–—](?=\s+[^\W\d_]{2}))\s+")
_ROW = _rule(r"\s*\|\s.*\s\|\s*\Z")  # of a table; "|x|" has no space inside
_CELL = _rule(r"(?:^\s*|(?<=\s))\|(?:\s+|\Z)")
_KEY = _rule(r"(?<=[\d*])\ufe0f?\u20e3")
_SMILEY = _rule(r"(?:(?<=\s)|^)[:;=]['’]?-?[)(DP](?=\s|\Z|[.!?])")
_PICTURES = _rule(
    "\\s?(?:[\U0001f000-\U0001faff\u231a-\u23ff\u2600-\u2714\u2717-\u2767\u2798-\u27af\u27b1-\u27be\u2b00-\u2bff]"
    "[\ufe0f\u200d]*)+"  # the dingbats without the arithmetic signs
)
_NOUN_NEXT = frozenset("a an the than of and plus minus times is equals my her his our their each every".split())
_BEHIND_NOUN = frozenset(
    "and are as at by can costs did do does for from had has have in is less fewer longer more of on or taller than "
    "that to was were weighs which who will".split()
)
_LAST_DASH = _rule(r"(?<=[^\s:;,–—-])\s*[:;,–—-][\s:;,–—-]*\Z")
_BLANK = _rule(r"\s(?=\s)|\s(?=[.,:;!?](?:\s|\Z))|^\s+|\s+\Z")


def strip_markup(text: str) -> Edited:
    """The text without its markup, or the text unchanged if nothing else is left."""
    edited = Edited(text)
    for _ in range(3):  # marks within marks
        before = edited.text
        if not _SIGNS.search(before):
            break
        _strip(edited)
        if edited.text == before:
            break
    if edited.text != text:
        edited.take_out(_BLANK, lambda match: "" if edited.cut(*match.span()) else None)
    if MAY_BE_STUCK.search(edited.text):
        set_apart(edited)
    return edited if edited.text else Edited(text)


def _strip(edited: Edited) -> None:
    out = edited.take_out
    out(_REFERENCE)
    out(_HIDDEN)
    out(_STRUCK, lambda match: "" if find_quantities(match[0]) else None)
    out(_RAISED_LETTERS)
    out(_UPPER, " ")
    out(_POWER, "^")
    out(_BASE, "_")
    out(_RAISED_MARK, lambda match: None if _UNIT.fullmatch(_word_before(match)) else "")
    out(_RAISED)
    out(_BREAK, _break)
    out(_TAG)
    out(_UNKNOWN_TAG)
    for mark in (*_MATHS, _ESCAPE):
        out(mark)
    out(_ENTITY, _character)
    for pattern in (_KEY, _SMILEY, *LINKS, _BOARD_TAG, _FOOTNOTE, _NOTE, _DAGGER):
        out(pattern)
    out(_SPACED_FIGURE, _footnotes(edited.text))
    out(_RAISED_DIGITS, lambda match: None if _UNIT.fullmatch(_word_before(match)) else "")
    for pattern in (*_EMPHASIS, *_UNWRAP):
        out(pattern)
    out(_BRACKET, _without_partner(edited.text))
    for pattern in _QUOTES:
        out(pattern)
    out(_LAST_ELLIPSIS, ".")
    out(_FIRST_ELLIPSIS)
    out(_ELLIPSIS_FOR_SPACE, " ")
    out(_OTHER_ELLIPSIS)
    out(_BULLET)
    if _ROW.match(edited.text):
        out(_CELL)
    out(_PICTURES, lambda match: None if _is_noun(match) else "")
    out(_LAST_DASH, lambda match: "" if match.string[match.start() - 1] in ".!?" else ".")


def _break(tags: re.Match[str]) -> str:
    """A space, or between two numbers a line break: "3<br>500" is not 3 500."""
    text, start, end = tags.string, *tags.span()
    return "\n" if text[start - 1].isdigit() and text[end].isdigit() else " "


def _word_before(match: re.Match[str]) -> str:
    words = match.string[max(0, match.start() - 30) : match.start()].split()
    return words[-1].lower().strip("*_`~\"”’»]") if words else ""


def _character(entity: re.Match[str]) -> str | None:
    """"&amp;" -> "&"; None for anything that is not an entity."""
    character = html.unescape(entity[0]).replace("\u00a0", " ")
    return character if len(character) == 1 else None


def _footnotes(text: str) -> Callable[[re.Match[str]], str | None]:
    """A function that removes a number in square brackets if it is a footnote, and leaves it if it is a quantity."""
    found = [mark for mark in _SPACED_FIGURE.finditer(text) if _word_before(mark) not in _NUMBER_NEXT]
    # at the beginning of a text, what follows decides: "[1] The barn is ...", "[7] more than ..."
    found = [mark for mark in found if _word_before(mark) or text[mark.end() : mark.end() + 2].strip()[:1].isupper()]
    places = {mark.start() for mark in found}
    rest = _SPACED_FIGURE.sub(lambda mark: "" if mark.start() in places else mark[0], text)
    if not find_quantities(rest):
        places = set()
    return lambda mark: "" if mark.start() in places else None


def _without_partner(text: str) -> Callable[[re.Match[str]], str | None]:
    """A function that removes a bracket without its other half; "5)" and "a)" before a list item do not need one."""
    left: list[int] = []
    alone: set[int] = set()
    for match in _BRACKET.finditer(text):
        opening = "([{".find(match[0])
        if opening >= 0:
            left.append(match.start())
        elif left and "([{".index(text[left[-1]]) == ")]}".index(match[0]):
            left.pop()
        elif label_end(text, text.rfind(". ", 0, match.start()) + 1) <= match.start():
            alone.add(match.start())
    alone.update(left)
    return lambda match: "" if match.start() in alone else None


def _is_noun(pictures: re.Match[str]) -> bool:
    """Whether emoji stand for a noun in the sentence: "The 🌳 is", "3 🍎 more"."""
    before, after = _word_before(pictures), pictures.string[pictures.end() :][:20].split()
    named = before[-1:].isdigit() or (pictures[0][0].isspace() and before in _NOUN_NEXT)
    return named and (not after or not after[0][0].isalnum() or after[0].lower() in _BEHIND_NOUN)
