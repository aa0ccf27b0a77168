"""A small run that several test files share."""

from __future__ import annotations

import pytest
from small_runs import small

from eqparse.experiments import runs
from eqparse.experiments.config import checked


@pytest.fixture(scope="session")
def trained(tmp_path_factory):
    """The options and the metrics of a run, whose files no test may change."""
    config = checked(small(tmp_path_factory.mktemp("run")))
    return config, runs.train_run(config)
