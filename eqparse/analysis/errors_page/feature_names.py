"""Features by name: the template, the words and tags behind its hashes, and the label that it speaks for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from eqparse.scoring.features.coreference import coreference_features
from eqparse.scoring.features.hashing import Features
from eqparse.scoring.features.quantity import quantity_features
from eqparse.scoring.features.refusal import refusal_features
from eqparse.scoring.features.tokens import MULTIPLIERS, TokenTable
from eqparse.scoring.features.tree import TreeParts, chain, leaf_kind, tree_features
from eqparse.scoring.features.variable import VariableParts, variable_features
from eqparse.scoring.hashed_linear import PartInputs, bucket_of
from eqparse.stages.base import Stage
from eqparse.stages.derivation import NODE_LABELS
from eqparse.stages.nonprojective import SubsetTreeStage, distinct_ends
from eqparse.stages.variable import relevance
from eqparse.text.annotate import string_id
from eqparse.text.mentions import Mentions
from eqparse.text.triggers import Trigger

Template = tuple[str, tuple[int, ...]]
UNNAMED: Template = ("a feature of another kind", ())
FIXED = ("<s>", "</s>", "<one>", "<two>", "<fraction>", "<number>", "V1", "V2")
LABELS = {
    "refusal": ("an equation",),
    "quantity": ("counts",),
    "variable": ("the only phrase", "first phrase", "second phrase", "both phrases"),
    "coreference": ("one variable",),
    "tree": NODE_LABELS,
}
LONGEST = 6  # tokens of a sequence that one feature hashes as a whole
SMALL = 1 << 20


def traced(stage: Stage, problem: Any, inputs: PartInputs) -> list[Template]:
    """The template and values behind each feature of a batch of one problem, in the order of `inputs.bucket`.

    Features that the stage adds by other means than its own function of features are `UNNAMED`.
    """
    features = MAKERS[stage.name](stage, problem)
    bucket, found = inputs.bucket.cpu().numpy(), bucket_of(features, bits=stage.bits).numpy()
    if len(found) > len(bucket) or not np.array_equal(bucket[: len(found)], found):
        return [UNNAMED] * len(bucket)
    return features.names + [UNNAMED] * (len(bucket) - len(found))


def _quantity(stage: Stage, problem: Mentions) -> Features:
    return quantity_features([problem], TokenTable([problem]), groups=stage.groups, trace=True)


def _refusal(stage: Stage, problem: Mentions) -> Features:
    return refusal_features([problem], TokenTable([problem]), groups=stage.groups, trace=True)


def _variable(stage: Stage, problem: Any) -> Features:
    table = TokenTable([problem.mentions])
    parts = VariableParts.build([problem.mentions], table)
    return variable_features([problem.mentions], table, parts, relevance([problem]), groups=stage.groups, trace=True)


def _coreference(stage: Stage, problem: Any) -> Features:
    table = TokenTable([problem.mentions])
    first, second = (problem.mentions.candidates[c][:2] for c in problem.pair)
    return coreference_features(
        table, [(*first, *second)], [problem.quantities], groups=stage.groups, trace=True
    )


def _tree(stage: Stage, problem: Any) -> Features:
    table = TokenTable([problem.mentions])
    grid = (lambda size: distinct_ends(size)[0]) if isinstance(stage, SubsetTreeStage) else None
    parts = TreeParts.build([problem.triggers], table, grid=grid)
    return tree_features(table, parts, groups=stage.groups, trace=True)


MAKERS: dict[str, Callable[[Stage, Any], Features]] = {
    "quantity": _quantity, "refusal": _refusal, "variable": _variable, "coreference": _coreference, "tree": _tree,
}


class FeatureNames:
    """Names for the features of one sentence.

    strings: spaCy's string of a hash, or None. triggers: the tree's leaves, whose kinds stand in its features.
    """

    def __init__(
        self, mentions: Mentions, triggers: Sequence[Trigger], strings: Callable[[int], str | None]
    ) -> None:
        self.strings = strings
        table = TokenTable([mentions])
        known = [*FIXED, *MULTIPLIERS, *mentions.sentence.words]
        known += [c.source for c in mentions.candidates]
        known += [text for q in mentions.quantities for text in (q.kind, q.unit) if text]
        self.known = {string_id(text): text for text in known}
        kinds = np.array([leaf_kind(t) for t in triggers], dtype=np.uint64)
        for trigger, kind in zip(triggers, kinds.tolist(), strict=True):
            self.known.setdefault(kind, self.leaf(trigger))
        self._sequences(kinds, " ", len(kinds))
        self._sequences(table.lemma, " ", LONGEST)

    def _sequences(self, values: np.ndarray, joint: str, longest: int) -> None:
        spans = [(a, b) for a in range(len(values)) for b in range(a + 1, min(a + longest, len(values)) + 1)]
        if not spans:
            return
        start, stop = np.array(spans).T
        for (a, b), state in zip(spans, chain(values, start, stop).tolist(), strict=True):
            self.known.setdefault(state, joint.join(self.value(v) for v in values[a:b].tolist()))
        self.known.setdefault(int(chain(values, np.zeros(1, int), np.zeros(1, int))[0]), "nothing")

    @staticmethod
    def leaf(trigger: Trigger) -> str:
        """A leaf's kind in words."""
        q = trigger.quantity
        return trigger.label if q is None else f"<{q.kind}{' ' + q.unit if q.unit else ''}>"

    def value(self, value: int) -> str:
        """A value behind a feature: a word, a tag, or a small number."""
        if value in self.known:
            return self.known[value]
        if value < SMALL:
            return str(value)
        if value >= 2**64 - SMALL:
            return str(value - 2**64)
        return self.strings(value) or "(?)"

    def name(self, stage: str, template: str, values: tuple[int, ...], label: int) -> str:
        """Such as `neighbourhood:word before 1 = "than" → second phrase`."""
        shown = ", ".join(self.value(v) for v in values)
        labels = LABELS.get(stage, ())
        speaks = f" → {labels[label]}" if label < len(labels) else ""
        return f"{template}{' = ' if values else ''}{shown}{speaks}"
