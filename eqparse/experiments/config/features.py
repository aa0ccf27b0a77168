"""The options of the group `features`: which feature groups each stage uses."""

from __future__ import annotations

from dataclasses import dataclass, field, make_dataclass
from functools import partial

from eqparse.errors import ConfigError
from eqparse.stages.registry import STAGES

GROUPS = {name: kind.groups for name, kind in STAGES.items()}
"""Stage -> its feature groups; `eqparse/scoring/features` defines what is in each."""


StageGroups = make_dataclass(
    "StageGroups",
    [(stage, list[str], field(default_factory=partial(list, groups))) for stage, groups in GROUPS.items()],
    namespace={"__module__": __name__},
)
"""The feature groups that each stage uses, by default all of them."""


@dataclass
class FeaturesConfig(StageGroups):
    """The feature groups of each stage, out of those in `GROUPS`.

    name: used in the names of runs with these features.
    without: groups to leave out, each as STAGE.GROUP ("tree.number").
    """

    name: str = "full"
    without: list[str] = field(default_factory=list)

    def groups(self) -> dict[str, tuple[str, ...]]:
        """Stage -> the groups that it uses."""
        return {
            stage: tuple(group for group in getattr(self, stage) if f"{stage}.{group}" not in self.without)
            for stage in GROUPS
        }

    def check(self) -> None:
        """Raise ConfigError for a group that its stage does not have; a misspelt one would be left out silently."""
        every = sorted(f"{stage}.{group}" for stage, groups in GROUPS.items() for group in groups)
        options = {stage: (getattr(self, stage), groups) for stage, groups in GROUPS.items()}
        for name, (chosen, known) in (options | {"without": (self.without, every)}).items():
            if unknown := sorted(set(chosen) - set(known)):
                raise ConfigError(
                    f"features.{name}: expected some of {', '.join(known)}; found {', '.join(unknown)}"
                )
