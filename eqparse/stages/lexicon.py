"""The lexicon: rules that fix the operation of a node by the words around it (Roy et al. 2016, appendix).

A node over leaves i..j, split after leaf k, is seen as five texts of lower-cased words (`FIELDS`):

    left        L  from the nearest trigger on the left up to the node
    middle      M  between the two children
    right       R  from the node up to the nearest trigger on the right
    left_leaf   T  the words of leaf k, looked at only if the left child is that leaf alone
    right_leaf  U  the words of leaf k+1, looked at only if the right child is that leaf alone

The rules are data: `lexicon.toml` explains the format at its top, and a user's own file adds to them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from eqparse.errors import ConfigError
from eqparse.stages.derivation import NODE_LABELS
from eqparse.stages.lexicon_rules import (
    ANY_START,
    FIELDS,
    OPEN_WORD,
    RULE_SETS,
    Rule,
    normalise,
    phrase_pieces,
    read_rules,
)

LABELS = NODE_LABELS[1:]
RULE_FILE = Path(__file__).with_name("lexicon.toml")
# Limits the memory of a long-lived process; one sentence has a few hundred distinct texts.
MAX_REMEMBERED_TEXTS = 100_000


class Lexicon:
    """Rules in increasing order of precedence: the last one that matches a node decides, and guards override them all.
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = tuple(rule for rule in rules if rule.operation is not None)
        self.guards = tuple(rule for rule in rules if rule.operation is None)
        distinct = dict.fromkeys(p for rule in rules for _, phrases in rule.conditions for p in phrases)
        self.phrases = tuple(distinct)
        self._column = {phrase: column for column, phrase in enumerate(self.phrases)}
        self._patterns = tuple(_phrase_pattern(phrase) for phrase in self.phrases)
        # a phrase is searched for only in texts that contain its first word; most texts contain few such words
        self._opened_by: dict[str, list[int]] = {}
        for number, phrase in enumerate(self.phrases):
            word = phrase_pieces(phrase)[0].split(" ")[0]
            self._opened_by.setdefault("" if OPEN_WORD.fullmatch(word) else word, []).append(number)
        self._rows: dict[str, np.ndarray] = {}

    @classmethod
    def load(
        cls, path: str | Path | None = None, *, rule_set: str = "extended", extra: str | Path | None = None
    ) -> Lexicon:
        """Read the rules of `rule_set` from `path` (None: the package's file); those of `extra` take precedence.

        Raises:
            ConfigError: `rule_set` is neither "paper" nor "extended".
            DataError: a file is missing or malformed, or two rules have the same name; the message says which.
        """
        if rule_set not in RULE_SETS:
            raise ConfigError(f"lexicon rule set: expected one of {', '.join(RULE_SETS)}; found {rule_set!r}")
        files = [Path(path) if path is not None else RULE_FILE] + ([Path(extra)] if extra is not None else [])
        return cls([rule for file in files for rule in read_rules(file, rule_set=rule_set)])

    def match_texts(self, texts: Sequence[str]) -> np.ndarray:
        """Return bool [len(texts), len(self.phrases)]: which phrase occurs in which text."""
        matches = np.zeros((len(texts), len(self.phrases)), dtype=bool)
        for row, text in enumerate(texts):
            matches[row] = self._match_text(text)
        return matches

    def operations(
        self,
        texts: Sequence[str],
        left: np.ndarray,
        middle: np.ndarray,
        right: np.ndarray,
        left_leaf: np.ndarray,
        right_leaf: np.ndarray,
        flags: np.ndarray,
    ) -> np.ndarray:
        """Return int8 [...]: for each node the index into `labels`, or -1 if it is not restricted.

        texts: the distinct texts of the nodes.
        left, middle, right, left_leaf, right_leaf: int [...], each an index into `texts`.
        flags: bool [..., 2], whether the left child and whether the right child is a single leaf.
        """
        matches = self.match_texts(texts)
        index = dict(zip(FIELDS, (left, middle, right, left_leaf, right_leaf), strict=True))
        left_is_leaf, right_is_leaf = np.moveaxis(np.asarray(flags, dtype=bool), -1, 0)
        is_leaf = {"left_leaf": left_is_leaf, "right_leaf": right_is_leaf}
        number = {text: n for n, text in enumerate(dict.fromkeys(map(normalise, texts)))}
        identity = np.array([number[normalise(text)] for text in texts], dtype=np.int64)
        same_phrase = left_is_leaf & right_is_leaf & (identity[left_leaf] == identity[right_leaf])

        result = np.full(left_is_leaf.shape, -1, dtype=np.int8)
        seen = {self.phrases[column] for column in np.flatnonzero(matches.any(axis=0)).tolist()}
        for rule in (*self.rules, *self.guards):
            if any(seen.isdisjoint(phrases) for _, phrases in rule.conditions):
                continue
            holds = same_phrase.copy() if rule.same_phrase else np.ones(left_is_leaf.shape, dtype=bool)
            for field, phrases in rule.conditions:
                occurs = matches[:, [self._column[phrase] for phrase in phrases]].any(axis=1)
                holds &= occurs[index[field]] & is_leaf.get(field, True)
            result[holds] = -1 if rule.operation is None else LABELS.index(rule.operation)
        return result

    def _match_text(self, text: str) -> np.ndarray:
        """Return bool [len(self.phrases)] for one text, cached if the text was seen before."""
        row = self._rows.get(text)
        if row is None:
            normal = normalise(text)
            row = np.zeros(len(self.phrases), dtype=bool)
            for word in {"", *normal.split(" ")}:
                for number in self._opened_by.get(word, ()):
                    row[number] = self._patterns[number].search(normal) is not None
            if len(self._rows) >= MAX_REMEMBERED_TEXTS:
                self._rows.clear()
            self._rows[text] = row
        return row


def _phrase_pattern(phrase: str) -> re.Pattern[str]:
    """Compile a phrase for `search` in a normalised text, at word boundaries; "" matches the empty text."""
    if not phrase:
        return re.compile(r"\A\Z")
    start = r"\A" if phrase.strip().startswith("^") else r"(?<!\S)"
    end = r"\Z" if phrase.strip().endswith("$") else r"(?!\S)"
    pieces = (" ".join(map(_word_pattern, piece.split(" "))) for piece in phrase_pieces(phrase))
    return re.compile(start + r" (?:\S+ )*?".join(pieces) + end)


def _word_pattern(word: str) -> str:
    """A word of a phrase as a pattern; "*fold" and "#x" leave its start open, and a sign alone is itself."""
    return ANY_START[word[0]] + re.escape(word[1:]) if OPEN_WORD.fullmatch(word) else re.escape(word)
