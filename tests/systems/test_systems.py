"""Whole runs of the systems beside the pipeline: what they write, and that their checkpoints predict the same."""

from __future__ import annotations

from dataclasses import replace

import pytest
from small_runs import small, unmarked

from eqparse import load
from eqparse.commands.main import main
from eqparse.errors import CheckpointError, ConfigError
from eqparse.experiments import runs
from eqparse.experiments.config import (
    BcfwConfig,
    CcgConfig,
    EvaluateConfig,
    JointConfig,
    checked,
)
from eqparse.systems.ccg.checkpoint import FILE
from eqparse.training.metrics import CRITERIA
from eqparse.training.predictions import prediction_line, read_predictions

SYSTEMS = {"joint": JointConfig(beam=10, rounds=2), "ccg": CcgConfig(beam=8, epochs=2)}


@pytest.mark.pipeline
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_run_and_the_evaluation_of_its_checkpoint_agree(system, tmp_path, capsys):
    config = checked(small(tmp_path, system=SYSTEMS[system], solver=BcfwConfig(max_epochs=4), cache="none"))
    assert config.experiment == system
    metrics = runs.train_run(config)
    assert {p.name for p in config.folder.iterdir()} == {
        "metrics.json", "predictions.jsonl", "verdicts.jsonl", "config.yaml", "checkpoint"
    }
    assert len(read_predictions(config.folder / "predictions.jsonl")) == 8
    assert system in metrics["solver"] and metrics["solver"][system]["problems"] > 10
    assert not {"quantity_list", "variable_list", "tree"} & metrics.keys()
    evaluate = EvaluateConfig(
        data=config.data, fold=1, checkpoint=config.checkpoint, outputs=str(tmp_path / "again"), cache="none"
    )
    again = runs.evaluate_run(evaluate)
    assert {name: again[name] for name in CRITERIA} == {name: metrics[name] for name in CRITERIA}
    assert again["seen_in_training"] == 0
    first, second = (config.folder, checked(evaluate).folder)
    assert (first / "predictions.jsonl").read_bytes() == (second / "predictions.jsonl").read_bytes()
    predictions = read_predictions(first / "predictions.jsonl")
    assert any(p.equation is not None for p in predictions.values())
    texts, written = unmarked(first / "predictions.jsonl")
    parses = load(config.checkpoint).parse_batch(list(texts.values()))
    assert [prediction_line(id_, parse) for id_, parse in zip(texts, parses, strict=True)] == written
    assert main(["info", config.checkpoint]) == 0 and len(capsys.readouterr().out.splitlines()) > 4
    assert main(["parse", next(iter(texts.values())), "--checkpoint", config.checkpoint]) == 0
    assert capsys.readouterr().out == f"{parses[0]}\n"
    assert main(["parse", "a", "--checkpoint", config.checkpoint, "--device", "meta"]) == 2
    if system == "ccg":
        (config.folder / "checkpoint" / FILE).write_text("{}")
        with pytest.raises(CheckpointError, match="train it again"):
            runs.evaluate_run(evaluate)


@pytest.mark.parametrize("option", ["beam", "rounds"])
def test_an_option_out_of_range_is_refused_by_name(option, tmp_path):
    config = small(tmp_path, system=SYSTEMS["joint"])
    with pytest.raises(ConfigError, match=f"system.{option}"):
        checked(replace(config, system=replace(config.system, **{option: 0})))


def test_an_unknown_system_is_refused(tmp_path):
    config = small(tmp_path, system=SYSTEMS["joint"])
    with pytest.raises(ConfigError, match="pipeline, joint, encoder, ccg"):
        checked(replace(config, system=replace(config.system, name="spf")))


@pytest.mark.parametrize("ablation", ["projective", "independent_quantities"])
def test_joint_learning_refuses_what_it_cannot_do(ablation, tmp_path):
    config = small(tmp_path, system=SYSTEMS["joint"])
    stage = replace(config.stage, **{ablation: ablation != "projective"})
    with pytest.raises(ConfigError, match=f"stage.{ablation}"):
        runs.train_run(replace(config, stage=stage))
