"""Fixtures that several test files share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

os.environ.setdefault("OMP_NUM_THREADS", "1")  # the tensors are small: threads would only wait for each other
SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the published sentences and the independent scorer, beside the checkout; skips without it."""
    if not (SHARED / "roy2016").is_dir():
        pytest.skip("the published sentences (../shared/roy2016) are not beside this checkout")
    return SHARED
