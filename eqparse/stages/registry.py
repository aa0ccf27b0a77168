"""The stages, in the order in which a sentence goes through them."""

from __future__ import annotations

from dataclasses import dataclass

from eqparse.stages.base import Stage
from eqparse.stages.coreference import CoreferenceStage
from eqparse.stages.nonprojective import SubsetTreeStage
from eqparse.stages.quantity import QuantityStage
from eqparse.stages.refusal import RefusalStage
from eqparse.stages.relation import RelationStage
from eqparse.stages.tree import TreeStage
from eqparse.stages.variable import VariableStage


@dataclass(frozen=True)
class StageKind:
    """A place in the pipeline, whichever class fills it.

    stage: the default class.
    title: a readable name for what it decides.
    required: whether every parser has it.
    figure: the name of its figure in metrics.json, if it has one.
    """

    stage: type[Stage]
    title: str
    required: bool = True
    figure: str | None = None

    @property
    def groups(self) -> tuple[str, ...]:
        """The feature groups that the default class has."""
        return self.stage.feature_groups


STAGES: dict[str, StageKind] = {
    kind.stage.name: kind
    for kind in (
        StageKind(QuantityStage, "quantity list", figure="quantity_list"),
        StageKind(VariableStage, "variable list", figure="variable_list"),
        StageKind(CoreferenceStage, "coreference", required=False),
        StageKind(TreeStage, "equation tree", figure="tree"),
        StageKind(RelationStage, "which of the likely relations", required=False),
        StageKind(RefusalStage, "whether there is an equation", required=False),
    )
}
"""Name -> stage, in order."""

FIGURES = tuple(kind.figure for kind in STAGES.values() if kind.figure is not None)
"""The stages' figures in metrics.json."""


def stage_class(name: str, *, projective: bool = True) -> type[Stage]:
    """The project's class for a stage.

    projective: for the tree stage, whether it searches only projective trees.
    """
    return SubsetTreeStage if name == TreeStage.name and not projective else STAGES[name].stage
