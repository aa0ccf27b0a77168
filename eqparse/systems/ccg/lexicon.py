"""The lexicon of the CCG system: seed entries for mathematical words, learnt entries, and entries for the numbers and
noun phrases of each sentence.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eqparse.errors import DataError
from eqparse.systems.ccg.category import BINARY, Category, Meaning, arity, read_category, root, show
from eqparse.text.mentions import Mentions

SEED = Path(__file__).with_name("lexicon.toml")
GAP = "..."
MAX_GAP = 3  # tokens allowed in a gap, such as that of "more ... than"
NUMBER = "<number>"  # replaces the tokens of a number in phrases
Feature = tuple[str, ...]


@dataclass(frozen=True)
class Template:
    """A category with its meaning, which a lexical entry can give to a phrase."""

    category: Category
    meaning: Meaning

    @property
    def name(self) -> str:
        return f"{show(self.category)} {text_of(self.meaning)}"


@dataclass(frozen=True)
class Edge:
    """A lexical entry applied to the tokens start..end (end exclusive) of a sentence, with the features of using it.

    mentions: how many of its leaves are mentions of variables.
    new: whether the entry is only being tried and is not in the lexicon.
    """

    start: int
    end: int
    category: Category
    meaning: Meaning
    features: tuple[Feature, ...]
    mentions: int = 0
    new: bool = False


class Lexicon:
    """Phrases with their templates. entries: phrase (lower-case words joined by spaces) -> its templates."""

    def __init__(self, entries: dict[str, tuple[Template, ...]]) -> None:
        self.entries = dict(entries)
        self.first: dict[str, list[tuple[tuple[str, ...], Template]]] = {}
        for phrase, templates in self.entries.items():
            words = tuple(phrase.split())
            self.first.setdefault(words[0], []).extend((words, template) for template in templates)

    @classmethod
    def seed(cls, path: Path = SEED) -> Lexicon:
        """The seed lexicon. Raises DataError, with the number of the entry, if an entry is malformed."""
        entries: dict[str, list[Template]] = {}
        for number, table in enumerate(tomllib.loads(path.read_text(encoding="utf-8"))["entry"], start=1):
            template = read_template(table, where=f"{path.name}, entry {number}")
            for phrase in table["phrases"]:
                entries.setdefault(phrase, []).append(template)
        return cls({phrase: tuple(dict.fromkeys(templates)) for phrase, templates in entries.items()})

    def with_entries(self, new: Iterable[tuple[str, Template]]) -> Lexicon:
        """A copy of this lexicon with further entries."""
        entries = dict(self.entries)
        for phrase, template in new:
            entries[phrase] = tuple(dict.fromkeys((*entries.get(phrase, ()), template)))
        return Lexicon(entries)

    def templates(self) -> list[Template]:
        """The distinct templates of the lexicon."""
        return list(dict.fromkeys(t for templates in self.entries.values() for t in templates))

    def edges(self, words: Sequence[str]) -> list[Edge]:
        """The entries that apply to the words of a sentence."""
        found = []
        for start, word in enumerate(words):
            for phrase, template in self.first.get(word, ()):
                end = match(phrase, words, start)
                if end is not None:
                    found.append(template_edge(start, end, " ".join(phrase), template))
        return found


def template_edge(start: int, end: int, phrase: str, template: Template) -> Edge:
    """The edge that gives a template to a phrase of the sentence."""
    features = (("entry", phrase, template.name), ("template", template.name))
    return Edge(start, end, template.category, template.meaning, features)


def match(phrase: Sequence[str], words: Sequence[str], start: int) -> int | None:
    """The end (exclusive) of the phrase, with the shortest possible gap, if it starts at this token; else None."""
    at, gap = start, 0
    for word in phrase:
        if word == GAP:
            gap = MAX_GAP
            continue
        places = [p for p in range(at, min(at + gap, len(words) - 1) + 1) if p < len(words) and words[p] == word]
        if not places:
            return None
        at, gap = places[0] + 1, 0
    return at


def read_template(table: dict[str, Any], *, where: str) -> Template:
    """A template from `category`, `args` and `meaning`, as in the seed lexicon. Raises DataError."""
    category = read_category(table["category"])
    args = {name: i for i, name in enumerate(table["args"])}
    if len(args) != arity(category):
        raise DataError(f"{where}: {show(category)} takes {arity(category)} arguments, found {sorted(args)}")

    def read(node: Any) -> Meaning:
        if isinstance(node, list) and len(node) == 3 and node[0] in BINARY:
            return (node[0], read(node[1]), read(node[2]))
        if isinstance(node, (int, float)):
            return ("n", float(node))
        name, _, half = str(node).partition(".")
        if name not in args or half not in ("", "0", "1"):
            raise DataError(f"{where}: expected a number, an argument or [operation, left, right], found {node!r}")
        return (half, ("a", args[name])) if half else ("a", args[name])

    return Template(category, read(table["meaning"]))


def text_of(meaning: Meaning) -> str:
    """A functor's meaning as text, with its arguments numbered in the order in which they are taken."""
    kind = meaning[0]
    if kind in BINARY:
        return f"({text_of(meaning[1])} {kind} {text_of(meaning[2])})"
    if kind in "01":
        return f"{text_of(meaning[1])}.{kind}"
    return f"#{meaning[1]}" if kind == "a" else str(meaning[1])


def masked_words(m: Mentions) -> list[str]:
    """The tokens, with `NUMBER` in place of those of a number, except for twice, half and the like."""
    words = list(m.sentence.words)
    for q, (first, last) in zip(m.quantities, m.quantity_tokens, strict=True):
        if q.kind != "multiplier":
            words[first : last + 1] = [NUMBER] * (last + 1 - first)
    return words


def mention_edges(m: Mentions) -> Iterator[Edge]:
    """Entries for the numbers and noun phrases; a noun phrase is one variable or, with two mentions, a pair."""
    for q, (first, last) in zip(m.quantities, m.quantity_tokens, strict=True):
        yield Edge(first, last + 1, "N", ("n", q.value), (("number", q.kind),))
        if q.kind in ("multiplier", "fraction"):
            product = ("*", ("n", q.value), ("a", 0))
            yield Edge(first, last + 1, ("N", "/", "N"), product, (("multiplier", q.kind),))
    for c, candidate in enumerate(m.candidates):
        span = candidate.first, candidate.last + 1
        words = m.sentence.words[span[0] : span[1]]
        shape = (("first word", words[0]), ("last word", words[-1]), ("source", candidate.source))
        one = (("phrase",), *(("phrase", *f) for f in shape))
        yield Edge(*span, "N", ("v", c), one, 1)
        pair = (("pair",), *(("pair", *f) for f in shape))
        yield Edge(*span, "P", ("&", ("v", c), ("v", c)), pair, 2)


__all__ = [
    "Edge", "Feature", "Lexicon", "NUMBER", "Template", "masked_words", "mention_edges", "root", "template_edge",
]
