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
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from eqparse.errors import ConfigError, DataError

LABELS = ("+", "*", "-lr", "-rl", "/lr", "/rl")
FIELDS = ("left", "middle", "right", "left_leaf", "right_leaf")
RULE_SETS = ("paper", "extended")
RULE_FILE = Path(__file__).with_name("lexicon.toml")
# Bounds the memory of a long-lived process; one sentence has a few hundred distinct texts.
MAX_REMEMBERED_TEXTS = 100_000

_WORD = re.compile(r"\w+(?:[-'’]\w+)*|[^\w\s]")


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One rule: if all conditions hold, the node takes `operation`, or stays free if that is None (a guard).

    `conditions` pairs a field with its phrases; one of the phrases must occur in that field's text.
    `same_phrase` asks also that both children are leaves with the same words, as when one noun phrase grounds
    two variables.
    """

    name: str
    operation: str | None
    conditions: tuple[tuple[str, tuple[str, ...]], ...]
    same_phrase: bool = False


class Lexicon:
    """Rules in order of precedence: the last one that matches a node decides; a guard beats them all."""

    labels = LABELS

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = tuple(rule for rule in rules if rule.operation is not None)
        self.guards = tuple(rule for rule in rules if rule.operation is None)
        distinct = dict.fromkeys(p for rule in rules for _, phrases in rule.conditions for p in phrases)
        self.phrases = tuple(distinct)
        self._column = {phrase: column for column, phrase in enumerate(self.phrases)}
        self._patterns = tuple(_phrase_pattern(phrase) for phrase in self.phrases)
        # a phrase is looked for only in texts that hold its first word: most texts hold few of them
        self._opened_by: dict[str, list[int]] = {}
        for number, phrase in enumerate(self.phrases):
            self._opened_by.setdefault(_phrase_pieces(phrase)[0].split(" ")[0], []).append(number)
        self._rows: dict[str, np.ndarray] = {}

    @classmethod
    def load(
        cls, path: str | Path | None = None, *, rule_set: str = "extended", extra: str | Path | None = None
    ) -> Lexicon:
        """Read the rules of `rule_set` from `path` (None: the package's file), those of `extra` above them.

        Raises:
            ConfigError: `rule_set` is neither "paper" nor "extended".
            DataError: a file is missing or malformed, or two rules have one name; the message says which.
        """
        if rule_set not in RULE_SETS:
            raise ConfigError(f"lexicon rule set: expected one of {', '.join(RULE_SETS)}; found {rule_set!r}")
        files = [Path(path) if path is not None else RULE_FILE] + ([Path(extra)] if extra is not None else [])
        return cls([rule for file in files for rule in read_rules(file, rule_set=rule_set)])

    def deciding_rule(
        self,
        left: str,
        middle: str,
        right: str,
        left_leaf: str,
        right_leaf: str,
        *,
        both_leaves: tuple[bool, bool],
    ) -> Rule | None:
        """Return the rule or guard that decides about one node, None if none matches. Texts as in `FIELDS`.

        `both_leaves` says whether the left child and whether the right child is a single leaf.
        """
        texts = (left, middle, right, left_leaf, right_leaf)
        rows = dict(zip(FIELDS, self.match_texts(texts), strict=True))
        is_leaf = {"left_leaf": both_leaves[0], "right_leaf": both_leaves[1]}
        same_phrase = all(both_leaves) and _normalise(left_leaf) == _normalise(right_leaf)
        for rule in (*reversed(self.guards), *reversed(self.rules)):
            if rule.same_phrase and not same_phrase:
                continue
            if all(
                is_leaf.get(field, True) and any(rows[field][self._column[phrase]] for phrase in phrases)
                for field, phrases in rule.conditions
            ):
                return rule
        return None

    def operation(
        self,
        left: str,
        middle: str,
        right: str,
        left_leaf: str,
        right_leaf: str,
        *,
        both_leaves: tuple[bool, bool],
    ) -> str | None:
        """Return the one label of `labels` that the node may take, or None if it is not restricted."""
        rule = self.deciding_rule(left, middle, right, left_leaf, right_leaf, both_leaves=both_leaves)
        return None if rule is None else rule.operation

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

        Args:
            texts: the distinct texts of the nodes.
            left, middle, right, left_leaf, right_leaf: int [...], each an index into `texts`.
            flags: bool [..., 2], whether the left child and whether the right child is a single leaf.
        """
        matches = self.match_texts(texts)
        index = dict(zip(FIELDS, (left, middle, right, left_leaf, right_leaf), strict=True))
        left_is_leaf, right_is_leaf = np.moveaxis(np.asarray(flags, dtype=bool), -1, 0)
        is_leaf = {"left_leaf": left_is_leaf, "right_leaf": right_is_leaf}
        number = {text: n for n, text in enumerate(dict.fromkeys(map(_normalise, texts)))}
        identity = np.array([number[_normalise(text)] for text in texts], dtype=np.int64)
        same_phrase = left_is_leaf & right_is_leaf & (identity[left_leaf] == identity[right_leaf])

        result = np.full(left_is_leaf.shape, -1, dtype=np.int8)
        for rule in (*self.rules, *self.guards):
            holds = same_phrase.copy() if rule.same_phrase else np.ones(left_is_leaf.shape, dtype=bool)
            for field, phrases in rule.conditions:
                occurs = matches[:, [self._column[phrase] for phrase in phrases]].any(axis=1)
                holds &= occurs[index[field]] & is_leaf.get(field, True)
            result[holds] = -1 if rule.operation is None else LABELS.index(rule.operation)
        return result

    def _match_text(self, text: str) -> np.ndarray:
        """Return bool [len(self.phrases)] for one text, from memory where the text was seen before."""
        row = self._rows.get(text)
        if row is None:
            normal = _normalise(text)
            row = np.zeros(len(self.phrases), dtype=bool)
            for word in {"", *normal.split(" ")}:
                for number in self._opened_by.get(word, ()):
                    row[number] = self._patterns[number].search(normal) is not None
            if len(self._rows) >= MAX_REMEMBERED_TEXTS:
                self._rows.clear()
            self._rows[text] = row
        return row


def read_rules(path: Path, *, rule_set: str) -> list[Rule]:
    """Return a file's rules, then its guards, that belong to `rule_set`; DataError if it is malformed."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise DataError(f"lexicon file {path}: expected a readable TOML file; found: {error}") from error
    unknown = sorted(document.keys() - {"rule", "guard"})
    if unknown or not document:
        found = ", ".join(unknown) or "an empty file"
        raise DataError(f"lexicon file {path}: expected [[rule]] and [[guard]] tables; found: {found}")
    rules, names = [], set()
    for kind in ("rule", "guard"):
        tables = document.get(kind, [])
        if not isinstance(tables, list):
            raise DataError(f"lexicon file {path}: expected [[{kind}]] with double brackets; found [{kind}]")
        for position, table in enumerate(tables, start=1):
            rule = _read_rule(table, kind=kind, where=f"lexicon file {path}, {kind} {position}")
            if rule.name in names:
                where = f"lexicon file {path}, {kind} {position}"
                raise DataError(f"{where}: the name {rule.name!r} is taken; rename it")
            names.add(rule.name)
            if table.get("set", rule_set) == rule_set:
                rules.append(rule)
    return rules


def _read_rule(table: Any, *, kind: str, where: str) -> Rule:
    """Check one table of a rule file and return its rule; `where` opens every message."""
    if not isinstance(table, Mapping):
        raise DataError(f"{where}: expected a table; found {table!r}")
    name = table.get("name")
    if not isinstance(name, str) or not name.strip():
        raise DataError(f"{where}: expected a name, a non-empty string; found {name!r}")
    where = f"{where} ({name})"
    known = {"name", "why", "set", "same_phrase", *FIELDS} | ({"operation"} if kind == "rule" else set())
    unknown = sorted(table.keys() - known)
    if unknown:
        expected = ", ".join(sorted(known))
        raise DataError(f"{where}: expected only the keys {expected}; found {', '.join(unknown)}")
    operation = table.get("operation")
    if kind == "rule" and operation not in LABELS:
        raise DataError(f"{where}: expected an operation, one of {' '.join(LABELS)}; found {operation!r}")
    if table.get("set", RULE_SETS[0]) not in RULE_SETS:
        raise DataError(f"{where}: expected as set one of {', '.join(RULE_SETS)}; found {table['set']!r}")
    same_phrase = table.get("same_phrase", False)
    if not isinstance(same_phrase, bool):
        raise DataError(f"{where}: expected same_phrase to be true or false; found {same_phrase!r}")
    conditions = []
    for field in (field for field in FIELDS if field in table):
        phrases = table[field]
        if not isinstance(phrases, list) or not phrases or not all(isinstance(p, str) for p in phrases):
            raise DataError(f"{where}: expected {field} to be a non-empty list of strings; found {phrases!r}")
        for phrase in phrases:
            if phrase and not all(_phrase_pieces(phrase)):
                expected = f"words in each phrase of {field}, beside each '...', '^' and '$'"
                raise DataError(f"{where}: expected {expected}; found {phrase!r}")
        conditions.append((field, tuple(phrases)))
    if not conditions:
        raise DataError(f"{where}: expected a condition on at least one of {', '.join(FIELDS)}; found none")
    return Rule(name=name, operation=operation, conditions=tuple(conditions), same_phrase=same_phrase)


def _normalise(text: str) -> str:
    """Return the words and signs of a text, lower-cased, one space between each two."""
    return " ".join(_WORD.findall(text.lower()))


def _phrase_pieces(phrase: str) -> list[str]:
    """Return the normal form of the stretches of a phrase between its gaps, anchors removed."""
    return [_normalise(piece) for piece in phrase.strip().removeprefix("^").removesuffix("$").split("...")]


def _phrase_pattern(phrase: str) -> re.Pattern[str]:
    """Compile a phrase for `search` in a normalised text, at word boundaries; "" matches the empty text."""
    if not phrase:
        return re.compile(r"\A\Z")
    start = r"\A" if phrase.strip().startswith("^") else r"(?<!\S)"
    end = r"\Z" if phrase.strip().endswith("$") else r"(?!\S)"
    return re.compile(start + r" (?:\S+ )*?".join(map(re.escape, _phrase_pieces(phrase))) + end)
