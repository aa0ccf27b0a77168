"""Temperatures and the logistic model of a calibration."""

from __future__ import annotations

import math
from dataclasses import asdict, replace

import pytest
import torch
from tiny import examples, random_parser, trained

from eqparse.equation.equation import Equation
from eqparse.errors import CheckpointError, ConfigError, DataError
from eqparse.parser.beam import BeamDecoder
from eqparse.parser.calibration import Calibration
from eqparse.parser.nbest import NBest
from eqparse.parser.texts import Parser
from eqparse.structured.spaces import OneOf
from eqparse.systems.checkpoint import load_checkpoint, save_checkpoint
from eqparse.systems.description import read_calibration
from eqparse.text.mentions import find_mentions
from eqparse.training.calibrate import calibrate, fit_logistic
from eqparse.training.temperatures import HeldOut, Scored, best_temperature


def test_the_temperature_of_samples_is_found():
    generator = torch.Generator().manual_seed(0)
    scores = 3 * torch.randn(2000, 4, generator=generator)
    gold = torch.multinomial((scores / 2.5).softmax(1), 1, generator=generator)
    space = OneOf(torch.ones(2000, 4, dtype=torch.bool))
    lost = torch.full((1, 1), -torch.inf)
    known = Scored(scores, space, torch.cat([scores.gather(1, gold)[:-1], lost]))
    assert best_temperature([known]) == pytest.approx(2.5, rel=0.1)


def test_the_logistic_model_of_samples_is_found():
    generator = torch.Generator().manual_seed(0)
    features = torch.randn(20_000, 2, generator=generator)
    logits = 1.5 * features[:, 0] + 0.5 * features[:, 1] - 0.3
    right = torch.rand(20_000, generator=generator) < logits.sigmoid()
    for increasing in (True, False):
        assert fit_logistic(features, right, increasing=increasing) == pytest.approx((1.5, 0.5, -0.3), abs=0.1)
    assert fit_logistic(-features, right) == pytest.approx((-1.5, -0.5, -0.3), abs=0.1)
    slope, margin, _ = fit_logistic(-features, right, increasing=True)
    assert 0 < slope < 0.1 and 0 < margin < 0.1


def test_confidence_lies_between_0_and_1_and_rises_with_the_evidence():
    calibration = Calibration(slope=2.0, margin=0.5, intercept=0.1)
    assert Calibration().confidence([0.3, 0.2], math.inf) == pytest.approx(0.3)
    found = [calibration.confidence(p, math.inf) for p in ([0.0], [0.3, 0.3], [0.3, 0.1], [0.8, 0.1], [1.0])]
    assert found == sorted(found) and 0 < found[0] < found[-1] < 1
    assert calibration.confidence([0.8], 0.1) < calibration.confidence([0.8], 4.0)


def test_confidence_follows_the_share_of_texts_that_state_an_equation():
    """As a direct count of samples of which some are left out says."""
    generator = torch.Generator().manual_seed(0)
    logit = torch.randn(200_000, generator=generator)
    right = torch.rand(200_000, generator=generator) < logit.sigmoid()
    none = ~right & (torch.rand(200_000, generator=generator) < (0.5 - logit).sigmoid())
    prevalence = 1 - none.double().mean().item()
    fitted = Calibration(sentences=1, none_stated=(-1.0, 0.0, 0.5), prevalence=prevalence)
    rare = ~none & (torch.rand(200_000, generator=generator) < 0.1)  # nine in ten that state one are left out
    expected = fitted.expecting(rare.sum().item() / (rare.sum() + none.sum()).item())
    near = (logit - 1).abs() < 0.1
    counted = (right & rare & near).sum() / ((rare | none) & near).sum()
    at = torch.tensor(1.0).sigmoid().item()
    assert expected.confidence([at], math.inf) == pytest.approx(counted.item(), abs=0.02)
    assert fitted.expecting(prevalence).confidence([at], math.inf) == pytest.approx(at)
    found = [fitted.expecting(share).confidence([at], math.inf) for share in (1e-6, 0.1, 0.5, 0.9, 1 - 1e-6)]
    assert found == sorted(found) and 0 < found[0] < 0.01 and found[-1] <= 1


@pytest.mark.pipeline
def test_a_parser_is_calibrated_and_keeps_it_in_its_checkpoint(tmp_path):
    loaded = trained()
    mentions = [find_mentions(s) for s in loaded.annotator([e.text for e in examples()])]
    parser = loaded.equation_parser
    before = parser.decoder
    found = calibrate([HeldOut(parser, examples(), mentions)])
    assert parser.decoder is before and found.sentences >= 20 and set(found.temperatures) == set(parser.stages)
    assert all(t > 0 for t in found.temperatures.values()) and found.slope > 0
    assert found.prevalence is None  # all that is wrong is of one sort
    parser.decoder = NBest(found)
    try:
        save_checkpoint(tmp_path / "c", parser, config={}, metrics={}, annotator_version="x")
        again = load_checkpoint(tmp_path / "c").parser
        assert again.calibration == found and again.calibration.temperatures == found.temperatures
        parses = parser.parse_mentions(mentions)
        assert [p.confidence for p in again.parse_mentions(mentions)] == [p.confidence for p in parses]
    finally:
        parser.decoder = before
    texts = [e.text for e in examples()]
    reader = Parser(loaded.annotator, again, min_confidence=0.7)
    kept, withheld = reader.parse_batch(texts, alternatives=2), Parser(loaded.annotator, again).parse_batch(texts)
    assert {len(p.alternatives) for p in kept} <= {0, 1, 2} and not any(p.alternatives for p in withheld)
    for some, every in zip(kept, withheld, strict=True):
        low = every.equation is not None and every.confidence < 0.7
        assert (some.reason_code == "low_confidence") == low and some.confidence == every.confidence
        assert some.equation == (None if low else every.equation)
    assert {p.reason_code for p in kept} >= {"", "low_confidence"}
    (marked,) = reader.parse_batch(["**The barn** is 10 metres longer than the shed."], alternatives=3)
    for one in marked.alternatives:
        assert all(marked.text[a:b].strip("*") == marked.text[a:b] for of in one.variables.values() for a, b in of)
    for wrong in ({"alternatives": -1}, {"min_confidence": 2.0}, {"min_confidence": "0.5"}):
        with pytest.raises(ConfigError, match=next(iter(wrong))):
            reader.parse_batch(texts, **wrong)
    for asked in ({"alternatives": 2}, {"min_confidence": 0.5}):
        with pytest.raises(ConfigError, match="eqparse calibrate"):
            loaded.parse_batch(texts, **asked)


@pytest.mark.pipeline
def test_a_calibration_tells_wrong_answers_from_answers_to_texts_that_state_none():
    loaded = trained()
    mentions = [find_mentions(s) for s in loaded.annotator([e.text for e in examples()])]
    others = [
        replace(e, equation=None, variables={}) if n % 4 == 0 else replace(e, equation=Equation.parse("V1 = 123"))
        if n % 4 == 1 and e.equation else e for n, e in enumerate(examples())
    ]
    found = calibrate([HeldOut(loaded.equation_parser, others, mentions)])
    assert found.prevalence == sum(e.equation is not None for e in others) / len(others)
    assert any(found.none_stated)
    evidence = [0.9, 0.05], 2.0
    rare, often = (found.expecting(share).confidence(*evidence) for share in (0.01, 0.99))
    assert rare < found.confidence(*evidence) < often


def test_what_cannot_be_calibrated_is_said():
    with pytest.raises(DataError, match="at least 20 sentences with an answer"):
        calibrate([HeldOut(random_parser(), [], [])])
    joint = random_parser()
    joint.decoder = BeamDecoder()
    with pytest.raises(ConfigError, match="jointly"):
        calibrate([HeldOut(joint, [], [])])


@pytest.mark.parametrize("change", [
    {"slope": -1.0}, {"temperatures": {"tree": 0.0}}, {"temperatures": {"bush": 1.0}}, {"intercept": math.nan},
    {"sentences": -1}, {"further": 1}, {"prevalence": 1.0}, {"odds": 0.0}, {"none_stated": [0.0, math.inf, 0.0]},
])
def test_a_damaged_calibration_is_refused(change):
    good = asdict(Calibration({"tree": 0.5}))
    assert read_calibration(good, "here").temperatures == {"tree": 0.5}
    with pytest.raises(CheckpointError, match="a calibration"):
        read_calibration(good | change, "here")
