"""Features of the refusal stage: one part per sentence, whether it states an equation (ours; the paper's always do).

All are in the group `rich`: the sentence's words, the words around its numbers, the words that relate amounts
(`RELATIONS`), the paths of its numbers through the dependency parse, and how the leaves of its answer lie in the text.
The nodes of the answer have the features of the tree stage.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from eqparse.scoring.features.hashing import FeatureBuilder, Features, expand, mix
from eqparse.scoring.features.tokens import TokenTable
from eqparse.scoring.features.tree import leaf_kind
from eqparse.text.annotate import string_id
from eqparse.text.mentions import Mentions
from eqparse.text.triggers import Trigger

_WORDS = {
    "than": "than",
    "as": "as",
    "by": "by",
    "sum": "sum total totals totalled totalling totaled totaling together altogether combined jointly add adds added "
    "adding plus overall all whole",
    "both": "both between two pair couple twins",
    "difference": "difference differ differs differed exceed exceeds exceeded exceeding minus subtract subtracted "
    "subtracting subtracts gap outnumber outnumbers outnumbered surpass surpasses surpassed short ahead behind trails "
    "leads",
    "times": "times twice double triple thrice half quadruple doubled tripled halved doubles triples multiplied "
    "multiply product doubling third quarter fifth tenth",
    "divide": "divide divided divides dividing ratio quotient share shared split splits",
    "equal": "equal equals equally same equalled makes make made gives give get gets comes come came result yields "
    "leaves amounts reach reaches brings",
    "rest": "rest remaining remainder left others other remain remains another missing unknown",
    "each": "each every per apiece",
    "change": "rise rises rose risen increase increases increased fall falls fell fallen drop drops dropped decrease "
    "decreases decreased grew grow grows grown cut raised raises raise climbed up down lower lowered gained lost "
    "slipped jumped shrank reduced gain lose slid off",
    "average": "average averages averaged averaging mean",
    "percent": "percent % cent percentage",
    "time": "before earlier ago after later now then last previous yesterday once",
    "condition": "would if had could",
    "not": "not n't nobody nothing neither nor no",
    "cost": "worth cover covers spent spend paid pay cost costs",
}
RELATIONS = {string_id(word): string_id(f"<{name}>") for name, words in _WORDS.items() for word in words.split()}
"""Hash of a word in lower case -> hash of its class, for the words that relate amounts or tell that none is related."""
COMPARATIVE = string_id("<comparative>")
_COMPARATIVE_TAGS = np.array([string_id(tag) for tag in ("JJR", "RBR")], dtype=np.uint64)
MAX_PATH = 4  # tokens from a number towards the root
MAX_BETWEEN = 7  # tokens of a path from one number to the next, without the one where it turns
CLASSES = (*(f"<{name}>" for name in _WORDS), "<comparative>")
"""The names of the classes, for a reader of features."""


def refusal_features(
    mentions: Sequence[Mentions],
    answers: Sequence[Sequence[Trigger]],
    table: TokenTable,
    *,
    groups: Collection[str],
) -> Features:
    """Features of every sentence -> rows = sentences.

    answers: the leaves of each sentence's equation; none if no equation was found.
    """
    rows = np.arange(len(mentions))
    build = FeatureBuilder(len(mentions), groups=groups)
    add = build.add
    lemma, tag, dep, word, head = table.lemma, table.tag, table.dep, table.word, table.head
    count = np.array([len(m.quantities) for m in mentions], dtype=np.int64)
    add("rich:bias", rows)
    add("rich:numbers", rows, np.minimum(count, 8))
    row, token = expand(table.low + 1, table.high)
    add("rich:lemma", row, lemma[token])
    add("rich:word", row, word[token])
    add("rich:governed lemma", row, lemma[token], lemma[head[token]])
    row, token = expand(table.low, table.high)
    add("rich:bigram", row, lemma[token], lemma[token + 1])
    add("rich:tags", row, tag[token], tag[token + 1])
    row, token = expand(table.low, table.high - 1)
    add("rich:trigram", row, lemma[token], lemma[token + 1], lemma[token + 2])
    add("rich:three tags", row, tag[token], tag[token + 1], tag[token + 2])

    owner = np.repeat(rows, count)
    spans = np.array([s for m in mentions for s in m.quantity_tokens], dtype=np.int64).reshape(-1, 2)
    first, last = spans[:, 0] + table.base[owner], spans[:, 1] + table.base[owner]
    before, after = table.at(first - 1, owner), table.at(last + 1, owner)
    add("rich:class", owner, word[first])
    add("rich:before a number", owner, lemma[before], word[first])
    add("rich:after a number", owner, lemma[after], word[first])
    add("rich:around a number", owner, lemma[before], lemma[after])
    add("rich:two before a number", owner, lemma[table.at(first - 2, owner)], lemma[before])
    add("rich:two after a number", owner, lemma[after], lemma[table.at(last + 2, owner)])
    add("rich:governor of a number", owner, lemma[head[last]], dep[last])
    add("rich:governor's governor of a number", owner, lemma[head[head[last]]], dep[head[last]])
    if build.wants("rich"):
        label = _relations(build, mentions, table, count)
        _paths(build, table, label, owner, last)
        _answers(build, table, count, answers)
    return build.build()


def _relations(build: FeatureBuilder, mentions: Sequence[Mentions], table: TokenTable, count: np.ndarray) -> np.ndarray:
    """The features of the words that relate amounts -> uint64 [tokens], each token's class of them, or else its tag."""
    label = np.where(np.isin(table.tag, _COMPARATIVE_TAGS), np.uint64(COMPARATIVE), table.tag)
    inner = np.concatenate([base + np.arange(len(m.sentence)) for m, base in zip(mentions, table.base, strict=True)])
    words = np.concatenate([m.sentence.lower for m in mentions]).tolist()
    label[inner] = [RELATIONS.get(w, kind) for w, kind in zip(words, label[inner].tolist(), strict=True)]
    token = inner[label[inner] != table.tag[inner]]
    row, kind = np.unique(np.stack([table.sentence[token].astype(np.uint64), label[token]]), axis=1)
    row = row.astype(np.int64)
    have = np.bincount(row, minlength=len(mentions))
    build.add("rich:relation", row, kind, np.minimum(count, 5)[row])
    build.add("rich:relations", np.arange(len(mentions)), np.minimum(have, 4), np.minimum(count, 5))
    one, other = expand(np.arange(len(row)) + 1, np.cumsum(have)[row])
    build.add("rich:two relations", row[one], kind[one], kind[other])
    return label


def _paths(build: FeatureBuilder, table: TokenTable, label: np.ndarray, owner: np.ndarray, last: np.ndarray) -> None:
    """The dependency paths from each number (its last token) towards the root, and from each number to the next."""
    row, node, state = owner, last, np.zeros(len(last), dtype=np.uint64)
    for _ in range(MAX_PATH):
        up = table.head[node]
        live = up != node
        row, node, up, state = row[live], node[live], up[live], mix(state[live], table.dep[node[live]])
        build.add("rich:path to the root", row, state, label[up])
        node, state = up, mix(state, label[up])
    head = table.head.tolist()
    pairs = np.flatnonzero(owner[1:] == owner[:-1])
    for row, a, b in zip(owner[pairs].tolist(), last[pairs].tolist(), last[pairs + 1].tolist(), strict=True):
        up, top, down = path_between(a, b, head)
        if len(up) + len(down) <= MAX_BETWEEN:
            steps = [*table.dep[up].tolist(), 0, *table.dep[down].tolist()]
            for name, values in (("", steps), (" and its top", [*steps, int(label[top])])):
                columns = np.array(values, dtype=np.uint64)[:, None]
                build.add(f"rich:path between numbers{name}", np.array([row]), *columns)


def path_between(a: int, b: int, head: Sequence[int]) -> tuple[list[int], int, list[int]]:
    """The tokens from a up to below the top, the top (-1 in two trees), and the tokens from below it down to b."""
    chains = []
    for token in (a, b):
        chain = [token]
        while head[token] != token:
            token = head[token]
            chain.append(token)
        chains.append(chain)
    up, down = chains
    top = next((token for token in up if token in set(down)), -1)
    if top >= 0:
        up, down = up[: up.index(top)], down[: down.index(top)]
    return up, top, down[::-1]


def _answers(
    build: FeatureBuilder, table: TokenTable, count: np.ndarray, answers: Sequence[Sequence[Trigger]]
) -> None:
    """How many numbers the answer uses, and for each of its phrases the head and whether it stands behind a number."""
    size = np.array([len(leaves) for leaves in answers])
    used = np.array([sum(not leaf.label for leaf in leaves) for leaves in answers])
    build.add("rich:numbers left out", np.arange(len(answers)), np.minimum(count - used, 5), size)
    phrases = [(row, leaf) for row, leaves in enumerate(answers) for leaf in leaves if leaf.label]
    if not phrases:
        return
    row = np.array([row for row, _ in phrases])
    ends = np.array([(leaf.first, leaf.last) for _, leaf in phrases])
    first, last = (ends + table.base[row, None]).T
    top = table.last_head(first, last)
    counted = table.number[table.at(first - 1, row)] >= 0
    build.add("rich:head of a phrase", row, table.lemma[top], counted)
    build.add("rich:place of a phrase", row, table.tag[top], table.dep[top], counted)
    build.add("rich:ends of a phrase", row, table.tag[first], table.tag[last])
    build.add("rich:before a phrase", row, table.lemma[table.at(first - 1, row)])
    build.add("rich:after a phrase", row, table.lemma[table.at(last + 1, row)])
    for at, leaves in enumerate(answers):
        kinds = [leaf_kind(leaf) for leaf in leaves]
        build.add("rich:leaves", np.array([at]), *np.array(kinds, dtype=np.uint64)[:, None])
