"""The options of the group `system`: the pipeline, or a system that replaces it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hydra.utils import get_object

from eqparse.errors import ConfigError
from eqparse.experiments.config.checks import check_path, check_range
from eqparse.scoring.encoder.encoder import Tuned
from eqparse.scoring.encoder.precision import Precision
from eqparse.systems.encoder.attach import EncoderOptions
from eqparse.systems.encoder.training import Hashed, Loss
from eqparse.systems.system import System


@dataclass
class SystemConfig:
    """The pipeline: one stage after the other.

    `_target_`: import path of the `eqparse.systems.system.System`.
    name: name of the choice, and of runs without an `experiment`.

    All further options are keyword arguments of that system's `train`.
    """

    _target_: str = "eqparse.systems.registry.PIPELINE"
    name: str = "pipeline"

    def check(self) -> None:
        """Raise ConfigError for a system that is not in `SYSTEMS`, or a value out of range."""
        if type(self) is not SYSTEMS.get(self.name):
            raise ConfigError(f"system: expected one of {', '.join(SYSTEMS)}; found {self.name!r}")
        for option in sorted({"beam", "rounds", "epochs"} & vars(self).keys()):
            check_range(f"system.{option}", getattr(self, option), 1, 10_000)

    def system(self) -> System:
        """The system itself. Raises ConfigError if `_target_` is not a system."""
        return find_system(self._target_)

    def options(self) -> dict[str, Any]:
        """The keyword arguments of `train` that only this system has."""
        return {name: value for name, value in vars(self).items() if name not in ("name", "_target_")}


@dataclass
class JointConfig(SystemConfig):
    """One structured SVM over all stages; see `eqparse.systems.joint.training`.

    beam: how many trigger lists of a sentence a tree is searched for.
    rounds: rounds of training.
    """

    _target_: str = "eqparse.systems.registry.JOINT"
    name: str = "joint"
    beam: int = 30
    rounds: int = 4


@dataclass
class EncoderConfig(SystemConfig):
    """The pipeline with scorers that read the text through a pretrained encoder; see `eqparse.systems.encoder`.

    base: the pretrained model: a folder, an installed package, or a name on the hub.
    depth: how many of its layers are used, from the bottom; all by default.
    tuned: what of it is trained: nothing ("frozen"), low-rank adapters, its top layers, or all but its embeddings.
    rank: of the low-rank adapters.
    layers: how many layers `tuned=top` trains.
    marked: whether the variable and the tree stage read the text again, with what the stages before found marked.
    hashed: the hashed features: left out ("none"), trained by themselves and added, trained together ("joint"), or
        trained by themselves first and together from there ("started").
    hashed_weight: what their scores are multiplied by when they are added or started from.
    loss: the negative log-likelihood of the gold structures, or the structured hinge loss.
    epochs: passes over the training sentences.
    batch_size: sentences in a step.
    learning_rate, head_learning_rate: the greatest rate of AdamW, for the encoder and for everything else.
    precision: in which the encoder multiplies while it is trained; "auto" as in `eqparse.load`.
    processes: in which the encoder is trained side by side, each on its share of every batch.
    start: a checkpoint, whose encoder and heads are trained further; by default the base model and new heads are.
    """

    _target_: str = "eqparse.systems.registry.ENCODER"
    name: str = "encoder"
    base: str = EncoderOptions.base
    depth: int | None = EncoderOptions.depth
    tuned: Tuned = Tuned.low_rank
    rank: int = EncoderOptions.rank
    layers: int = EncoderOptions.layers
    marked: bool = EncoderOptions.marked
    hashed: Hashed = Hashed.added
    hashed_weight: float = EncoderOptions.hashed_weight
    loss: Loss = Loss.likelihood
    epochs: int = 6
    batch_size: int = 16
    learning_rate: float = 1e-3
    head_learning_rate: float = 1e-3
    precision: Precision = Precision.float32
    processes: int = 1
    start: str | None = None

    def check(self) -> None:
        super().check()
        check_path("system.base", self.base)
        if self.start is not None:
            check_path("system.start", self.start)
        if self.depth is not None:
            check_range("system.depth", self.depth, 1, 1000)
        for option, most in (("rank", 1024), ("layers", 1000), ("batch_size", 10_000), ("processes", 64)):
            check_range(f"system.{option}", getattr(self, option), 1, most)
        check_range("system.hashed_weight", self.hashed_weight, 0, 1000)
        for option in ("learning_rate", "head_learning_rate"):
            check_range(f"system.{option}", getattr(self, option), 1e-9, 1)


@dataclass
class CcgConfig(SystemConfig):
    """The CCG semantic parser; it ignores the options for features, stages and solver.

    beam: how many constituents a chart cell keeps.
    epochs: passes over the training sentences, at most.
    induce: learn entries for words that the seed lexicon lacks.
    """

    _target_: str = "eqparse.systems.registry.CCG"
    name: str = "ccg"
    beam: int = 30
    epochs: int = 10
    induce: bool = True


CALIBRATED = ("pipeline", "encoder")
"""The systems that can have a calibration."""

SYSTEMS = {"pipeline": SystemConfig, "joint": JointConfig, "encoder": EncoderConfig, "ccg": CcgConfig}
"""The choices of the group."""


def find_system(path: str) -> System:
    """The system at that import path. Raises ConfigError where there is none."""
    found = get_object(path)
    if not isinstance(found, System):
        raise ConfigError(f"system: expected an eqparse.systems.system.System at {path}, found {found!r}")
    return found
