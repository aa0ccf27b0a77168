"""Readable names for features: the template, and the words, tags and numbers behind the hashes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from eqparse.scoring.features.refusal import CLASSES
from eqparse.scoring.features.tokens import MULTIPLIERS, TokenTable
from eqparse.scoring.features.tree import chain, leaf_kind
from eqparse.text.annotate import string_id
from eqparse.text.mentions import Mentions
from eqparse.text.triggers import Trigger

FIXED = ("<s>", "</s>", "<one>", "<two>", "<fraction>", "<number>", "V1", "V2", *CLASSES)
LONGEST = 6  # in tokens, of a sequence that one feature hashes as a whole
SMALL = 1 << 20


class FeatureNames:
    """Names for the features of one sentence.

    strings: maps a spaCy hash to its string, or None.
    triggers: the leaves of the tree, whose kinds occur in its features.
    """

    def __init__(
        self, mentions: Mentions, strings: Callable[[int], str | None], triggers: Sequence[Trigger] = ()
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
        self._sequences(kinds, len(kinds))
        self._sequences(table.lemma, LONGEST)

    def _sequences(self, values: np.ndarray, longest: int) -> None:
        spans = [(a, b) for a in range(len(values)) for b in range(a + 1, min(a + longest, len(values)) + 1)]
        if not spans:
            return
        start, stop = np.array(spans).T
        for (a, b), state in zip(spans, chain(values, start, stop).tolist(), strict=True):
            self.known.setdefault(state, " ".join(self.value(v) for v in values[a:b].tolist()))
        self.known.setdefault(int(chain(values, np.zeros(1, int), np.zeros(1, int))[0]), "nothing")

    @staticmethod
    def leaf(trigger: Trigger) -> str:
        """A leaf's kind in words."""
        q = trigger.quantity
        return trigger.label if q is None else f"<{q.kind}{' ' + q.unit if q.unit else ''}>"

    def value(self, value: int) -> str:
        """One value of a feature: a word, a tag, or a small number."""
        if value in self.known:
            return self.known[value]
        if value < SMALL:
            return str(value)
        if value >= 2**64 - SMALL:
            return str(value - 2**64)
        return self.strings(value) or "(?)"

    def name(self, template: str, values: tuple[int, ...]) -> str:
        """The feature's name, such as `neighbourhood:word before 1 = than`."""
        shown = ", ".join(self.value(v) for v in values)
        return f"{template} = {shown}" if values else template
