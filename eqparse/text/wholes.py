"""Two or more things that a comparison takes as a whole: "Kim and Lee together", "the cart and the van combined"."""

from __future__ import annotations

from typing import NamedTuple

from eqparse.text.numbers.tables import compiled

_PART = r"(?:(?!(?:and|than|as|or|but|with|is|are|was|were)\b)[^\W\d][\w'’-]*(?:\s(?=\w)|(?!\w))){1,6}?"
_TOGETHER = r"\s?(?:(?:put|taken|added)\s)?(?P<together>together(?!\swith\b)|combined|between\sthem)\b"
_BEHIND = compiled(rf"""\s?(?:%\s)?(?:[^\W\d_][\w'’-]*\s){{0,6}}?(?:than|as)\s(?:(?:in|on|at|what)\s)?
    (?P<whole>(?:{_PART},\s)*{_PART},?\s?and\s{_PART}){_TOGETHER}""")
_BEFORE = compiled(rf"(?:\A|,\s)(?P<whole>{_PART}and\s{_PART}){_TOGETHER}")
_COMPARING = compiled(r"\s?(?:%\s)?(?:[^\W\d_][\w'’-]*\s){0,6}?(?:than|as)\b")


class Whole(NamedTuple):
    """Characters: where the things begin and end, and where the word behind them ends ("together")."""

    start: int
    end: int
    together: int

    def is_cut_by(self, start: int, end: int) -> bool:
        """Whether a phrase has only a part of the whole, or more before it."""
        apart = end <= self.start or self.together <= start
        return not apart and not (start == self.start and (end == self.end or end >= self.together))


def compared_whole(text: str, number_end: int) -> Whole | None:
    """The whole that is one side of the comparison whose number ends at `number_end`, or None."""
    match = _BEHIND.match(text, number_end)
    if match is None and _COMPARING.match(text, number_end):
        clause = max(text.rfind(stop, 0, number_end) for stop in (". ", "; ", ": ")) + 1
        match = _BEFORE.search(text, clause, number_end)
    return Whole(match.start("whole"), match.end("whole") - 1, match.end("together")) if match else None
