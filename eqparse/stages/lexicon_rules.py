"""The rules of a lexicon: what a rule is, and how rules are read from a rule file and written to one."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eqparse.errors import DataError
from eqparse.stages.derivation import NODE_LABELS

FIELDS = ("left", "middle", "right", "left_leaf", "right_leaf")
RULE_SETS = ("paper", "extended")
OPERATIONS = NODE_LABELS[1:]

ANY_START = {"*": r"\S*", "#": r"\d+"}
"""What a word may begin with in a phrase -> the pattern of what that stands for."""
OPEN_WORD = re.compile(r"[*#]\w+")
_WORD = re.compile(r"\w+(?:[-'’]\w+)*|[^\w\s]")


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One rule: if all conditions hold, the node takes `operation`, or stays free if that is None (a guard).

    conditions: pairs of a field and its phrases, one of which must occur in that field's text.
    same_phrase: also require that both children are leaves with the same words, as when one noun phrase grounds
        two variables.
    """

    name: str
    operation: str | None
    conditions: tuple[tuple[str, tuple[str, ...]], ...]
    same_phrase: bool = False


def read_rules(path: Path, *, rule_set: str) -> list[Rule]:
    """Return a file's rules, then its guards, that belong to `rule_set`; DataError if it is malformed."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8-sig"))
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
            rule = read_rule(table, kind=kind, where=f"lexicon file {path}, {kind} {position}")
            if rule.name in names:
                where = f"lexicon file {path}, {kind} {position}"
                raise DataError(f"{where}: the name {rule.name!r} is taken; rename it")
            names.add(rule.name)
            if table.get("set", rule_set) == rule_set:
                rules.append(rule)
    return rules


def read_rule(table: Any, *, kind: str, where: str) -> Rule:
    """Check one table of a rule file and return its rule; every error message begins with `where`."""
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
    if kind == "rule" and operation not in OPERATIONS:
        raise DataError(f"{where}: expected an operation, one of {' '.join(OPERATIONS)}; found {operation!r}")
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
            if phrase and not all(phrase_pieces(phrase)):
                expected = f"words in each phrase of {field}, beside each '...', '^' and '$'"
                raise DataError(f"{where}: expected {expected}; found {phrase!r}")
        conditions.append((field, tuple(phrases)))
    if not conditions:
        raise DataError(f"{where}: expected a condition on at least one of {', '.join(FIELDS)}; found none")
    return Rule(name=name, operation=operation, conditions=tuple(conditions), same_phrase=same_phrase)


def rule_table(rule: Rule) -> dict[str, Any]:
    """A rule as a table of a rule file, which `read_rule` reads."""
    data: dict[str, Any] = {"name": rule.name}
    if rule.operation is not None:
        data["operation"] = rule.operation
    if rule.same_phrase:
        data["same_phrase"] = True
    return data | {field: list(phrases) for field, phrases in rule.conditions}


def normalise(text: str) -> str:
    """Return the words and signs of a text, lower-cased and separated by single spaces."""
    return " ".join(_WORD.findall(text.lower()))


def phrase_pieces(phrase: str) -> list[str]:
    """Return the pieces of a phrase between its gaps, normal and without anchors; "*fold" and "#x" stay whole."""
    pieces = phrase.strip().removeprefix("^").removesuffix("$").split("...")
    return [" ".join(filter(None, map(_normal_word, piece.split()))) for piece in pieces]


def _normal_word(word: str) -> str:
    return word.lower() if OPEN_WORD.fullmatch(word) else normalise(word)
