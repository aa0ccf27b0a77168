"""Rows of the tables change one option each, say so by their names, and make parsers that parse."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from hydra import compose, initialize_config_dir
from tiny import hand_made

from eqparse.experiments import config as C
from eqparse.experiments.config import (
    REPOSITORY,
    checked,
)
from eqparse.training.train import build_parser

CONF = REPOSITORY / "conf"
ROWS = sorted(path.stem for path in (CONF / "experiment").glob("*.yaml"))
MENTIONS = hand_made()


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


@pytest.mark.parametrize("features", ["paper", "full"])
@pytest.mark.parametrize("row", ROWS)
def test_a_row_differs_from_the_full_system_in_one_option(row, features):
    changed = composed(f"experiment={row}", f"features={features}")
    full = composed("experiment=full", f"features={features}")
    names = {"experiment", "name", "run", "checkpoint"}
    rest = differences(C.plain(full), C.plain(changed)) - names
    default = {"full", "coreference-rules" if features == "paper" else "coreference-learned"}
    assert changed.experiment == row and changed.features.name == features
    if row in default:
        assert rest == set()
    elif row not in ("joint", "ccg"):  # whole systems of another kind
        assert len(rest) == 1 and rest.pop().partition(".")[0] in ("stage", "features")
        assert C.stage_options(changed) != C.stage_options(full) or row == "tree-no-lexicon"


def test_rows_come_with_the_papers_features_and_have_folders_of_their_own():
    configs = [composed(f"experiment={row}") for row in ROWS]
    assert {config.features.name for config in configs} == {"paper"}
    others = (["features=full"], ["fold=1"], ["seed=1"], ["data.folds=grouped"], ["data.name=x", "data.root=x"])
    configs += [composed(f"experiment={ROWS[0]}", *more) for more in others]
    assert len({config.folder for config in configs}) == len(configs)


def test_groups_are_left_out():
    options = C.stage_options(composed("experiment=tree-no-number", "features=full"))
    assert options.features["tree"] == ("neighbourhood", "connecting", "rich")
    assert options.features["quantity"] == ("neighbourhood", "quantity", "rich")


@pytest.mark.parametrize("row", [row for row in ROWS if row not in ("joint", "ccg")])
def test_every_row_makes_a_parser_that_parses(row):
    parser = build_parser(replace(C.stage_options(composed(f"experiment={row}")), bits=8)).eval()
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for weight in parser.parameters():
            weight.copy_(torch.randn(weight.shape, generator=generator))
    parses = parser.parse_mentions(MENTIONS)
    assert len(parses) == len(MENTIONS) and all(p.equation is not None or p.reason for p in parses)
