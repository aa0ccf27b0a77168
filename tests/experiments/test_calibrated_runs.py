"""Runs with a calibration: fitted in training, tested with a least confidence, fitted to a checkpoint afterwards."""

from __future__ import annotations

import json

import pytest
from small_runs import small

from eqparse.commands.main import main
from eqparse.corpus import read_examples, write_jsonl
from eqparse.errors import ConfigError
from eqparse.experiments import runs
from eqparse.experiments.config import (
    OWN_SENTENCES,
    CalibrationConfig,
    CcgConfig,
    DataConfig,
    EncoderConfig,
    EvaluateConfig,
    RelationConfig,
    checked,
)
from eqparse.experiments.runs.sentences import drawn
from eqparse.stages.registry import STAGES
from eqparse.stages.relation import RelationStage
from eqparse.systems.checkpoint import save_checkpoint
from eqparse.systems.load import read_checkpoint

pytestmark = pytest.mark.pipeline


@pytest.fixture(scope="module")
def calibrated(tmp_path_factory):
    """The options and metrics of a run with a calibration."""
    outputs = tmp_path_factory.mktemp("calibrated")
    config = checked(small(outputs, data=DataConfig(limit=90), calibration=CalibrationConfig(folds=2)))
    return config, runs.train_run(config)


def test_a_run_with_a_calibration_measures_its_confidence(calibrated):
    config, metrics = calibrated
    assert 0 <= metrics["calibration_error"] <= 100
    assert metrics["answered_at_95"] <= metrics["answered_at_90"] <= 100
    assert metrics["precision_by_answered"] and metrics["seconds"]["calibrate"] > 0
    lines = (config.folder / "predictions.jsonl").read_text().splitlines()
    assert all("confidence" in json.loads(line) for line in lines)
    assert read_checkpoint(config.checkpoint).parser.calibration.sentences >= 20


def test_a_test_withholds_answers_of_less_confidence(calibrated):
    config, metrics = calibrated

    def evaluated(least, prevalence=None):
        options = EvaluateConfig(
            checkpoint=config.checkpoint, data=config.data, fold=config.fold, outputs=config.outputs,
            run=f"e{least}{prevalence}", min_confidence=least, prevalence=prevalence,
        )
        return runs.evaluate_run(options)

    same, none, rare = evaluated(None), evaluated(1.0), evaluated(None, 1e-6)
    assert rare["without_prediction"] == rare["sentences"]
    assert same["equation_equivalent"] == metrics["equation_equivalent"]
    assert none["without_prediction"] == none["sentences"] and "calibration_error" not in none


def test_a_checkpoint_is_calibrated_on_sentences_that_it_has_not_seen(calibrated, tmp_path, capsys):
    config, _ = calibrated
    examples = drawn(read_examples(OWN_SENTENCES), 160)
    write_jsonl(examples[:100], tmp_path / "some.jsonl")
    write_jsonl(examples[100:], tmp_path / "more.jsonl")
    files = [str(tmp_path / name) for name in ("some.jsonl", "more.jsonl", "some.jsonl")]
    arguments = ["calibrate", config.checkpoint, *files, "--output", str(tmp_path / "new")]
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert "100 of 260 sentences left out, which are there twice" in err
    assert f"{config.data.limit * 4 // 5} of 160 sentences left out" in err and "calibrated on" in out
    before, after = (read_checkpoint(folder).parser.calibration for folder in (config.checkpoint, tmp_path / "new"))
    assert after != before and set(after.temperatures) == set(before.temperatures)
    assert main(["info", str(tmp_path / "new")]) == 0
    assert f"calibration fitted to {after.sentences} answers" in capsys.readouterr().out
    sentence = "The barn is 10 metres longer than the shed."
    asked = ["parse", "--checkpoint", str(tmp_path / "new"), "--alternatives", "2", "--min-confidence", "1", sentence]
    assert main(asked) == 0
    assert "not confident enough" in capsys.readouterr().out.splitlines()[0]


@pytest.mark.parametrize(("options", "message"), [
    ({"calibration": CalibrationConfig(folds=1)}, "at least 2"),
    ({"calibration": CalibrationConfig(folds=3), "inner_folds": 2}, "inner_folds"),
    ({"calibration": CalibrationConfig(folds=3), "system": CcgConfig()}, "system=ccg"),
])
def test_calibrations_that_cannot_be(tmp_path, options, message):
    with pytest.raises(ConfigError, match=f"calibration.folds: .*{message}"):
        checked(small(tmp_path, **options))


@pytest.mark.slow
def test_a_run_learns_to_choose_among_relations(tmp_path):
    config = checked(small(tmp_path, data=DataConfig(limit=120), relation=RelationConfig(folds=2)))
    metrics = runs.train_run(config)
    assert "calibration_error" in metrics
    parser = read_checkpoint(config.checkpoint).parser
    assert parser.relation.scorer.size > 0 and parser.calibration.temperatures["relation"] > 0
    options = {"data": config.data, "fold": config.fold, "outputs": config.outputs, "run": "again"}
    again = runs.evaluate_run(EvaluateConfig(checkpoint=config.checkpoint, **options))
    assert again["equation_equivalent"] == metrics["equation_equivalent"]
    assert config.checkpoint and set(parser.stages) == set(STAGES)


@pytest.mark.slow
def test_a_checkpoint_takes_the_relation_stage_of_another(calibrated, tmp_path, capsys):
    config, _ = calibrated
    unseen = tmp_path / "unseen.jsonl"
    write_jsonl(read_examples(OWN_SENTENCES)[-120:], unseen)
    arguments = ["calibrate", config.checkpoint, str(unseen), "--output", str(tmp_path / "new"), "--relation-of"]
    assert main([*arguments, config.checkpoint]) == 2
    assert "expected a relation stage, found none" in capsys.readouterr().err
    parser = read_checkpoint(config.checkpoint).parser
    parser.relation = RelationStage(groups=("rich",), bits=12)
    other = tmp_path / "other"
    save_checkpoint(
        other, parser, config=read_checkpoint(config.checkpoint).config, metrics={},
        annotator_version=read_checkpoint(config.checkpoint).annotator,
    )
    assert main([*arguments, str(other)]) == 0
    assert read_checkpoint(tmp_path / "new").parser.relation.bits == 12


@pytest.mark.parametrize(("changes", "message"), [
    ({"relation": RelationConfig(folds=1)}, "relation.folds: .*at least 2"),
    ({"relation": RelationConfig(folds=3), "system": CcgConfig()}, "relation.folds: .*system=ccg"),
    ({"relation": RelationConfig(folds=3), "calibration": CalibrationConfig(folds=3)}, "calibration.folds: .*as well"),
    ({"relation": RelationConfig(folds=3, c=0.0)}, "relation.c"),
    (
        {"relation": RelationConfig(folds=3), "calibration": CalibrationConfig(folds=2), "system": EncoderConfig()},
        "calibration.folds: expected 0 or as many",
    ),
])
def test_what_cannot_choose_among_relations_is_refused(tmp_path, changes, message):
    with pytest.raises(ConfigError, match=message):
        checked(small(tmp_path, **changes))
