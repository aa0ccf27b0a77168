"""Every choice of every group composes and instantiates; whatever no option allows is refused, by name."""

from __future__ import annotations

import re
import shlex
from dataclasses import fields
from pathlib import Path

import pytest
import torch
import yaml
from hydra import compose, initialize_config_dir
from hydra.errors import ConfigCompositionException
from hydra.utils import get_class, instantiate
from omegaconf import OmegaConf

from eqparse.errors import ConfigError
from eqparse.experiments import config as C
from eqparse.experiments.tracking import NoLogger, WandbLogger
from eqparse.scoring.devices import find_device
from eqparse.scoring.features.hashing import FeatureBuilder
from eqparse.stages.coreference import CoreferenceProblem, CoreferenceStage
from eqparse.stages.quantity import QuantityStage
from eqparse.stages.tree import TreeProblem, TreeStage
from eqparse.stages.variable import VariableProblem, VariableStage
from eqparse.text.annotate import Sentence
from eqparse.text.mentions import find_mentions
from eqparse.text.triggers import trigger_list
from eqparse.training.train import build_parser

CONF = C.REPOSITORY / "conf"
NEEDED = {"data=roy2016": ["data.root=somewhere"]}
CLASSES = {"solver": C.SOLVERS, "system": C.SYSTEMS, "logger": C.LOGGERS}
CHOICES = [f"{p.parent.name}={p.stem}" for p in sorted(CONF.glob("*/*.yaml"))]
CHOICES += [f"{group}={name}" for group, choices in CLASSES.items() for name in choices]


def composed(*overrides: str, name: str = "train"):
    with initialize_config_dir(version_base="1.3", config_dir=str(CONF)):
        return compose(name, overrides=list(overrides))


KEPT_BACK = ("data=blind", "data=blind-dev", "data=blind-natural", "data=development")


@pytest.mark.parametrize("name", [choice.removeprefix("data=") for choice in KEPT_BACK])
def test_sentences_kept_for_tests_are_tested_whole(name):
    data = C.DataConfig(name=name)
    config = C.checked(C.EvaluateConfig(checkpoint="x", data=data))
    assert config.fold == C.ALL and config.data.path.is_file()
    for fold in (0, 2):
        with pytest.raises(ConfigError, match=f"fold: expected all with data={name}.*found {fold}"):
            C.checked(C.EvaluateConfig(checkpoint="x", fold=fold, data=data))
    assert C.checked(C.EvaluateConfig(checkpoint="x")).fold == 0


@pytest.mark.parametrize("choice", CHOICES)
def test_every_choice_composes_and_instantiates(choice):
    if choice == "hparams_search=optuna":
        pytest.importorskip("hydra_plugins.hydra_optuna_sweeper", reason="the extra `sweeps` is not installed")
    if choice in KEPT_BACK:
        with pytest.raises(ConfigError, match=f"expected sentences to learn from, found {choice[5:]}, which is kept"):
            C.checked(composed(choice))
        return
    config = C.checked(composed(choice, *NEEDED.get(choice, [])))
    parser = build_parser(features=config.features.groups(), options=config.stage)
    assert (parser.coreference is None) == (choice in ("preset=paper", "experiment=coreference-rules"))
    solver = config.solver.maker(seed=3)("tree", 4)
    assert solver.regularization == 1 / (4 * config.solver.c) and solver.seed == 3
    quiet = choice == "logger=none" or choice.startswith("hparams_search=")
    assert isinstance(instantiate(config.logger), NoLogger if quiet else WandbLogger)
    assert get_class(config.solver._target_) is type(solver)
    assert OmegaConf.create(C.plain(config)) == OmegaConf.create(C.plain(C.checked(config)))


def test_choices_were_found():
    groups = {"data", "preset", "solver", "logger", "experiment", "hparams_search", "system"}
    assert {c.partition("=")[0] for c in CHOICES} == groups


def test_without_hydra_the_defaults_are_the_same():
    assert C.checked(C.TrainConfig()) == C.checked(composed("logger=none"))
    for solver, kind in C.SOLVERS.items():
        assert C.checked(composed(f"solver={solver}")).solver == kind()
    for system, kind in C.SYSTEMS.items():
        assert C.checked(composed(f"system={system}")).system == kind()
    with_checkpoint = C.EvaluateConfig(checkpoint="x")
    assert C.checked(with_checkpoint) == C.checked(composed("checkpoint=x", name="evaluate"))


@pytest.mark.parametrize("kind", C.SOLVERS.values())
def test_a_solver_has_the_options_of_its_class_and_their_defaults(kind):
    solver = get_class(kind._target_)(regularization=1)
    own = {f.name for f in fields(kind)} - {f.name for f in fields(C.SolverConfig)}
    assert own and {name: getattr(solver, name) for name in own} == {name: getattr(kind(), name) for name in own}


@pytest.mark.parametrize("key", ["foo=1", "data.foo=1", "stage.limits.foo=1", "solver.epochs=3", "logger.foo=1"])
def test_an_unknown_key_is_refused(key):
    with pytest.raises(ConfigCompositionException, match=key.partition("=")[0]):
        composed(key)


@pytest.mark.parametrize("key", ["+foo=1", "+data.foo=1", "+solver.foo=1", "+stage.limits.foo=1"])
def test_an_unknown_key_is_refused_even_if_added(key):
    with pytest.raises(ConfigError, match=key[1:].partition("=")[0]):
        C.checked(composed(key))


@pytest.mark.parametrize("fold", [-1, 5, "five", "3", 1.0, None, True])
def test_a_fold_out_of_range_is_refused(fold):
    with pytest.raises(ConfigError, match="fold: expected 0 to 4, or all"):
        C.checked(C.TrainConfig(fold=fold))


@pytest.mark.parametrize("fold", [0, 4, "all"])
def test_folds_and_all_are_taken(fold):
    assert C.checked(composed(f"fold={fold}")).fold == fold


@pytest.mark.parametrize(
    ("override", "named"),
    [
        ("seed=-1", "seed"),
        ("threads=0", "threads"),
        ("data=roy2016", "data.root"),
        ("data.limit=3", "data.limit"),
        ("solver.c=0", "solver.c"),
        ("solver.c=inf", "solver.c: expected 1e-06 to 1000000, found inf"),
        ("solver.c=nan", "solver.c"),
        ("solver.c=1e-320", "solver.c"),
        ("solver.block_size=0", "solver.block_size"),
        ("solver.max_rounds=0", "solver.max_rounds"),
        ("solver.tolerance=nan", "BlockCoordinateFrankWolfe: expected tolerance above 0, found nan"),
        ("solver.max_epochs=0", "BlockCoordinateFrankWolfe: expected max_epochs above 0, found 0"),
        ("solver.working_set=-1", "BlockCoordinateFrankWolfe: expected working_set of at least 0, found -1"),
        ("stage.bits=40", "stage.bits"),
        ("features.tree=[neighborhood]", "features.tree"),
        ("features.without=[number]", "features.without: expected some of coreference.rich"),
        ("inner_folds=1", "inner_folds"),
        ("optimized_metric=speed", "optimized_metric"),
    ],
)
def test_a_value_out_of_range_is_refused_by_name(override, named):
    with pytest.raises(ConfigError, match=named):
        C.checked(composed(override))


@pytest.mark.parametrize("override", ["stage.limits.leaves=99", "stage.limits.tokens=0"])
def test_a_limit_out_of_range_is_refused(override):
    with pytest.raises(ConfigError, match="limits"):
        C.checked(composed(override))


def test_rules_of_a_file_need_a_lexicon_to_add_to():
    with pytest.raises(ConfigError, match="lexicon_file"):
        C.checked(composed("stage.lexicon=none", "stage.lexicon_file=mine.toml"))


def test_a_device_that_is_not_there_is_refused():
    for name in ("cuda:99", "abacus", "meta", "", 3.5):
        with pytest.raises(ConfigError, match=f"device: expected .* found {str(name)!r}"):
            find_device(name)
    assert find_device("cpu") == find_device(torch.device("cpu")) == torch.device("cpu")
    assert find_device("auto").type in ("cpu", "cuda")


@pytest.mark.parametrize(("count", "expected"), [(0, "cpu, as torch sees no GPU"), (2, "one of 2 GPUs that torch")])
def test_a_gpu_that_is_not_there_is_said_with_what_is(count, expected, monkeypatch):
    monkeypatch.setattr("torch.cuda.device_count", lambda: count)
    with pytest.raises(ConfigError, match=f"^device: expected {expected}.*; found 'cuda:7'$"):
        find_device("cuda:7")


def test_a_command_line_beats_an_experiment_and_that_a_preset():
    config = C.checked(composed("preset=paper", "experiment=coreference-learned", "stage.lexicon=none"))
    assert config.stage.coreference == "learned" and config.stage.read_lexicon() is None
    assert config.features.groups()["quantity"] == ("neighbourhood", "quantity")
    assert C.checked(composed("experiment=coreference-learned", "stage.coreference=rules")).stage.coreference == "rules"


def test_our_sentences_are_found_from_anywhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert C.DataConfig().path.is_file()
    assert C.DataConfig(root="here").path.resolve() == tmp_path / "here"


def test_a_run_is_named_for_what_it_is():
    config = C.checked(composed("fold=all", "seed=2", "data.folds=grouped", "preset=paper", "outputs=o"))
    assert config.folder == Path("o/ours-paper/pipeline/grouped-seed2-foldall")
    assert Path(config.checkpoint) == config.folder / "checkpoint"
    assert config.cache == "o/.cache" and config.cache_folder == Path("o/.cache")
    inner = C.checked(composed("inner_folds=3", "name=mine", "cache=none"))
    assert inner.folder == Path("outputs/mine/random-seed0-fold0-inner3") and inner.cache_folder is None


@pytest.mark.parametrize(
    "override", ["name=../mine", "name=/tmp/mine", "name=a/../../mine", "name=", "run=..", "run=/", "run=.", "run=",
                 "run=./.", "data.name=../mine"]
)
def test_a_run_that_leads_out_of_outputs_is_refused(override):
    root = ["data.root=somewhere"] if "data.name" in override else []
    with pytest.raises(ConfigError, match="run: expected a relative path within `outputs`"):
        C.checked(composed(override, *root))
    with pytest.raises(ConfigError, match="run: expected a relative path within `outputs`"):
        C.checked(C.EvaluateConfig(checkpoint="x", run="../mine"))


@pytest.mark.parametrize("name", ["train", "evaluate"])
def test_hydra_makes_no_folder_of_a_run(name):
    """It would do so before any option is checked."""
    with initialize_config_dir(version_base="1.3", config_dir=str(CONF)):
        config = compose(name, overrides=["+checkpoint=x", "outputs=o"], return_hydra_config=True)
    assert (config.hydra.run.dir, config.hydra.sweep.dir, config.hydra.sweep.subdir) == (".", "o", ".")


@pytest.mark.parametrize(
    "option", ["outputs", "cache", "checkpoint", "data.root", "data.auxiliary", "stage.lexicon_file"]
)
@pytest.mark.parametrize("empty", ["", " "])
def test_an_empty_path_is_refused(option, empty):
    with pytest.raises(ConfigError, match=f"^{option}: expected a path, found '{empty}'"):
        C.checked(composed(f"{option}='{empty}'"))
    if option == "outputs":  # where a sweep writes before any option is checked
        with pytest.raises(ConfigError, match="^outputs: expected a path"):
            C.check_words(["-m", f"outputs='{empty}'", "fold=0,1"])


@pytest.mark.parametrize(
    ("word", "new"),
    [("score=tree", "optimized_metric="), ("data.extra=ours", "data.auxiliary="), ("features=paper,full", "preset="),
     ("experiment=tree-syntactic,full", "experiment=pipeline"), ("+score=tree", "optimized_metric=")],
)
def test_an_option_of_an_earlier_version_names_the_new_one(word, new):
    with pytest.raises(ConfigError, match=f"earlier version; give {new}") as error:
        C.check_words(["fold=3", word])
    assert "\n" not in str(error.value)
    C.check_words(["features.tree=[rich]", "features.name=full", "data.limit=40", "experiment=pipeline", "-m"])


@pytest.mark.parametrize(
    "word", ["hydra.run.dir=x", "++hydra.run.dir=x", "hydra.run={dir:x}", "hydra.sweep.dir=x", "hydra.sweep.subdir=x",
             "hydra.output_subdir=x", "hydra.job.chdir=true"]
)
def test_folders_of_hydra_are_refused(word):
    with pytest.raises(ConfigError, match=r"^hydra\..* give outputs=FOLDER .* or run=PATH"):
        C.check_words(["fold=3", word])
    C.check_words(["hydra.sweeper.n_trials=3", "hydra.launcher.n_jobs=2", "hydra.job.name=x"])


@pytest.mark.parametrize(
    "value", ["a=b", "a(b", "[a", "{a", "~a", "a#b", "a&b", "a!b", "a;b", "a<b", "a]b", "a`b", "\u00e9", "a,b",
              "\u00e9,b", "f(x)", "it's", 'a"b', "'a", "\u201cx\u201d", "a = b, \"c\" & it's"]
)
def test_a_value_that_wants_quotes_is_told_how(value):
    with pytest.raises(ConfigError) as error:
        C.check_words([f"data.root={value}"])
    message = str(error.value)
    assert message.startswith("data.root: ") and value in message and "\n" not in message
    (word,) = shlex.split(message.partition("type ")[2].removesuffix(" in the shell"))
    C.check_words([word])
    assert C.compose([word, "data.name=x"]).data.root == value


def test_several_values_are_for_a_sweep():
    with pytest.raises(ConfigError, match="fold: expected one value, found several, 0,1; add -m"):
        C.check_words(["fold=0,1"])
    for flag in ("-m", "--multirun"):
        C.check_words([flag, "fold=0,1", "experiment=glob(*)"])


def test_values_that_need_no_quotes_pass():
    C.check_words(["data.root=a b:c/d@e%f*g?h|i", "data.root=", "features.tree=[rich,number]", 'name="a=b"', "~logger",
                   "name=c${solver.c}", "+data.limit=3", "--config-dir=a=b", "solver={c:1}"])


def test_options_are_composed_as_the_command_does():
    options = C.compose(["preset=paper", "fold=3", "logger=none"])
    assert options == C.checked(composed("preset=paper", "fold=3", "logger=none")) and type(options) is C.TrainConfig
    assert C.compose(overrides=["checkpoint=x"], command="evaluate") == C.checked(C.EvaluateConfig(checkpoint="x"))
    with initialize_config_dir(version_base="1.3", config_dir=str(CONF)):  # of a notebook that uses Hydra itself
        assert C.compose().fold == 0
        assert compose("train", overrides=["fold=2"]).fold == 2


@pytest.mark.parametrize(
    ("overrides", "said"),
    [(["fold=9"], "fold"), (["nonsense=1"], "nonsense"), (["solver=none"], "solver/none"), (["fold"], "fold"),
     (["fold=0,1"], "several"), (["score=tree"], "earlier"), ("fold=3", r"\['fold=3'\]"), (["a=b=c"], "quotes")],
)
def test_options_that_do_not_compose_are_refused_in_one_line(overrides, said):
    with pytest.raises(ConfigError, match=said) as error:
        C.compose(overrides)
    assert "\n" not in str(error.value)
    with pytest.raises(ConfigError, match="train or evaluate"):
        C.compose(command="parse")


def test_the_new_names_of_options_are_there():
    config = C.plain(C.checked(composed("logger=none")))
    for old, new in C.RENAMED.items():
        option, _, value = new.partition(" ")[0].partition("=")
        if option in ("preset", "experiment"):
            assert (CONF / option / f"{value}.yaml").is_file()
        else:
            assert OmegaConf.select(OmegaConf.create(config), option, default="none") != "none", (old, new)


def test_options_of_data_that_were_stored_are_read_under_their_first_names_too():
    assert C.data_config({"name": "x", "root": "y", "extra": "ours"}) == C.DataConfig("x", "y", auxiliary="ours")
    assert C.data_config({"folds": "grouped", "auxiliary": "z"}) == C.DataConfig(folds="grouped", auxiliary="z")
    with pytest.raises(ConfigError, match="^data: .*many"):
        C.data_config({"limit": "many"})


@pytest.mark.parametrize(
    "overrides", [["run=.cache"], ["run=.cache/mine"], ["cache=o/kept", "outputs=o", "run=kept"]]
)
def test_a_run_and_the_cache_are_apart(overrides):
    with pytest.raises(ConfigError, match="run: expected a folder outside the cache"):
        C.checked(composed(*overrides))
    assert C.checked(composed(*overrides, "cache=none")).run


def test_the_cache_may_hold_the_runs():
    assert C.checked(composed("cache=o", "outputs=o")).folder.parts[0] == "o"


@pytest.mark.parametrize("name", ["a..b", "...", "my runs/of today", ".hidden"])
def test_a_name_may_have_dots_and_folders(name):
    assert C.checked(C.TrainConfig(name=name)).folder == Path("outputs", name, "random-seed0-fold0")


def test_the_groups_are_those_of_the_features(monkeypatch):
    """Every template of a stage is in one of its groups, and every group has a template."""
    seen: set[str] = set()
    add = FeatureBuilder.add

    def record(self, template, row, *values):
        if len(row):
            seen.add(template.partition(":")[0])
        return add(self, template, row, *values)

    monkeypatch.setattr(FeatureBuilder, "add", record)
    mentions = find_mentions(Sentence.from_words(
        "The old barn is 7 feet wider than 3 new sheds".split(),
        tags="DT JJ NN VBZ CD NNS JJR IN CD JJ NNS".split(),
        heads=[2, 2, 3, 3, 5, 6, 3, 6, 10, 10, 7],
        deps="det amod nsubj ROOT nummod npadvmod acomp prep nummod amod pobj".split(),
    ))
    pair = (0, len(mentions.candidates) - 1)
    triggers = trigger_list(mentions, (0, 1), [("V1", pair[0]), ("V2", pair[1])])
    for stage, problem in [
        (QuantityStage, mentions),
        (VariableStage, VariableProblem(mentions, (0, 1))),
        (TreeStage, TreeProblem(mentions, triggers)),
        (CoreferenceStage, CoreferenceProblem(mentions, pair, 2)),
    ]:
        seen.clear()
        stage(groups=C.GROUPS[stage.name], bits=8).batch([problem])
        assert seen == set(C.GROUPS[stage.name])
    assert {f.name for f in fields(C.FeaturesConfig)} == {"name", "without", *C.GROUPS}


# --- docs/configuration.md

PAGE = (C.REPOSITORY / "docs" / "configuration.md").read_text(encoding="utf-8")
TOLD = {
    (option, choice): default
    for option, choice, default in re.findall(
        r"^\| `([\w.]+)`(?: \(`(\w+=\w+)`\))? \| (.*?) \|",
        PAGE.partition("## Options")[2].partition("## Examples")[0],
        re.M,
    )
}
"""(option, the choice that alone has it or "") -> its default as the page has it."""
MADE_OF_OTHERS = {"run", "name", "checkpoint", "experiment"}
"""Options whose default the page says in words."""


def flat(options: dict, prefix: str = "") -> dict[str, object]:
    found = {}
    for name, value in options.items():
        found |= flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {f"{prefix}{name}": value}
    return found


@pytest.mark.parametrize("choice", ["data=ours", *(f"{group}={name}" for group in CLASSES for name in CLASSES[group])])
def test_the_page_has_every_option_and_its_default(choice):
    for option, value in flat(C.plain(C.checked(composed(choice)))).items():
        if option in ("solver._target_", "solver._partial_", "system._target_", "system.name", "logger._target_"):
            continue  # what the choices are
        told = TOLD.get((option, choice), TOLD.get((option, "")))
        assert told is not None, option
        if option in MADE_OF_OTHERS:
            continue
        if told == "all groups":
            assert value == list(C.GROUPS[option.partition(".")[2]])
        else:
            assert yaml.safe_load(told.strip("`")) == value, option


def test_the_page_has_no_other_options():
    every = {("checkpoint", "")}
    for group, choices in CLASSES.items():
        for name in choices:
            for option in flat(C.plain(C.checked(composed(f"{group}={name}")))):
                every |= {(option, ""), (option, f"{group}={name}")}
    assert TOLD.keys() <= every


def test_the_page_has_every_choice():
    choices = PAGE.partition("## Choices")[2].partition("## Options")[0]
    for choice in CHOICES:
        group, _, name = choice.partition("=")
        line = next(line for line in choices.splitlines() if line.startswith(f"| `{group}` |"))
        stem = name.partition("-")[0]
        assert f"`{name}`" in line or f"`{stem}-...`" in line, choice
    defaults = dict(re.findall(r"^\| `(\w+)` \| \*\*`(\w+)`\*\*", choices, re.M))
    given = {}
    for entry in OmegaConf.load(CONF / "train.yaml").defaults:
        if not isinstance(entry, str):
            given |= entry
    assert {name: given[name] for name in defaults} == defaults
