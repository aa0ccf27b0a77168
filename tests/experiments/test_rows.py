"""Rows of the tables change one option each, say so by their names, and make parsers that parse."""

from __future__ import annotations

from functools import cache

import pytest
import torch
from hydra import compose, initialize_config_dir
from tiny import hand_made

from eqparse.experiments import config as C
from eqparse.experiments.config import REPOSITORY, checked
from eqparse.training.train import build_parser

CONF = REPOSITORY / "conf"
ROWS = sorted(path.stem for path in (CONF / "experiment").glob("*.yaml"))
SYSTEMS = ("joint", "ccg", *(row for row in ROWS if row.startswith("encoder")))  # of another kind
MENTIONS = hand_made()


@cache
def composed(*overrides: str):
    with initialize_config_dir(version_base="1.3", config_dir=str(CONF)):
        return checked(compose("train", overrides=["logger=none", *overrides]))


def differences(a: dict, b: dict, prefix: str = "") -> set[str]:
    found = set()
    for name in a.keys() | b.keys():
        x, y = a.get(name), b.get(name)
        if isinstance(x, dict) and isinstance(y, dict):
            found |= differences(x, y, f"{prefix}{name}.")
        elif x != y:
            found.add(f"{prefix}{name}")
    return found


@pytest.mark.parametrize("preset", ["paper", "full"])
@pytest.mark.parametrize("row", ROWS)
def test_a_row_differs_from_the_pipeline_in_one_option(row, preset):
    changed = composed(f"experiment={row}", f"preset={preset}")
    unchanged = composed("experiment=pipeline", f"preset={preset}")
    names = {"experiment", "name", "run", "checkpoint"}
    rest = differences(C.plain(unchanged), C.plain(changed)) - names
    default = {"pipeline", "coreference-rules" if preset == "paper" else "coreference-learned"}
    assert changed.experiment == row and changed.features.name == preset
    if row in default:
        assert rest == set()
    elif row not in SYSTEMS:
        assert len(rest) == 1 and rest.pop().partition(".")[0] in ("stage", "features")
        assert (changed.features.groups(), changed.stage) != (unchanged.features.groups(), unchanged.stage)


@pytest.mark.parametrize("row", [row for row in SYSTEMS if row.startswith("encoder-")])
def test_a_row_of_the_encoder_differs_from_it_in_one_option(row):
    rest = differences(C.plain(composed("experiment=encoder")), C.plain(composed(f"experiment={row}")))
    rest -= {"experiment", "name", "run", "checkpoint"}
    if row in ("encoder-top", "encoder-whole"):  # whole layers want a smaller rate than adapters
        rest.remove("system.learning_rate")
    assert len(rest) == 1 and rest.pop().partition(".")[0] in ("system", "stage")


def test_rows_take_the_features_that_are_asked_for_and_have_folders_of_their_own():
    configs = [composed(f"experiment={row}") for row in ROWS]
    assert {config.features.name for config in configs} == {"full"}
    others = (["preset=paper"], ["fold=1"], ["seed=1"], ["data.folds=grouped"], ["data.name=x", "data.root=x"])
    configs += [composed(f"experiment={ROWS[0]}", *more) for more in others]
    assert len({config.folder for config in configs}) == len(configs)


def test_groups_are_left_out():
    groups = composed("experiment=tree-no-number").features.groups()
    assert groups["tree"] == ("neighbourhood", "connecting", "rich")
    assert groups["quantity"] == ("neighbourhood", "quantity", "rich")


@pytest.mark.parametrize("row", [row for row in ROWS if row not in ("joint", "ccg")])
def test_every_row_makes_a_parser_that_parses(row):
    config = composed(f"experiment={row}", "preset=paper", "stage.bits=8")
    parser = build_parser(features=config.features.groups(), options=config.stage).eval()
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for weight in parser.parameters():
            weight.copy_(torch.randn(weight.shape, generator=generator))
    parses = parser.parse_mentions(MENTIONS)
    assert len(parses) == len(MENTIONS) and all(p.equation is not None or p.reason for p in parses)
