"""Folds of the training sentences: which sentences are trained on and tested, and which ones were seen before."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch

from eqparse.corpus.example import Example
from eqparse.experiments.config import CalibrationConfig, DataConfig, EncoderConfig, Folds, TrainConfig
from eqparse.experiments.runs import evaluation, inner
from eqparse.experiments.runs.inner import inner_splits
from eqparse.experiments.runs.sentences import AnnotatedSplit
from eqparse.parser.calibration import Calibration
from eqparse.training.temperatures import HeldOut


def split_of(own: int, test: int, auxiliary: int) -> AnnotatedSplit:
    """So many sentences of a run's own to train on and to test on, and so many auxiliary ones."""
    examples = [Example(str(n), f"rope{n} " * 9, None, {}) for n in range(own + test + auxiliary)]
    train = [*range(own), *range(own + test, len(examples))]
    return AnnotatedSplit(examples, train, [*range(own, own + test)], frozenset(
        e.id for e in examples[own + test :]), mentions=[None] * len(examples))


@pytest.mark.parametrize("folds", [Folds.random, Folds.grouped])
def test_auxiliary_sentences_are_trained_on_and_never_tested(folds):
    split = split_of(7, 2, 5)
    config = TrainConfig(data=DataConfig(folds=folds))
    found = list(inner_splits(config, split, 3, progress=lambda *_: None))
    assert sorted(i for _, test in found for i in test) == [*range(7)]
    assert all(sorted(train + test) == split.train for train, test in found)


def test_a_calibration_on_sentences_that_were_seen_before_is_warned_of(monkeypatch, tmp_path):
    split, parser, warned = split_of(6, 2, 0), SimpleNamespace(decoder=None), []
    held_out = [HeldOut(None, *split.part(part)) for part in ([0, 1, 2], [3, 4, 5])]
    monkeypatch.setattr(inner, "inner_parsers", lambda *_, **__: held_out)
    monkeypatch.setattr(inner, "calibrate", lambda *_, **__: Calibration(sentences=6))
    monkeypatch.setattr(evaluation, "trained_with", lambda folder: ({"folder": folder}, {}))
    monkeypatch.setattr(evaluation, "training_texts", lambda *_: {e.text for e in split.examples[:4]})
    monkeypatch.setattr(evaluation.log, "warning", lambda message, *given: warned.append(message % given))
    for start, said in ((None, []), (str(tmp_path), [
        "it was trained on 4 of the sentences of the calibration, so the figures are too high"])):
        config = TrainConfig(system=EncoderConfig(start=start), calibration=CalibrationConfig(folds=2))
        inner.compare(config, split, parser, device=torch.device("cpu"), progress=lambda *_: None)
        assert warned == said and parser.decoder.calibration.sentences == 6
    assert evaluation.seen_before(config, split.part(split.test)[0]) == {"seen_in_training": 0}
