"""Rows of the tables change what they say and nothing else; sweeps skip what is done and name what failed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import torch
from hydra import compose, initialize_config_dir
from tiny import hand_made

from eqparse.analysis.corpus_statistics import against_syntax
from eqparse.corpus import assign_folds, read_examples
from eqparse.equation.comparison import same_form
from eqparse.equation.equation import Equation
from eqparse.errors import ConfigError
from eqparse.experiments import config as C
from eqparse.experiments import runs
from eqparse.experiments.config import (
    REPOSITORY,
    BcfwConfig,
    DataConfig,
    FeaturesConfig,
    StageConfig,
    TrainConfig,
    checked,
)
from eqparse.experiments.run_hash import source_digest
from eqparse.experiments.sweeps import finished, resumable
from eqparse.scoring.features.tokens import TokenTable
from eqparse.scoring.features.tree import TreeParts
from eqparse.stages.base import Task
from eqparse.stages.derivation import NODE_LABELS, gold_trees, tree_equation
from eqparse.stages.lexicon import Lexicon
from eqparse.stages.nonprojective import SubsetTreeStage
from eqparse.stages.quantity import QuantityStage
from eqparse.stages.syntax import constituents, crosses_constituent
from eqparse.stages.tree import TreeProblem, TreeStage
from eqparse.stages.variable import VariableProblem, VariableStage, structures
from eqparse.structured.spaces import AnySubset, NonEmptySubset
from eqparse.structured.spaces.subset_trees import splits
from eqparse.structured.svm import BlockCoordinateFrankWolfe
from eqparse.systems.registry import PIPELINE
from eqparse.text.triggers import trigger_list
from eqparse.training.metrics import read_predictions
from eqparse.training.train import build_parser

CONF = REPOSITORY / "conf"
ROWS = sorted(path.stem for path in (CONF / "experiment").glob("*.yaml"))
TREE_GROUPS = ("neighbourhood", "connecting", "number", "rich")
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


def tree_problems() -> list[TreeProblem]:
    """All quantities and the first and the last phrase: 3 to 5 leaves."""
    return [
        TreeProblem(m, trigger_list(m, range(len(m.quantities)), [("V1", 0), ("V2", len(m.candidates) - 1)]))
        for m in MENTIONS
    ]


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


# --- quantities decided one by one


def test_independent_quantities_are_binary_classifiers():
    """The structured hinge of a sentence is the sum of its quantities' hinges, so the weights are those of one
    classifier that sees each quantity as a problem of its own."""
    gold = [tuple(range(0, len(m.quantities), 2)) for m in MENTIONS]
    stage = QuantityStage(groups=("neighbourhood", "quantity"), bits=8, independent=True)
    options = {"max_epochs": 400, "tolerance": 1e-5, "planes": 20}
    tasks = [Task(m, [g]) for m, g in zip(MENTIONS, gold, strict=True)]
    stage.fit(tasks, BlockCoordinateFrankWolfe(regularization=1 / len(tasks), **options))

    batch = stage.batch(MENTIONS)
    assert isinstance(batch.space, AnySubset)
    inside = batch.space.mask.flatten().nonzero().flatten()
    features = torch.zeros(len(inside), 2**8)
    features.index_put_((batch.inputs.row, batch.inputs.bucket), torch.ones(len(batch.inputs.row)), accumulate=True)
    sign = torch.tensor([1.0 if i in g else -1.0 for m, g in zip(MENTIONS, gold, strict=True)
                         for i in range(len(m.quantities))])

    def objective(weight):  # 1/2 ||w||^2 + sum over quantities of max(0, 1 - y w.x): an ordinary binary SVM
        return weight.square().sum() / 2 + (1 - sign * (features @ weight)).clamp_min(0).sum()

    best = torch.zeros(2**8, requires_grad=True)
    solver = torch.optim.SGD([best])
    for step in range(4000):
        solver.param_groups[0]["lr"] = 1 / (10 + step)
        solver.zero_grad()
        objective(best).backward()
        solver.step()
    found = stage.scorer.weight[:, 0].detach()
    best = best.detach()
    assert float(objective(found)) <= float(objective(best)) * 1.01
    assert (found - best).abs().max() < 0.05


def test_no_quantity_at_all_may_be_the_answer():
    for independent, space in ((True, AnySubset), (False, NonEmptySubset)):
        stage = QuantityStage(groups=("quantity",), bits=8, independent=independent).eval()
        batch = stage.batch(MENTIONS)
        assert isinstance(batch.space, space)
        chosen = stage.decode(batch.space.argmax(stage.scores(batch) - 1).parts)
        assert all(len(c) == 0 for c in chosen) == independent


# --- phrases and quantities


def test_a_phrase_overlaps_no_quantity_that_counts_where_that_can_be():
    free, strict = (VariableStage(groups=("variable",), bits=8, overlap=o).eval() for o in (True, False))
    problems = [VariableProblem(m, tuple(range(len(m.quantities)))) for m in MENTIONS]
    masks = [stage.batch(problems).space.mask for stage in (free, strict)]
    for m, before, after in zip(MENTIONS, *masks, strict=True):
        numbers = {p for q in m.quantities for p in range(q.start, q.end)}
        over = [sum(bool(numbers & set(range(*m.candidates[c][2:4]))) for c in set(s)) for s in structures(m)]
        assert before.sum() == len(over)
        assert after[: len(over)].tolist() == [n == min(over) for n in over] and not after[len(over) :].any()
    assert (masks[1] != masks[0]).any()
    assert (strict.train().batch(problems).space.mask == masks[0]).all()
    without = [VariableProblem(m, ()) for m in MENTIONS]
    assert (strict.eval().batch(without).space.mask == masks[0]).all()


# --- trees


def test_a_projective_node_looks_the_same_without_projectivity():
    torch.manual_seed(0)
    for use in ("constraint", "feature"):
        options = {"groups": TREE_GROUPS, "bits": 12, "lexicon": Lexicon.load(), "lexicon_use": use, "syntactic": True}
        chart, subsets = TreeStage(**options).eval(), SubsetTreeStage(**options).eval()
        with torch.no_grad():
            chart.scorer.weight.normal_()
            subsets.scorer.weight.copy_(chart.scorer.weight)
            first, second = chart.batch(tree_problems()), subsets.batch(tree_problems())
            scores, others = chart.scores(first), subsets.scores(second)
        n = scores.shape[1]
        i, k, following, j = torch.from_numpy(splits(n).ends).T
        whole = k + 1 == following
        torch.testing.assert_close(others[:, whole], scores[:, i[whole], k[whole], j[whole]])
        # and what is best of more structures is at least as good
        free = TreeStage(groups=TREE_GROUPS, bits=12).eval(), SubsetTreeStage(groups=TREE_GROUPS, bits=12).eval()
        spaces = [stage.batch(tree_problems()).space for stage in free]
        values = [space.argmax(s).value for space, s in zip(spaces, (scores, others), strict=True)]
        assert (values[1] >= values[0] - 1e-4).all() and (values[1] > values[0] + 0.1).any()


def test_trees_over_subsets_are_arranged_so_that_they_say_what_they_should():
    stage = SubsetTreeStage(groups=TREE_GROUPS, bits=8)
    (m,) = hand_made(
        "The/DT/1/det shed/NN/2/nsubj is/VBZ/2/ROOT 4/CD/4/nummod feet/NNS/5/npadvmod wider/JJR/2/acomp than/IN/5/prep "
        "the/DT/8/det barn/NN/6/pobj plus/CC/8/cc 9/CD/8/conj"
    )
    phrases = {m.sentence.text[c.start : c.end]: n for n, c in enumerate(m.candidates)}
    triggers = trigger_list(m, (0, 1), [("V1", phrases["The shed"]), ("V2", phrases["the barn"])])
    for text in ("V1 = (4 - V2) * 9", "V1 * V2 = 4 - 9", "V1 - 9 = V2 / 4", "9 / V1 = V2 - 4"):
        equation = Equation.parse(text)
        (tree,) = stage.gold(equation, triggers)
        assert gold_trees(equation, triggers) == () or text.startswith("V1 = (4")
        leaves, nodes = stage.arrange(tree, triggers)
        assert sorted(leaves, key=lambda t: t.start) == list(triggers)
        assert same_form(equation, tree_equation(nodes, leaves), strict=True)
        shape = (len(splits(4).left), stage.labels)
        parts = torch.zeros(1, *shape)
        parts.view(-1)[torch.from_numpy(stage.encode(tree, None, shape))] = 1
        assert stage.decode(parts) == [tree]


def test_a_projective_gold_tree_is_one_of_those_over_subsets():
    chart, subsets = TreeStage(groups=TREE_GROUPS, bits=8), SubsetTreeStage(groups=TREE_GROUPS, bits=8)
    (m,) = hand_made()[:1]
    triggers = trigger_list(m, (0,), [("V1", 0), ("V2", len(m.candidates) - 1)])
    equation = tree_equation([(0, 0, 2, 0), (1, 1, 2, 1)], triggers)
    arranged = {subsets.arrange(tree, triggers) for tree in subsets.gold(equation, triggers)}
    assert {(triggers, tree) for tree in chart.gold(equation, triggers)} <= arranged


def test_the_lexicon_as_a_feature_restricts_nothing_and_can_be_learned():
    lexicon = Lexicon.load()
    as_feature = TreeStage(groups=("connecting",), bits=10, lexicon=lexicon, lexicon_use="feature").eval()
    plain = TreeStage(groups=("connecting",), bits=10)
    strict = TreeStage(groups=("connecting",), bits=10, lexicon=lexicon)
    problems = tree_problems()
    counts = [len(stage.batch(problems).inputs.bucket) for stage in (plain.eval(), strict.eval(), as_feature)]
    assert counts[0] == counts[1] < counts[2] == len(as_feature.train().batch(problems).inputs.bucket)
    zero = torch.zeros(as_feature.batch(problems).inputs.shape)
    free, held = (stage.eval().batch(problems).space.log_partition(zero) for stage in (as_feature, strict))
    assert (free >= held).all() and (free > held).any()


def boats() -> TreeProblem:
    """Four leaves, of which "2 plus 3" and "boats of 4 sails" are the constituents."""
    (m,) = hand_made(
        "2/CD/3/nsubj plus/CC/0/cc 3/CD/0/conj equals/VBZ/3/ROOT boats/NNS/3/dobj of/IN/4/prep 4/CD/7/nummod "
        "sails/NNS/5/pobj"
    )
    phrases = {m.sentence.text[c.start : c.end]: n for n, c in enumerate(m.candidates)}
    return TreeProblem(m, trigger_list(m, range(3), [("V1", phrases["boats"])]))


@pytest.mark.parametrize(
    ("text", "against"),
    [("2 + 3 = V1 * 4", False), ("2 + (3 * V1) = 4", True), ("2 = 3 + V1 + 4", True), ("V1 * 4 = 3 - 2", False)],
)
def test_an_equation_is_against_the_syntax_when_each_of_its_trees_is(text, against):
    problem = boats()
    assert against_syntax(Equation.parse(text), problem) == against
    assert gold_trees(Equation.parse(text), problem.triggers)


def test_no_node_crosses_a_constituent():
    problem = boats()
    m, triggers = problem.mentions, problem.triggers
    assert [(t.first, t.last) for t in triggers] == [(0, 0), (2, 2), (4, 4), (6, 6)]
    assert constituents(m.sentence, triggers) == [(0, 1), (0, 3), (2, 3)]
    stage = TreeStage(groups=TREE_GROUPS, bits=8, syntactic=True)
    space = stage.eval().batch([problem]).space
    # of the 5 shapes over 4 leaves only ((0 1) (2 3)) is left, with any of 6 operations at both inner nodes
    zero = torch.zeros(stage.batch([problem]).inputs.shape)
    assert space.log_partition(zero).exp().item() == pytest.approx(36)
    assert stage.train().batch([problem]).space.log_partition(zero).exp().item() == pytest.approx(5 * 36)


def test_crossing_is_sharing_leaves_when_neither_holds_the_other():
    problems = tree_problems()
    parts = TreeParts.build([p.triggers for p in problems], TokenTable([p.mentions for p in problems]))
    found = crosses_constituent([(p.mentions.sentence, p.triggers) for p in problems], parts)
    for node, crosses in zip(parts.node.tolist(), found.tolist(), strict=True):
        owner, i, _, j = node
        leaves, problem = set(range(i, j + 1)), problems[owner]
        held = [set(range(p, q + 1)) for p, q in constituents(problem.mentions.sentence, problem.triggers)]
        assert crosses == any(leaves & c and leaves - c and c - leaves for c in held)
    whole = parts.node[:, 3] - parts.node[:, 1] + 1 == parts.size[parts.node[:, 0]]
    assert not np.array(found)[whole].any()


def test_the_root_alone_takes_equality_in_every_variant():
    for make in (TreeStage, SubsetTreeStage):
        stage = make(groups=TREE_GROUPS, bits=8, lexicon=Lexicon.load(), syntactic=True).eval()
        batch = stage.batch(tree_problems())
        for tree in stage.decode(batch.space.argmax(torch.randn(batch.inputs.shape)).parts):
            assert [NODE_LABELS[node[-1]] for node in tree].count("=") == 1


# --- runs


def small(outputs: Path, **options) -> TrainConfig:
    options = {"data": DataConfig(limit=40), "solver": BcfwConfig(max_epochs=2), "fold": 1} | options
    return TrainConfig(outputs=str(outputs), **options)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    config = checked(small(tmp_path_factory.mktemp("run")))
    return config, runs.train_run(config)


@pytest.mark.pipeline
def test_a_finished_run_is_read_and_never_replaced_by_one_with_other_options(trained, tmp_path):
    config, metrics = trained
    made = []

    def run(config, **_):
        made.append(config)
        return {}

    assert resumable(run)(config) == metrics and made == []
    assert finished(replace(config, threads=2, cache="none", score="tree")) == metrics
    for other, option in (
        (replace(config, solver=BcfwConfig(max_epochs=3)), r"solver\.max_epochs"),
        (replace(config, stage=StageConfig(syntactic=True)), r"stage\.syntactic"),
        (replace(config, features=FeaturesConfig(without=["tree.rich"])), r"features\.\w+"),
    ):
        with pytest.raises(ConfigError, match=rf"other options \({option}.*name=.*resume=false"):
            resumable(run)(other)
        assert resumable(run)(replace(other, resume=False)) == {}
    for same in (replace(config, outputs=str(tmp_path)), replace(config, checkpoint=str(tmp_path / "none"))):
        assert resumable(run)(same) == {}
    assert len(made) == 5


@pytest.mark.pipeline
def test_a_run_on_other_sentences_or_by_other_code_is_made_again(trained, monkeypatch, tmp_path):
    config, metrics = trained
    own = tmp_path / "own.jsonl"
    lines = C.OWN_SENTENCES.read_text(encoding="utf-8").splitlines()[:40]
    own.write_text("\n".join(lines) + "\n", encoding="utf-8")
    monkeypatch.setattr(C, "OWN_SENTENCES", own)
    assert finished(config) == metrics
    own.write_text("\n".join([*lines[1:], lines[0]]) + "\n", encoding="utf-8")
    assert finished(config) is None
    own.write_text("\n".join(lines) + "\n", encoding="utf-8")
    monkeypatch.setattr("eqparse.experiments.run_hash.code_digest", lambda: "another")
    assert finished(config) is None


@pytest.mark.pipeline
def test_a_run_with_other_rules_or_classes_of_ones_own_is_made_again(tmp_path, monkeypatch):
    rules, base, own = tmp_path / "rules.toml", tmp_path / "own_base.py", tmp_path / "own_stage.py"
    rules.write_text('[[rule]]\nname = "mine"\noperation = "+"\nmiddle = ["beside"]\n')
    base.write_text("from eqparse.stages.quantity import QuantityStage as Base\nclass Own(Base):\n    pass\n")
    own.write_text("from own_base import Own\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    stage = StageConfig(lexicon_file=str(rules), classes=C.ClassesConfig(quantity="own_stage.Own"))
    config = checked(small(tmp_path / "outputs", stage=stage))
    metrics = runs.train_run(config)
    assert finished(config) == metrics
    for path in (rules, base, own):
        before = path.read_text()
        path.write_text(before + "# changed\n")
        source_digest.cache_clear()
        assert finished(config) is None
        path.write_text(before)
        source_digest.cache_clear()
        assert finished(config) == metrics
    rules.unlink()
    assert finished(config) is None


@pytest.mark.pipeline
@pytest.mark.parametrize(
    ("system", "file"), [(C.SystemConfig(), "model.safetensors"), (C.CcgConfig(epochs=1), "ccg.json")]
)
def test_a_run_whose_checkpoint_is_now_anothers_is_not_finished(tmp_path, system, file):
    options = {"checkpoint": str(tmp_path / "m"), "solver": C.SubgradientConfig(epochs=1), "system": system}
    data = DataConfig(limit=20)
    first, second = (checked(small(tmp_path, fold=fold, data=data, **options)) for fold in (0, 1))
    metrics = runs.train_run(first)
    assert finished(first) == metrics
    later = runs.train_run(second)
    assert finished(first) is None and finished(second) == later
    weights = Path(second.checkpoint, file)
    weights.write_bytes(weights.read_bytes()[:-9])
    assert finished(second) is None


@pytest.mark.pipeline
@pytest.mark.parametrize("damage", ["{", "[]", ""])
def test_a_run_with_broken_files_is_not_finished(trained, tmp_path, damage):
    config, metrics = trained
    shutil.copytree(config.outputs, tmp_path / "copy")
    copy = checked(replace(config, outputs=str(tmp_path / "copy"), checkpoint=config.checkpoint))
    assert finished(copy) == metrics
    (copy.folder / "metrics.json").write_text(damage)
    assert finished(copy) is None


@pytest.mark.pipeline
def test_inner_folds_see_no_test_sentence(tmp_path, monkeypatch):
    seen: set[str] = set()

    def record(examples, mentions, **options):
        seen.update(e.id for e in examples)
        return PIPELINE.train(examples, mentions, **options)

    monkeypatch.setattr("eqparse.systems.registry.PIPELINE", replace(PIPELINE, train=record))
    config = checked(small(tmp_path, inner_folds=2))
    metrics = runs.train_run(config)
    examples = read_examples(C.OWN_SENTENCES)[:40]
    dealt = zip(examples, assign_folds(examples, method="random", seed=0), strict=True)
    test = {example.id for example, fold in dealt if fold == 1}
    predicted = {p.id for p in read_predictions(config.folder / "predictions.jsonl")}
    assert len(predicted) == metrics["train_sentences"] == 32 and predicted == seen
    assert not predicted & test and len(metrics["inner_folds"]) == 2
    both = [fold["tree"] for fold in metrics["inner_folds"]]
    assert metrics["tree"] == pytest.approx(sum(both) / 2, abs=0.01)
    assert not Path(config.checkpoint).exists() and config.folder.name.endswith("-inner2")
    assert finished(config) == json.loads((config.folder / "metrics.json").read_text())


def sweep(*overrides: str, cwd: Path) -> subprocess.CompletedProcess:
    path = os.pathsep.join([str(REPOSITORY), os.environ.get("PYTHONPATH", "")])
    few = ["data.limit=20", "solver.max_epochs=1", "logger=none"]
    return subprocess.run(
        [sys.executable, str(REPOSITORY / "train.py"), "-m", *few, *overrides], cwd=cwd, capture_output=True, text=True,
        timeout=300, env=os.environ | {"PYTHONPATH": path, "HYDRA_FULL_ERROR": "0", "OMP_NUM_THREADS": "1"},
    )


def folders(outputs: Path) -> set[str]:
    return {path.parent.relative_to(outputs).as_posix() for path in outputs.rglob("metrics.json")
            if path.parent.name != "checkpoint"}


@pytest.mark.pipeline
def test_a_sweep_names_what_failed_and_goes_on_where_it_stopped(tmp_path):
    jobs = ["experiment=full,tree-syntactic", "fold=0,7,1"]
    done = sweep(*jobs, cwd=tmp_path)
    expected = {f"ours-paper/{row}/random-seed0-fold{fold}" for row in ("full", "tree-syntactic") for fold in (0, 1)}
    assert folders(tmp_path / "outputs") == expected
    assert done.returncode == 1 and "2 of the sweep's jobs failed" in done.stderr.splitlines()[-1]
    named = [line for line in done.stderr.splitlines() if line.startswith("failed: ")]
    assert len(named) == 2 and all("fold=7" in line and "expected 0 to 4" in line for line in named)
    assert {p.name for p in (tmp_path / "outputs").iterdir()} == {".cache", "multirun.yaml", "ours-paper"}
    assert len(list((tmp_path / "outputs" / ".cache").iterdir())) == 1

    lost = tmp_path / "outputs" / "ours-paper" / "full" / "random-seed0-fold1" / "metrics.json"
    lost.unlink()
    again = sweep("experiment=full,tree-syntactic", "fold=0,1", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert again.stdout.count("skipped ") == 3 and lost.exists()


@pytest.mark.parametrize("words", [["fold=7", "-m", "seed=0,1"], ["fold=7", "seed=0,1", "--multirun"]])
def test_a_sweep_may_be_asked_for_anywhere(words, tmp_path):
    done = subprocess.run(
        [sys.executable, str(REPOSITORY / "train.py"), *words], cwd=tmp_path, capture_output=True, text=True,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY), "HYDRA_FULL_ERROR": "0"},
    )
    named = [line for line in done.stderr.splitlines() if line.startswith("failed: ")]
    assert done.returncode == 1 and [f"fold=7 seed={n}" in line for n, line in enumerate(named)] == [True, True]


EXTRAS = {
    "parallel": "hydra_plugins.hydra_joblib_launcher",
    "submitit_local": "hydra_plugins.hydra_submitit_launcher",
    "optuna": "hydra_plugins.hydra_optuna_sweeper",
}


def needs(name: str) -> None:
    try:
        there = find_spec(EXTRAS[name]) is not None
    except ModuleNotFoundError:
        there = False
    if not there:
        pytest.skip(f"{EXTRAS[name].rpartition('.')[2]} is not installed (pip install eqparse[sweeps])")


@pytest.mark.pipeline
@pytest.mark.parametrize("launcher", ["parallel", "submitit_local"])
def test_jobs_side_by_side(launcher, tmp_path):
    needs(launcher)
    done = sweep(f"hydra/launcher={launcher}", "fold=0,9", cwd=tmp_path)
    assert folders(tmp_path / "outputs") == {"ours-full/full/random-seed0-fold0"}
    assert done.returncode == 1 and "1 of the sweep's jobs failed" in done.stderr.splitlines()[-1]
    assert "fold=9" in done.stderr


@pytest.mark.parametrize(
    "choice", ["hydra/launcher=parallel", "hydra/launcher=slurm", "hydra/launcher=submitit_local",
               "hparams_search=optuna", "hydra/sweeper=optuna"]
)
def test_without_the_extra_the_error_says_what_to_install(choice, tmp_path):
    code = ("import runpy, sys; sys.modules['hydra_plugins'] = None; sys.argv = sys.argv[1:]; "
            "runpy.run_path(sys.argv[0], run_name='__main__')")
    done = subprocess.run(
        [sys.executable, "-c", code, str(REPOSITORY / "train.py"), "-m", choice, "fold=0,1"], cwd=tmp_path,
        capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(REPOSITORY), "HYDRA_FULL_ERROR": "0"},
    )
    assert done.returncode == 1 and done.stdout == "" and not any(tmp_path.iterdir())
    assert done.stderr.count("\n") == 1 and 'not installed; pip install "eqparse[sweeps]"' in done.stderr


def test_the_cluster_launcher_composes():
    needs("submitit_local")
    with initialize_config_dir(version_base="1.3", config_dir=str(CONF)):
        config = compose("train", overrides=["hydra/launcher=slurm"], return_hydra_config=True)
    assert config.hydra.launcher.array_parallelism == 50 and config.hydra.launcher.timeout_min == 30


@pytest.mark.pipeline
def test_options_are_chosen_on_inner_folds(tmp_path):
    needs("optuna")
    done = sweep("hparams_search=optuna", "inner_folds=2", "hydra.sweeper.n_trials=2", "data.limit=30",
                 "stage.coreference=rules", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = folders(tmp_path / "outputs")
    assert 1 <= len(found) <= 2 and all("/search-full/" in name and name.endswith("-inner2") for name in found)
    assert "best_value" in (tmp_path / "outputs" / "optimization_results.yaml").read_text()
