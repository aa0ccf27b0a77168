"""Training lowers the loss, is the same for the same seed, and obeys its options."""

from __future__ import annotations

import pytest
import torch
from checkpoints import save
from tiny import examples, random_parser, trained
from tiny_encoder import train_tiny

from eqparse.errors import CheckpointError, ConfigError, DataError
from eqparse.systems.encoder.attach import pack_encoder, trained_tensors
from eqparse.text.mentions import find_mentions
from eqparse.training.evaluate import predict

pytestmark = pytest.mark.pipeline


@pytest.fixture(scope="module")
def mentions():
    return [find_mentions(sentence) for sentence in trained().annotator([e.text for e in examples()])]


def weights(parser) -> dict[str, torch.Tensor]:
    hashed = {name: stage.scorer.weight for name, stage in parser.stages.items()}
    return hashed | {name: p.float() for name, p in trained_tensors(parser).items()}


def same(a, b) -> bool:
    a, b = weights(a), weights(b)
    return a.keys() == b.keys() and all(torch.equal(a[name], b[name]) for name in a)


@pytest.mark.parametrize("loss", ["likelihood", "hinge"])
def test_the_loss_falls_and_the_training_sentences_are_learnt(tiny_base, mentions, loss):
    heard = []
    training = train_tiny(
        tiny_base, mentions, loss=loss, hashed="none", tuned="whole", epochs=25, learning_rate=3e-3,
        progress=lambda stage, entry: heard.append((stage, entry)),
    )
    means = [entry["objective"] for stage, entry in heard if "objective" in entry]
    assert {stage for stage, _ in heard} == {"encoder"} and len(means) == 25
    assert means[-1] < 0.35 * means[0] and training.report["encoder"]["objective"] == round(means[-1], 4)
    found = predict(training.parser, examples(), mentions)
    right = sum(found[e.id].equation is not None for e in examples() if e.equation is not None)
    assert right > 10 and not training.parser.training


@pytest.mark.parametrize("hashed", ["none", "added", "joint", "started"])
def test_the_hashed_features_are_left_out_or_added_or_trained_too(tiny_base, mentions, hashed):
    parser = train_tiny(tiny_base, mentions, hashed=hashed, hashed_weight=3.0).parser
    used = {float(stage.hashed_weight) for stage in parser.stages.values()}
    assert used == {{"none": 0.0, "joint": 1.0}.get(hashed, 3.0)}
    sizes = {stage.scorer.size for stage in parser.stages.values()}
    assert (sizes == {0}) == (hashed == "none")
    for stage in parser.stages.values():
        assert torch.equal(stage.scorer.weight, stage.scorer.weight.half().float())


@pytest.mark.parametrize("tuned", ["frozen", "low_rank"])
def test_marks_are_learnt_and_read(tiny_base, mentions, tuned):
    heard = []
    parser = train_tiny(
        tiny_base, mentions, hashed="none", tuned=tuned, marked=True, epochs=15,
        progress=lambda _, entry: heard.append(entry.get("objective")),
    ).parser
    means = [mean for mean in heard if mean is not None]
    assert means[-1] < 0.8 * means[0] and not parser.encoder.in_bfloat16
    marks = parser.encoder.marks.weight
    assert not marks[0].any() and marks[1:].abs().amax(1).min() > 0
    before = predict(parser, examples(), mentions)
    with torch.no_grad():
        marks.zero_()
    after = predict(parser, examples(), mentions)
    assert [before[e.id].equation for e in examples()] != [after[e.id].equation for e in examples()]


def test_what_the_encoder_learns_does_not_depend_on_added_features(tiny_base, mentions):
    added, other = (
        pack_encoder(train_tiny(tiny_base, mentions, hashed="added", hashed_weight=w).parser) for w in (1.0, 4.0)
    )
    assert added.keys() == other.keys() and all((added[name] == other[name]).all() for name in added)


def test_hashed_features_go_on_from_the_weights_that_they_had_by_themselves(tiny_base, mentions):
    apart, further, joint = (
        {name: stage.scorer.weight for name, stage in train_tiny(tiny_base, mentions, **how).parser.stages.items()}
        for how in ({"hashed": "added"}, {"hashed": "started"}, {"hashed": "joint"})
    )
    assert not torch.equal(further["quantity"], apart["quantity"])
    for name, weight in apart.items():
        assert torch.nn.functional.cosine_similarity(further[name].flatten(), weight.flatten(), dim=0) > 0.9
        assert torch.nn.functional.cosine_similarity(joint[name].flatten(), weight.flatten(), dim=0) < 0.9


@pytest.mark.parametrize("tuned", ["frozen", "low_rank", "top", "whole"])
def test_what_is_tuned_changes_and_nothing_else(tiny_base, mentions, tuned):
    from eqparse.scoring.encoder.base_model import read_base

    parser = train_tiny(tiny_base, mentions, tuned=tuned, hashed="none").parser
    base = dict(read_base(str(tiny_base)).model.named_parameters())
    changed = {name for name, p in parser.encoder.model.named_parameters() if not torch.equal(p, base[name])}
    assert base.keys() == dict(parser.encoder.model.named_parameters()).keys()
    layers = {name.split(".")[2] for name in changed}
    assert layers == {"frozen": set(), "low_rank": {"0", "1"}, "top": {"1"}, "whole": {"0", "1"}}[tuned]
    assert not any(p.requires_grad for p in parser.encoder.parameters())


@pytest.mark.parametrize("hashed", ["added", "joint"])
def test_a_seed_gives_the_same_parser(tiny_base, mentions, hashed):
    first, again, other = (train_tiny(tiny_base, mentions, hashed=hashed, seed=s).parser for s in (3, 3, 4))
    assert same(first, again) and not same(first, other)
    assert first.parse_mentions(mentions) == again.parse_mentions(mentions)


def test_the_encoder_may_multiply_in_bfloat16_while_it_learns(tiny_base, mentions):
    common = {"hashed": "none", "tuned": "whole", "epochs": 8, "learning_rate": 3e-3}
    exact, half = (train_tiny(tiny_base, mentions, precision=p, **common) for p in ("float32", "bfloat16"))
    losses = [training.report["encoder"]["objective"] for training in (exact, half)]
    assert losses[0] != losses[1] and losses[1] == pytest.approx(losses[0], rel=0.2)
    assert all(p.dtype == torch.float16 for p in half.parser.encoder.trained().values())  # as in single precision


def test_an_unknown_precision_is_refused(tiny_base, mentions):
    with pytest.raises(ConfigError, match="precision: expected one of auto, float32, bfloat16; found 'half'"):
        train_tiny(tiny_base, mentions, hashed="none", precision="half")


def test_more_layers_than_there_are_cannot_be_tuned(tiny_base, mentions):
    with pytest.raises(ConfigError, match="at most the 2 layers that are used of it, found system.layers=3"):
        train_tiny(tiny_base, mentions, hashed="none", tuned="top", layers=3)
    with pytest.raises(ConfigError, match="at most the 1 layers"):
        train_tiny(tiny_base, mentions, hashed="none", tuned="top", layers=2, depth=1)


def test_everything_that_is_stored_fits_half_precision(tiny_base, mentions):
    for p in trained_tensors(train_tiny(tiny_base, mentions).parser).values():
        assert torch.equal(p, p.half().to(p.dtype))


def test_what_an_untrained_parser_answers_is_no_reason_to_refuse(tiny_base, mentions):
    weight = train_tiny(tiny_base, mentions, hashed="joint").parser.refusal.scorer.weight
    assert weight[:, 0].any() and not weight[:, 1:].any()  # of the sentence, and of the nodes of its answer


def test_sentences_that_all_state_an_equation_leave_nothing_to_refuse(tiny_base, mentions):
    pairs = [(e, m) for e, m in zip(examples(), mentions, strict=True) if e.equation is not None]
    some, there = zip(*pairs, strict=True)
    assert train_tiny(tiny_base, there, some=some, hashed="none", epochs=1).parser.refusal is None


def test_nothing_to_learn_from(tiny_base, mentions):
    pairs = [(e, m) for e, m in zip(examples(), mentions, strict=True) if e.equation is None]
    some, there = zip(*pairs, strict=True)
    with pytest.raises(DataError, match="expected at least one sentence to learn from"):
        train_tiny(tiny_base, there, some=some, hashed="none")




def test_a_checkpoint_is_trained_further(tiny_base, mentions, tmp_path):
    common = {"hashed": "none", "tuned": "whole"}
    first = train_tiny(tiny_base, mentions, epochs=15, learning_rate=3e-3, **common)
    folder = str(save(tmp_path / "first", first.parser))
    further = train_tiny(
        tiny_base, mentions, epochs=1, start=folder, learning_rate=1e-5, head_learning_rate=1e-5, **common
    )
    reached, kept = (training.report["encoder"]["objective"] for training in (first, further))
    assert kept == pytest.approx(reached, abs=0.2) and reached < 0.5


@pytest.mark.parametrize(
    ("changes", "said"),
    [({"rank": 8}, "with rank 8, .*; found 4"), ({"depth": 1}, "with depth 1, .*; found None")],
)
def test_a_checkpoint_with_another_encoder_is_not_trained_further(tiny_base, mentions, tmp_path, changes, said):
    folder = str(save(tmp_path / "first", train_tiny(tiny_base, mentions, hashed="none", epochs=1).parser))
    with pytest.raises(CheckpointError, match=said):
        train_tiny(tiny_base, mentions, hashed="none", start=folder, **changes)


def test_a_checkpoint_without_an_encoder_is_not_trained_further(tiny_base, mentions, tmp_path):
    folder = str(save(tmp_path / "linear", random_parser()))
    with pytest.raises(CheckpointError, match="expected an encoder to train further, found none"):
        train_tiny(tiny_base, mentions, hashed="none", start=folder)


def stating(mentions):
    """The sentences that state an equation, with their mentions."""
    pairs = [(e, m) for e, m in zip(examples(), mentions, strict=True) if e.equation is not None]
    return zip(*pairs, strict=True)


@pytest.mark.parametrize("hashed", ["none", "added", "joint", "started"])
def test_without_a_refusal_stage_a_checkpoint_is_trained_further_on_statements(tiny_base, mentions, tmp_path, hashed):
    some, there = stating(mentions)
    without = train_tiny(tiny_base, there, some=some, hashed=hashed, epochs=1).parser
    folder = str(save(tmp_path / "without", without))
    further = train_tiny(tiny_base, there, some=some, hashed=hashed, epochs=1, start=folder).parser
    assert without.refusal is None and further.refusal is None
    with pytest.raises(CheckpointError, match="found no refusal, .* state no equation: stage.refusal=false") as caught:
        train_tiny(tiny_base, mentions, hashed="none", epochs=1, start=folder)
    assert "damaged" not in str(caught.value)
    folder = str(save(tmp_path / "with", train_tiny(tiny_base, mentions, hashed="none", epochs=1).parser))
    assert train_tiny(tiny_base, there, some=some, hashed="none", epochs=1, start=folder).parser.refusal is None


@pytest.mark.parametrize(("had", "asked"), [(1, 2), (2, 1)])
def test_a_checkpoint_with_other_top_layers_is_not_trained_further(tiny_base, mentions, tmp_path, had, asked):
    """With fewer than it had, what it learnt in the others would be lost unseen."""
    common = {"hashed": "none", "tuned": "top", "epochs": 1}
    folder = str(save(tmp_path / "first", train_tiny(tiny_base, mentions, layers=had, **common).parser))
    with pytest.raises(CheckpointError, match=f"with layers {asked}, to train it further; found {had}; give"):
        train_tiny(tiny_base, mentions, layers=asked, start=folder, **common)
