"""Folds for cross-validation: drawn at random, with near-duplicate sentences kept together, or read from a file.

Near-duplicates shared by training and test sentences make every system look better than it is, and the published corpus
is full of them. A fold file beside a corpus lets systems that draw folds differently be compared on the same folds.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Literal

import numpy as np

from eqparse.corpus.example import Example
from eqparse.corpus.jsonl import dumps, parse_object
from eqparse.errors import ConfigError, DataError

FOLDS_FILE = "folds.json"
NUMBER = "<num>"
NUMBER_WORDS = frozenset(
    """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million
    billion trillion dozen once twice thrice double triple half third thirds quarter quarters fourth fourths
    fifth fifths sixth sixths seventh sevenths eighth eighths ninth ninths tenth tenths""".split()
)
_TOKEN = re.compile(r"[0-9][0-9,.]*(?<![,.])|\w+|[^\w\s]")


def assign_folds(
    examples: Sequence[Example], *, method: Literal["random", "grouped"], seed: int, folds: int = 5
) -> list[int]:
    """The fold, 0 to folds - 1, of each example; the same for the same examples and seed on every machine.

    random: folds differ in size by at most one.
    grouped: near-duplicates (`near_duplicate_groups`) share a fold; groups are assigned from the largest to the
        smallest, each to the fold that is smallest so far.

    Raises:
        ConfigError: another method, or fewer than two folds.
        DataError: fewer examples than folds, or fewer groups.
    """
    if method not in ("random", "grouped"):
        raise ConfigError(f"method: expected random or grouped, found {method!r}")
    if folds < 2:
        raise ConfigError(f"folds: expected at least 2, found {folds}")
    count = len(examples)
    groups = near_duplicate_groups(examples) if method == "grouped" else [[index] for index in range(count)]
    if len(groups) < folds:
        of_groups = method == "grouped" and count >= folds
        what = f"groups of near-duplicates ({count} examples)" if method == "grouped" else "examples"
        advice = "add others, or give the method random" if of_groups else "add others"
        raise DataError(f"{folds} folds need at least {folds} {what}, found {len(groups)}; {advice}")
    draw = random.Random(seed)
    draw.shuffle(groups)
    groups.sort(key=len, reverse=True)
    assigned, sizes = [0] * count, [0] * folds
    for group in groups:
        fold = draw.choice([fold for fold in range(folds) if sizes[fold] == min(sizes)])
        sizes[fold] += len(group)
        for index in group:
            assigned[index] = fold
    return assigned


def folds_file(root: str | Path) -> Path:
    """The fold file of the sentences at `root`, a folder or a .jsonl file: `folds.json` beside the sentences."""
    root = Path(root)
    return (root if root.is_dir() else root.parent) / FOLDS_FILE


def folds_as_json(examples: Sequence[Example], assigned: Sequence[int]) -> str:
    """The contents of a fold file: one JSON object, with a sentence's id and its fold on each line."""
    pairs = [f"{dumps(e.id)}: {fold}" for e, fold in zip(examples, assigned, strict=True)]
    return "{\n" + ",\n".join(pairs) + "\n}\n"


def read_folds(path: str | Path, examples: Sequence[Example], *, folds: int = 5) -> list[int]:
    """The fold of each example, from a file that `folds_as_json` made; it may hold other sentences too.

    folds: the number of folds.

    Raises:
        DataError: no such file, not an object that maps ids to folds 0 to folds - 1, or no fold for a sentence.
    """
    path = Path(path)
    remedy = "write one with `eqparse corpus folds`, or use data.folds=random or data.folds=grouped"
    if not path.is_file():
        found = "a folder, a pipe or a device" if path.exists() else "no such file"
        raise DataError(f"{path}: expected a file of folds, found {found}; {remedy}")
    try:
        assigned = parse_object(path.read_bytes(), where=str(path))
    except DataError as error:
        raise DataError(f"{error}; {remedy}") from error
    for name, fold in assigned.items():
        if type(fold) is not int or not 0 <= fold < folds:
            raise DataError(
                f"{path}, sentence {name!r:.80}: expected a fold, 0 to {folds - 1}, found {json.dumps(fold):.80}; "
                f"{remedy}"
            )
    missing = [example.id for example in examples if example.id not in assigned]
    if missing:
        raise DataError(
            f"{path}: expected a fold for each of {len(examples)} sentences, found none for {missing[0]!r:.80}; "
            f"{remedy}"
        )
    return [assigned[example.id] for example in examples]


def near_duplicate_groups(examples: Sequence[Example], threshold: float = 0.8) -> list[list[int]]:
    """Indices of the examples, grouped so that near-duplicates are together; each index once, in order.

    Two sentences are near-duplicates if their tokens, lower-cased and with numbers (also in words) masked, have a
    similarity of at least `threshold`: difflib's ratio 2 M / T, with M the tokens in matching blocks and T the tokens
    of both, in whichever order of the two sentences gives more. Groups are the connected components; a sentence unlike
    all others is a group by itself.

    Raises:
        ConfigError: a threshold that is not above 0 and at most 1.
    """
    if not 0 < threshold <= 1:
        raise ConfigError(f"threshold: expected above 0 and at most 1, found {threshold}")
    members: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for index, example in enumerate(examples):
        members[masked_tokens(example.text)].append(index)
    sentences = list(members)
    parent = list(range(len(sentences)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    for i, j in _overlapping_pairs(sentences, threshold):
        if root(i) != root(j) and _similarity(sentences[i], sentences[j]) >= threshold:
            parent[root(j)] = root(i)
    groups: dict[int, list[int]] = defaultdict(list)
    for index, sentence in enumerate(sentences):
        groups[root(index)] += members[sentence]
    return sorted(sorted(group) for group in groups.values())


def masked_tokens(text: str) -> tuple[str, ...]:
    """The words and signs, lower-cased; each run of numbers ("twenty-five", "3 million") becomes one mask."""
    tokens: list[str] = []
    for token in _TOKEN.findall(text.lower()):
        number = token in NUMBER_WORDS or token[0] in "0123456789"
        if number and tokens[-2:] == [NUMBER, "-"]:
            tokens.pop()
        elif not number or tokens[-1:] != [NUMBER]:
            tokens.append(NUMBER if number else token)
    return tuple(tokens)


def _similarity(a: Sequence[str], b: Sequence[str]) -> float:
    return max(SequenceMatcher(None, x, y, autojunk=False).ratio() for x, y in ((a, b), (b, a)))


def _overlapping_pairs(sentences: Sequence[Sequence[str]], threshold: float) -> Iterator[tuple[int, int]]:
    """Pairs with enough tokens in common, in any order, to reach the threshold: a bound that is cheap to compute."""
    order = sorted(range(len(sentences)), key=lambda index: len(sentences[index]))
    lengths = np.array([len(sentences[index]) for index in order])
    uses: dict[tuple[str, int], list[int]] = defaultdict(list)  # (token, k) -> places in `order` with k + 1 uses
    keys = []
    for place, index in enumerate(order):
        seen: Counter[str] = Counter()
        keys.append([])
        for token in sentences[index]:
            keys[-1].append((token, seen[token]))
            seen[token] += 1
            uses[keys[-1][-1]].append(place)
    postings = {key: np.array(places) for key, places in uses.items()}
    none = np.empty(0, dtype=np.int64)
    # a shorter sentence has at most all its tokens in common, so it may not be too short
    firsts = np.searchsorted(lengths, lengths * threshold / (2 - threshold) - 1e-9)
    for place, first in enumerate(firsts.tolist()):
        found = [places[slice(*np.searchsorted(places, (first, place)))] for places in map(postings.get, keys[place])]
        common = np.bincount(np.concatenate([*found, none]) - first, minlength=place - first)
        possible = 2 * common >= threshold * (lengths[first:place] + lengths[place]) - 1e-9
        yield from ((order[first + other], order[place]) for other in np.flatnonzero(possible).tolist())
