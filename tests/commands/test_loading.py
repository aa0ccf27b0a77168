"""Loading without looking for garbage."""

from __future__ import annotations

import gc
import sys

import pytest

from eqparse.commands.loading import uncollected


def test_nothing_is_collected_while_libraries_load(monkeypatch):
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    monkeypatch.setattr(gc, "freeze", lambda: None)
    with pytest.raises(KeyError), uncollected():
        assert not gc.isenabled()
        raise KeyError
    assert gc.isenabled()


def test_a_process_with_torch_is_not_changed(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with uncollected():
        assert gc.isenabled()
