"""The groups `relation` and `calibration`: what is learnt from parsers of parts of the training sentences."""

from __future__ import annotations

from dataclasses import dataclass

from eqparse.errors import ConfigError
from eqparse.experiments.config.checks import check_range
from eqparse.experiments.config.system import CALIBRATED
from eqparse.parser.calibration import LEAST_CONFIDENCE


@dataclass
class RelationConfig:
    """The relation stage, which chooses among the most probable relations.

    folds: how many linear pipelines to train on parts of the training sentences, so that the stage learns from what
        they find for the rest of these; 0 for no such stage. With system=pipeline they calibrate the parser as well.
    c: what solver.c is to the other stages.
    """

    folds: int = 0
    c: float = 0.03

    def check(self, system: str, calibration: int, *, inner_folds: int) -> None:
        """Raise ConfigError for a value out of range, and where it cannot be combined with other folds."""
        check_folds("relation.folds", self.folds, system, inner_folds=inner_folds)
        check_range("relation.c", self.c, 1e-6, 10**6)
        if self.folds and system == "pipeline" and calibration:
            raise ConfigError("calibration.folds: expected 0 with relation.folds, whose parsers calibrate as well")
        if self.folds and calibration not in (0, self.folds):
            raise ConfigError(
                f"calibration.folds: expected 0 or as many as relation.folds, {self.folds}, so that no part is "
                f"judged by what has learnt from it; found {calibration}"
            )


@dataclass
class CalibrationConfig:
    """What makes probabilities of a parser's scores.

    folds: how many parsers to train on parts of the training sentences and to fit the calibration to the rest of these;
        0 for no calibration.
    least: the confidence with which a parser that has a calibration and a refusal stage answers.
    """

    folds: int = 0
    least: float = LEAST_CONFIDENCE

    def check(self, system: str, *, inner_folds: int) -> None:
        """Raise ConfigError for a value out of range, and where no calibration can be fitted."""
        check_folds("calibration.folds", self.folds, system, inner_folds=inner_folds)
        check_range("calibration.least", self.least, 0, 0.99)


def check_folds(name: str, folds: int, system: str, *, inner_folds: int) -> None:
    """Raise ConfigError for a number of folds out of range, and where no probabilities can be had."""
    check_range(name, folds, 0, 100)
    if folds == 1:
        raise ConfigError(f"{name}: expected 0 for none, or at least 2; found 1")
    if folds and system not in CALIBRATED:
        raise ConfigError(
            f"{name}: expected 0 with system={system}, whose scores stand for no probabilities; found {folds}; "
            f"{' and '.join(CALIBRATED)} can have it above 0"
        )
    if folds and inner_folds:
        raise ConfigError(f"{name}: expected 0 with inner_folds, whose parsers are not kept")
