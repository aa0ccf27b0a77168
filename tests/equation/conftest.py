"""The published scorer as a module."""

from __future__ import annotations

import importlib.util

import pytest


@pytest.fixture(scope="session")
def scorer(shared):
    spec = importlib.util.spec_from_file_location("published_scorer", shared / "tools" / "score.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
