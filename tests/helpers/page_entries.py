"""Entries for the page of errors, a hostile one among them."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser

from parses import answered
from report_runs import answer, example

from eqparse.analysis.errors_page import diagnose
from eqparse.analysis.errors_page.entry import Entry
from eqparse.corpus.example import Example
from eqparse.equation.equation import Equation

HOSTILE = "<script>alert(1)</script> & \"Co\" weighs 4 kilos more than $title."
BAD = Example("</article>'x\"", HOSTILE, Equation.parse("V1 = 4 + V2"), {"V1": ((0, 8),), "V2": ((58, 64),)})


def entries(count: int = 6) -> list[Entry]:
    """Right and wrong answers, a hostile sentence, and one that states nothing."""
    made = [(e, answer(e, right=n % 2 == 0)) for n, e in enumerate(example(n) for n in range(count))]
    made.append((BAD, answer(BAD, right=False)))
    silent = Example("silent", "Nobody counted the 12 geese.", None, {})
    spurious = answered(silent.text, Equation.parse("V1 = 12"), {"V1": ((15, 27),)})
    return [Entry(e, p, diagnose(e, p)) for e, p in [*made, (silent, spurious)]]


class Text(HTMLParser):
    """Collects the text outside of labels, and counts the tags."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open, self.text, self.tags = [], "", Counter()
        self.feed(source)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        self.tags[tag] += 1

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "b" not in self.open:
            self.text += data
