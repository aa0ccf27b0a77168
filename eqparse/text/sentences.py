"""Where the sentences of a text begin and end, when it holds more than one."""

from __future__ import annotations

import re

from eqparse.text.annotate import Sentence

ENDS = frozenset(".!?")
CLOSING = frozenset("\"'”’)]")
LABEL = re.compile(r"\(?(?:\d{1,2}|[a-h])\)\s")


def sentence_spans(annotated: Sentence) -> list[tuple[int, int]]:
    """The (first, last) token of each sentence of an annotated text, last included.

    A sentence ends at a full stop, question or exclamation mark where the parse starts a new tree behind it and the
    text goes on with a capital letter or a digit: "J. Smith" and "3 p.m. today" end none. It always ends before the
    label of a list: "1) ... 2) ...".
    """
    count = len(annotated)
    if not count:
        return []
    heads, text = annotated.head.tolist(), annotated.text
    starts, ends = annotated.start.tolist(), annotated.end.tolist()
    reach = list(range(count))  # the furthest token on the right that is joined to this one or to one before it
    for token, head in enumerate(heads):
        left, right = sorted((token, head))
        reach[left] = max(reach[left], right)
    spans, first, furthest = [], 0, 0
    for token in range(count - 1):
        furthest = max(furthest, reach[token])
        at = token
        while at > first and text[starts[at] : ends[at]] in CLOSING:
            at -= 1
        opens = text[starts[token + 1]]
        apart = furthest == token and (opens.isupper() or opens.isdigit())
        if text[starts[at] : ends[at]] in ENDS and (apart or LABEL.match(text, starts[token + 1])):
            spans.append((first, token))
            first = token + 1
    return [*spans, (first, count - 1)]
