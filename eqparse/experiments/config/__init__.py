"""The typed options of a run: one file for each group, with the defaults and ranges of its options.

They work without Hydra: `train_run(TrainConfig(fold=3))`. docs/configuration.md describes them for users.
"""

from eqparse.experiments.config.calibration import CalibrationConfig, RelationConfig
from eqparse.experiments.config.data import FOLDS, OWN_SENTENCES, REPOSITORY, DataConfig, Folds, data_config, data_path
from eqparse.experiments.config.door import checked, compose, plain, unknown_key
from eqparse.experiments.config.features import GROUPS, FeaturesConfig
from eqparse.experiments.config.run import (
    ALL,
    LOGGERS,
    METRICS,
    AnnotatorConfig,
    EvaluateConfig,
    LoggerConfig,
    RunConfig,
    TrainConfig,
    WandbConfig,
)
from eqparse.experiments.config.solver import SOLVERS, BcfwConfig, SolverConfig, SubgradientConfig
from eqparse.experiments.config.system import SYSTEMS, CcgConfig, EncoderConfig, JointConfig, SystemConfig, find_system
from eqparse.experiments.config.words import RENAMED, check_words
from eqparse.training.options import StageClasses, StageOptions

__all__ = [
    "ALL",
    "FOLDS",
    "GROUPS",
    "LOGGERS",
    "METRICS",
    "OWN_SENTENCES",
    "RENAMED",
    "REPOSITORY",
    "SOLVERS",
    "SYSTEMS",
    "AnnotatorConfig",
    "BcfwConfig",
    "CalibrationConfig",
    "CcgConfig",
    "DataConfig",
    "EncoderConfig",
    "EvaluateConfig",
    "FeaturesConfig",
    "Folds",
    "JointConfig",
    "LoggerConfig",
    "RelationConfig",
    "RunConfig",
    "SolverConfig",
    "StageClasses",
    "StageOptions",
    "SubgradientConfig",
    "SystemConfig",
    "TrainConfig",
    "WandbConfig",
    "check_words",
    "checked",
    "compose",
    "data_config",
    "data_path",
    "find_system",
    "plain",
    "unknown_key",
]
