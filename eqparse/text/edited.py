"""A text with pieces removed, and the mapping from its characters back to those of the original text."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from eqparse.text.spans import UNSEEN, Span

_SEEN = re.compile(rf"[^\s{UNSEEN}]")
Keeps = Callable[[re.Match[str]], "str | None"]


class Edited:
    """A text that is being edited.

    given: the original text.
    text: the text as it is now.
    origin: for each character of `text`, its index in `given`.
    """

    def __init__(self, text: str) -> None:
        self.given = text
        self.text = text
        self.origin: list[int] = list(range(len(text)))

    def take_out(self, pattern: re.Pattern[str], put: str | Keeps = "") -> None:
        """Replace each match by `put`, followed by the match's group `keep` if the pattern has one.

        put: at most one character, or a function that returns it for a match; None leaves that match alone.
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
        """The span in the original text of the characters start..end, including what was removed between them."""
        return self.origin[start], self.origin[end - 1] + 1

    def cut(self, start: int, end: int) -> bool:
        """Whether something was removed just before, just after or between the characters start..end."""
        before = self.origin[start - 1] if start else -1
        after = self.origin[end] if end < len(self.origin) else len(self.given)
        return after - before > end - start + 1

    def pieces(self, start: int, end: int) -> list[Span]:
        """The characters start..end of the edited text, split wherever something seen was removed between them."""
        steps = [(at, self.origin[at - 1] + 1, self.origin[at]) for at in range(start + 1, end)]
        cuts = [at for at, after, here in steps if here < after or _SEEN.search(self.given, after, here)]
        return list(pairwise([start, *cuts, end]))
