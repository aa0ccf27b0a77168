"""Numbers that are read, or read in part, although nobody can be sure of them: "two and a bit", "a hundred and a half",
"oh five metres", "1 0 0 0 metres", which a space has torn.
"""

from __future__ import annotations

from collections.abc import Iterator

from eqparse.text.numbers.context import COMPARED, LABELS, compared_next, word_before
from eqparse.text.numbers.tables import DIGIT_WORDS, SCALE, SMALL, TENS, compiled, one_of
from eqparse.text.numbers.units import unit_end

_WORD = rf"{one_of([*SMALL, *SCALE])}(?!\w)"
_NUMBER = rf"(?:\d++(?:[.,]\d++)*+|{_WORD}(?:[\s-]{_WORD}){{0,5}}+)"
_OF_THINGS = r"(?:\sof\s(?!the\b)[^\W\d_]++)?"
# what is always in doubt: 2.1 or 2.3, 100.5 or 150, a thousand times five or what else
_ALWAYS = compiled(rf"""(?<![\w.,])(?:
    {_NUMBER}[\s-](?:(?!and\b)[^\W\d_]++[\s-])?(?:and|plus|&)[\s-](?:a|one)[\s-](?:bit|fraction|smidgen|smidge)(?!\w)
        (?!\sof\b)
  | (?:an?|\d|{one_of(SMALL)})\shundred\sand\s(?:a|one)[\s-](?:half|quarter|third)(?!\w|\s(?:of|times)\b)
  | \d{{1,3}}\s,\d{{3}}(?![\w,.]*\d)(?!\w) | \d++\s\.\d++(?![\w.])  # torn by a space
  | \d++(?:\.\d++)?\smille(?!\w)  # thousands, or miles
  | \d++(?:\.\d++)?\s?mils(?=\s(?:more|less|fewer|higher|lower|cheaper|dearer)\b))""")  # millions, or thousandths
# what is in doubt where an amount stands: before a unit or a comparison
_COMPARED = compiled(rf"""(?<![\w.,'’/-])(?:
    (?:{_NUMBER}[\s-](?:and|plus)[\s-](?:change|some|something)|{one_of(TENS)}[\s-]?(?:something|some))
  | (?P<torn>\d(?:\s\d){{1,9}}+(?![.,]?\d) | \d{{1,3}}\s0{{1,2}}(?!\w)) | (?P<measured>\d++\.\s\d++)
  | \d++['’](?:1[2-9]|[2-9]\d)(?![\w"”″'’′.])  # no feet and inches
  | (?P<figures>1(?:0{{1,6}}|(?:,000){{1,2}})s{_OF_THINGS})
  | (?:tens|dozens|scores|hundreds|thousands|millions)\sof\s(?!the\b)[^\W\d_]++
  | (?:ten|hundred)\s(?:thousand|million|billion)s
  | (?:(?<=[a-z]\s)oh?|zero|nought|naught)\s{one_of(DIGIT_WORDS[1:])}(?![\w-]))""")
# "is 2 days, 12 hours longer": by both, or two days, which is by twelve hours longer
_ASIDE = compiled(rf"""\b(?:is|was|are|were|be)\s(?:(?:about|nearly|almost|just|exactly|only)\s)?
    (?P<amount>(?:\d++|{_WORD})\s(?:(?:years?|weeks?|days?|hours?|minutes?),\s(?:\d++|{_WORD})\s
        (?:months?|days?|hours?|minutes?|seconds?)(?=\s(?:longer|shorter|slower|faster|quicker)\b)
      |(?:pounds?|stones?),\s(?:\d++|{_WORD})\s(?:ounces?|pounds?)(?=\s(?:heavier|lighter)\b)))""")
# "10s faster", "took 10s more"
_SECONDS = compiled(r"""\ds\s(?:faster|slower|quicker|longer|shorter|ahead|behind|sooner|later|above|below|clear)\b
    |\b(?:t[ao]kes?|took|taken|lasts|lasted|laps?|races?|times?|seconds?|minutes?|runs?|ran|waits?|waited|pauses?)\b""")
_NO_DIGIT_BEFORE = compiled(rf"(?:{one_of([*SMALL, 'oh', 'point', 'double', 'triple'])})[\s-]\Z")


def doubtful_amounts(text: str) -> Iterator[tuple[int, int]]:
    """The spans of the amounts that may be more than one number, whether or not a number is found in them."""
    for match in _ALWAYS.finditer(text):
        yield match.span()
    for match in _ASIDE.finditer(text):
        yield match.span("amount")
    for match in _COMPARED.finditer(text):
        start, end = match.span()
        measured = unit_end(text, end)
        if match["figures"] and _SECONDS.search(text, max(0, start - 80), end + 80):
            continue
        if _NO_DIGIT_BEFORE.search(text[max(0, start - 12) : start]):
            continue  # "nineteen oh five"
        if (match["torn"] and word_before(text, start) in LABELS) or (match["measured"] and measured == end):
            continue  # "class 5 6 pupils more", "scored 9. 5 more came"
        if compared_next(text, end) or (measured > end and COMPARED.match(text, measured)):
            yield match.span()
