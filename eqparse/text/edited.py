"""A text with pieces taken out of it, and the way back from its characters to those of the text as it was."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby

from eqparse.text.spans import Span

Keeps = Callable[[re.Match[str]], "str | None"]


class Edited:
    """A text under edits.

    given: as it was. text: as it is now. origin: for each of its characters, where that stood in the text given.
    """

    def __init__(self, text: str) -> None:
        self.given = text
        self.text = text
        self.origin: list[int] = list(range(len(text)))

    def take_out(self, pattern: re.Pattern[str], put: str | Keeps = "") -> None:
        """Reduce each match to what its group `keep` holds, or else replace it by `put`.

        put: at most one character. Where it is a function, it says what; None leaves that match alone.
        """
        text, origin, at = [], [], 0
        for match in pattern.finditer(self.text):
            new = put(match) if callable(put) else put
            if new is None:
                continue
            start, end = match.span("keep") if "keep" in pattern.groupindex else (match.start(), match.start())
            text += [self.text[at : match.start()], new, self.text[start:end]]
            origin += [*self.origin[at : match.start()], *[self.origin[match.start()]] * len(new)]
            origin += self.origin[start:end]
            at = match.end()
        if at:
            self.text, self.origin = "".join([*text, self.text[at:]]), origin + self.origin[at:]

    def span(self, start: int, end: int) -> Span:
        """Where the characters start..end stand in the text given, with whatever was taken out between them."""
        return self.origin[start], self.origin[end - 1] + 1

    def cut(self, start: int, end: int) -> bool:
        """Whether something was taken out before, after or between the characters start..end."""
        around = [-1, *self.origin, len(self.given)][start : end + 2]
        return around[-1] - around[0] > end - start + 1

    def pieces(self, start: int, end: int) -> list[Span]:
        """The characters start..end of this text, cut where something was taken out between them."""
        runs = groupby(range(start, end), key=lambda at: self.origin[at] - at)
        return [(run[0], run[-1] + 1) for run in (list(run) for _, run in runs)]
