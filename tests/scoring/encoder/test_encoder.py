"""Word pieces against tokens, and states that depend on their own sentence alone."""

from __future__ import annotations

import gc
import pickle
import string
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny import hand_made
from transformers import MPNetConfig, MPNetModel

from eqparse.scoring.encoder.base_model import read_base
from eqparse.scoring.encoder.encoder import Encoder, Tuned, remembering
from eqparse.scoring.features.tokens import TokenTable
from eqparse.text.annotate import Sentence

ODD = (
    "A box costs 3 € more.", "naïve café ½ metre", "日本 の 3 倍", "a\u200bb \u200b\u200b c", "e\u0301clair 3",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467 has 2 \U0001f34e", "\u200b", "\u0301 \ufe0f",
    "3 " + "x" * 200 + " y", "a " * 90, "ﬁne ﬀ", "İstanbul ẞ 5", "\u202e5 more", "....", "tab\tand\u00a0nbsp",
)


def sentence_of(text: str) -> Sentence:
    """Tokens at white space."""
    words = text.split() or [text]
    made = Sentence.from_words(words, tags=["NN"] * len(words), heads=[0] * len(words))
    return made


@pytest.fixture(scope="module")
def encoder(tiny_base) -> Encoder:
    return Encoder(read_base(str(tiny_base)), tuned=Tuned.frozen).eval()


def check_pieces(encoder: Encoder, sentence: Sentence) -> None:
    ids, spans = encoder.read(sentence)
    offsets = encoder.tokenizer.encode(sentence.text).offsets
    end = len(ids) - 1
    assert spans.shape == (len(sentence) + 2, 2) and 2 <= len(ids) <= encoder.model.config.max_position_embeddings
    assert spans[0].tolist() == [0, 0] and spans[-1].tolist() == [end, end]
    inner = spans[1:-1]
    assert (inner[:, 0] <= inner[:, 1]).all() and (inner >= 0).all() and (inner <= max(end - 1, 0)).all()
    assert (np.diff(inner[:, 0]) >= 0).all() and (np.diff(inner[:, 1]) >= 0).all()
    for (first, last), a, b in zip(inner.tolist(), sentence.start.tolist(), sentence.end.tolist(), strict=True):
        meeting = [n for n in range(1, end) if offsets[n][0] < b and a < offsets[n][1]]
        if meeting:  # a token without pieces of its own has a neighbour's
            assert [first, last] == [meeting[0], meeting[-1]]


@pytest.mark.parametrize("text", ODD)
def test_a_token_has_the_pieces_that_cover_its_characters(encoder, text):
    check_pieces(encoder, sentence_of(text))


@settings(max_examples=150)
@given(text=st.text(min_size=1, max_size=60))
def test_so_does_a_token_of_any_text(encoder, text):
    check_pieces(encoder, sentence_of(text))


def test_pieces_of_a_plain_sentence(encoder):
    sentence = sentence_of("the tower costs 12")
    ids, spans = encoder.read(sentence)
    pieces = [encoder.tokenizer.id_to_token(n) for n in ids]
    assert pieces == ["[CLS]", "the", "tower", "cost", "##s", "1", "##2", "[SEP]"]
    assert spans.tolist() == [[0, 0], [1, 1], [2, 2], [3, 4], [5, 6], [7, 7]]


def test_a_sentence_is_cut_at_what_the_model_can_read(encoder):
    ids, spans = encoder.read(sentence_of("old " * 100))
    assert len(ids) == 64 and encoder.tokenizer.id_to_token(ids[-1]) == "[SEP]"
    assert spans[61:66].tolist() == [[61, 61], [62, 62], [62, 62], [62, 62], [62, 62]]
    assert torch.isfinite(encoder([sentence_of("old " * 100)]).pieces).all()


def test_a_text_without_pieces_has_the_state_of_its_beginning(encoder):
    sentence = sentence_of("\u200b")
    states = encoder([sentence])
    assert len(states.pieces) == 2 and states.first.tolist() == [0, 0, 1] and states.last.tolist() == [0, 0, 1]


def test_rows_of_tokens_are_those_of_the_table(encoder):
    mentions = hand_made()
    states, table = encoder([m.sentence for m in mentions]), TokenTable(mentions)
    assert len(states.first) == len(states.last) == table.size
    assert states.first[table.low].tolist() == states.start.tolist()
    assert (states.last[table.high] + 1).tolist() == states.stop.tolist()
    assert states.stop[-1] == len(states.pieces) and states.pieces.shape[1] == encoder.width == 32


def test_a_mean_is_that_of_its_pieces(encoder):
    states = encoder([m.sentence for m in hand_made()])
    mean = states.mean(torch.tensor([0, 3, 5]), torch.tensor([2, 9, 4]))
    expected = [states.pieces[0:2].mean(0), states.pieces[3:9].mean(0), torch.zeros(32)]
    assert torch.allclose(mean, torch.stack(expected), atol=1e-6)


def rows_of(states, n: int) -> torch.Tensor:
    return states.pieces[states.start[n] : states.stop[n]]


def test_states_depend_on_their_own_sentence_alone(encoder):
    sentences = [m.sentence for m in hand_made()] + [sentence_of(text) for text in ODD]
    order = [*range(len(sentences)), 3, 0, 3]  # a sentence may stand in a batch twice
    together = encoder([sentences[n] for n in order])
    for place, n in enumerate(order):
        assert torch.allclose(rows_of(together, place), rows_of(encoder([sentences[n]]), 0), atol=1e-5)


def test_a_sentence_alone_has_the_states_that_it_has_among_others_with_the_attention_of_mpnet(tiny_base):
    """Which multiplies the heads of one sentence where they lie, and those of several from a copy, in another order."""
    base = read_base(str(tiny_base))
    torch.manual_seed(0)
    config = MPNetConfig(
        vocab_size=base.model.config.vocab_size, hidden_size=768, num_hidden_layers=1, intermediate_size=64
    )
    encoder = Encoder(replace(base, model=MPNetModel(config, add_pooling_layer=False)), tuned=Tuned.frozen).eval()
    for size in (7, 8):  # word pieces, and two at the ends
        sentences = [sentence_of(string.ascii_lowercase[at : at + size]) for at in range(4)]
        alone = torch.cat([encoder([sentence]).pieces for sentence in sentences])
        assert len(alone) == 4 * (size + 2) and torch.equal(encoder(sentences).pieces, alone)


def test_padding_in_training_changes_little(tiny_base):
    encoder = Encoder(read_base(str(tiny_base)), tuned=Tuned.whole)  # the tiny model has no dropout
    sentences = [m.sentence for m in hand_made()]
    padded, alone = encoder.train()(sentences), encoder.eval()(sentences)
    assert torch.allclose(padded.pieces, alone.pieces, atol=1e-5)


def test_a_sentence_is_encoded_once_while_it_is_remembered(encoder, monkeypatch):
    calls, run = [], encoder._run
    monkeypatch.setattr(encoder, "_run", lambda some: calls.append(len(some)) or run(some))
    sentences = [m.sentence for m in hand_made()]
    with remembering():
        first = encoder(sentences)
        assert torch.equal(encoder(sentences[::-1]).pieces[: first.stop[-1] - first.start[-1]], rows_of(first, 3))
    assert sum(calls) == 4
    encoder(sentences[:1])
    assert sum(calls) == 5


def test_word_pieces_are_forgotten_with_their_sentence(encoder):
    sentence = sentence_of("a tower")
    encoder.read(sentence)
    before = len(encoder._read)
    del sentence
    gc.collect()
    assert len(encoder._read) < before


@pytest.mark.parametrize("tuned", Tuned)
def test_what_is_trained(tiny_base, tuned):
    encoder = Encoder(read_base(str(tiny_base)), tuned=tuned, rank=3, layers=1)
    names = set(encoder.trained())
    assert not any("embeddings" in name for name in names)
    layers = {name.split(".")[2] for name in names}
    assert layers == {"frozen": set(), "low_rank": {"0", "1"}, "top": {"1"}, "whole": {"0", "1"}}[tuned]
    assert all(name.endswith((".up", ".down")) for name in names) == (tuned in (Tuned.low_rank, Tuned.frozen))


@pytest.mark.parametrize("tuned", Tuned)
def test_finishing_changes_no_state_and_keeps_what_was_trained(tiny_base, tuned):
    encoder = Encoder(read_base(str(tiny_base)), tuned=tuned, rank=3, layers=1).eval()
    with torch.no_grad():
        for p in encoder.trained().values():
            p.add_(0.2 * torch.randn_like(p)).copy_(p.half().float())
    sentences = [m.sentence for m in hand_made()]
    before, trained = encoder(sentences).pieces, {name: p.half() for name, p in encoder.trained().items()}
    for _ in range(2):  # once more changes nothing
        encoder.finish()
        assert torch.allclose(encoder(sentences).pieces, before, atol=1e-5)
        assert encoder.trained().keys() == trained.keys()
        assert all(torch.equal(p, trained[name]) for name, p in encoder.trained().items())
        assert not any(p.requires_grad for p in encoder.parameters())


def test_copies_read_the_same(encoder):
    sentences = [m.sentence for m in hand_made()]
    for other in (deepcopy(encoder), pickle.loads(pickle.dumps(encoder))):
        assert torch.equal(other(sentences).pieces, encoder(sentences).pieces)


def test_threads_share_an_encoder(tiny_base):
    encoder = Encoder(read_base(str(tiny_base)), tuned=Tuned.frozen).eval()
    texts = [f"the box costs {n} more than the tower" for n in range(200)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda text: encoder([sentence_of(text)]).pieces, texts))
    assert all(torch.equal(a, encoder([sentence_of(text)]).pieces) for a, text in zip(found, texts, strict=True))


def test_a_mark_changes_the_states_of_its_own_sentence(tiny_base, encoder):
    marked = Encoder(read_base(str(tiny_base)), tuned=Tuned.frozen, marked=True).eval()
    one, other = sentence_of("the box costs 3 more than that"), sentence_of("the 7 towers")
    bare, unmarked = encoder([one, other]), marked([one, other])
    assert torch.equal(bare.pieces, unmarked.pieces)
    with remembering():
        states = marked([one, other, one, one], [((3, 3, 1),), (), (), ((3, 3, 2),)])
        again = marked([one], [((3, 3, 2),)])
    size, rest = len(marked.read(one)[0]), len(marked.read(other)[0])
    apart = states.pieces.split([size, rest, size, size])
    assert states.start.tolist() == [0, size, size + rest, 2 * size + rest]
    assert torch.equal(apart[1], bare.pieces[size:]) and torch.equal(apart[2], bare.pieces[:size])
    assert torch.equal(apart[3], again.pieces)
    assert not torch.allclose(apart[0], apart[2]) and not torch.allclose(apart[0], apart[3])


def test_a_mark_covers_the_pieces_of_its_tokens(tiny_base):
    marked = Encoder(read_base(str(tiny_base)), tuned=Tuned.frozen, marked=True)
    sentence = sentence_of("unusual 30 boxes")
    spans = marked.read(sentence)[1][1:-1]
    found = marked._marked([(sentence, ((0, 0, 2), (1, 1, 1)))], len(marked.read(sentence)[0]) + 3)[0]
    expected = torch.zeros_like(found)
    expected[spans[0, 0] : spans[0, 1] + 1] = 2
    expected[spans[1, 0] : spans[1, 1] + 1] = 1
    assert spans[0, 1] > spans[0, 0] and torch.equal(found, expected)
