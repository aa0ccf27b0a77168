"""The CCG system: categories and meanings by hand, the chart against every derivation, learning, and its checkpoint."""

from __future__ import annotations

import hashlib
import itertools
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny import hand_made

from eqparse.corpus import Example
from eqparse.equation.equation import Equation
from eqparse.errors import CheckpointError, DataError
from eqparse.systems.ccg.category import apply, arity, canonical, compose, meaning_of, pieces, read_category, show
from eqparse.systems.ccg.chart import parse, skip_features
from eqparse.systems.ccg.checkpoint import FILE, load_ccg, save_ccg
from eqparse.systems.ccg.lexicon import Edge, Lexicon, masked_words, match, mention_edges, read_template
from eqparse.systems.ccg.training import train_ccg
from eqparse.systems.registry import CCG, PIPELINE, system_of

V, W, THREE = ("v", 0), ("v", 1), ("n", 3.0)
categories = st.recursive(
    st.sampled_from("SNPA"), lambda inner: st.tuples(inner, st.sampled_from("/\\"), inner), max_leaves=6
)


@given(categories)
def test_a_category_is_read_as_it_is_shown(category):
    assert read_category(show(category)) == category


def test_slashes_associate_to_the_left():
    assert read_category("S\\N/N") == read_category("(S\\N)/N") == (("S", "\\", "N"), "/", "N")
    assert arity(read_category("((S/A)/N)\\N")) == 3


@pytest.mark.parametrize("text", ["", "X", "N/", "(N", "N)", "N//N", "NN"])
def test_what_is_no_category_is_refused(text):
    with pytest.raises(DataError, match="category"):
        read_category(text)


def test_application_fills_the_first_argument():
    less_than = ("-", ("a", 0), ("a", 1))
    assert apply(apply(less_than, V), THREE) == ("-", V, THREE)
    total = ("+", ("0", ("a", 0)), ("1", ("a", 0)))
    assert apply(total, ("&", V, W)) == ("+", V, W)


@given(st.permutations([V, W, THREE]))
def test_composition_then_application_is_application_twice(arguments):
    outer, inner = ("-", ("a", 0), ("a", 1)), ("*", ("n", 2.0), ("a", 0))
    a, b, _ = arguments
    assert apply(apply(compose(outer, inner), a), b) == apply(apply(outer, apply(inner, a)), b)


def test_forms_are_equal_up_to_order_of_operands_and_names():
    texts = ["V1 = 3 + 2 * V2", "(V2 * 2) + 3 = V1", "V2 = (2 * V1) + 3"]
    assert len({canonical(meaning_of(Equation.parse(text))) for text in texts}) == 1
    others = ["V1 = 3 - 2 * V2", "V1 = 2 + 3 * V2", "V1 + 3 = 2 * V2"]
    assert len({canonical(meaning_of(Equation.parse(text))) for text in texts + others}) == 4
    assert pieces(meaning_of(Equation.parse("V1 = 3 + V2"))) == {"V", "3.0000", "(3.0000+V)", "((3.0000+V)=V)"}


def test_the_seed_lexicon_is_well_formed():
    lexicon = Lexicon.seed()
    assert len(lexicon.entries) > 60
    for templates in lexicon.entries.values():
        for template in templates:
            for n in range(arity(template.category)):
                assert f"#{n}" in template.name


@pytest.mark.parametrize(
    "change", [{"args": ["x"]}, {"meaning": ["+", "x", "z"]}, {"meaning": ["x", "y"]}, {"category": "N/Q"}]
)
def test_a_malformed_entry_is_refused(change):
    table = {"category": "(N\\N)/N", "args": ["y", "x"], "meaning": ["+", "x", "y"]}
    assert read_template(table, where="entry 1").meaning == ("+", ("a", 1), ("a", 0))
    with pytest.raises(DataError):
        read_template(table | change, where="entry 1")


def test_a_gap_is_short_and_as_short_as_it_can_be():
    words = "9 more red pens than pens than before".split()
    assert match(("more", "...", "than"), words, 1) == 5
    assert match(("more", "than"), words, 1) is None
    assert match(("than", "before"), words, 6) == 8 and match(("before", "than"), words, 7) is None
    assert match(("a", "...", "b"), "a x x x x b".split(), 0) is None


# --- the chart -----------------------------------------------------------------------------------------


def all_derivations(edges, words, weight):
    """(score, category, meaning) of every derivation of all words, by every choice of entries and brackets."""
    best: dict = {}

    def combine(a, b):
        (s, ca, ma), (t, cb, mb) = a, b
        rules = []
        if isinstance(ca, tuple) and ca[1] == "/":
            rules += [(apply, ma, mb, ca[0], ">")] * (ca[2] == cb)
            if isinstance(cb, tuple) and cb[1] == "/" and cb[0] == ca[2]:
                rules.append((compose, ma, mb, (ca[0], "/", cb[2]), ">B"))
        if isinstance(cb, tuple) and cb[1] == "\\":
            rules += [(apply, mb, ma, cb[0], "<")] * (cb[2] == ca)
            if isinstance(ca, tuple) and ca[1] == "\\" and ca[0] == cb[2]:
                rules.append((compose, mb, ma, (cb[0], "\\", ca[2]), "<B"))
        return [(s + t, category, rule(f, x)) for rule, f, x, category, _ in rules]

    def brackets(items):
        if len(items) == 1:
            return [items[0]]
        found = []
        for k in range(1, len(items)):
            for a, b in itertools.product(brackets(items[:k]), brackets(items[k:])):
                found += combine(a, b)
        return found

    for size in range(1, len(edges) + 1):
        for chosen in itertools.combinations(sorted(edges, key=lambda e: e.start), size):
            if any(a.end > b.start for a, b in itertools.pairwise(chosen)) or sum(e.mentions for e in chosen) > 2:
                continue
            covered = {t for e in chosen for t in range(e.start, e.end)}
            skip = sum(weight(f) for t in range(len(words)) if t not in covered for f in skip_features(words[t]))
            items = [(sum(map(weight, e.features)), e.category, e.meaning) for e in chosen]
            for score, category, meaning in brackets(items):
                if category == "S":
                    best[meaning] = max(best.get(meaning, -1e9), score + skip)
    return best


@pytest.mark.parametrize("seed", range(12))
def test_a_wide_beam_finds_every_equation_and_its_best_derivation(seed):
    draw = random.Random(seed)
    words = [f"w{n}" for n in range(6)]
    functors = [("(N\\N)/N", ("+", ("a", 1), ("a", 0))), ("N/N", ("*", ("n", 2.0), ("a", 0))),
                ("(S\\N)/N", ("=", ("a", 1), ("a", 0))), ("S\\N", ("=", ("a", 0), ("n", 1.0)))]
    edges = [Edge(0, 1, "N", V, (("e", "0"),), 1), Edge(5, 6, "N", THREE, (("e", "1"),))]
    for n in range(2, 8):
        start = draw.randrange(5)
        category, meaning = draw.choice(functors)
        edges.append(Edge(start, start + draw.choice((1, 1, 2)), read_category(category), meaning, (("e", str(n)),)))
    edges.append(Edge(2, 4, "N", W, (("e", "8"),), 1))
    values = {("e", str(n)): draw.uniform(-1, 1) for n in range(9)} | {("skip", w): draw.uniform(-1, 0) for w in words}

    def weight(feature):
        return values.get(feature, 0.0)

    expected = all_derivations(edges, words, weight)
    found = parse(edges, words, weight, beam=1000)
    assert {item.meaning for item in found} == set(expected)
    for item in found:
        assert item.score == pytest.approx(expected[item.meaning])
        assert item.score == pytest.approx(sum(map(weight, item.features(words))))
    assert [i.score for i in found] == sorted((i.score for i in found), reverse=True)
    accepted = {m for m in expected if ("v", 1) not in m[1:]}
    kept = parse(edges, words, weight, beam=1000, accepts=lambda m: m in accepted or m[0] != "=")
    assert {item.meaning for item in kept} == accepted
    few = parse(edges, words, weight, beam=2)
    assert len(few) <= 2 and all(i.score <= expected[i.meaning] + 1e-9 for i in few)


# --- learning ------------------------------------------------------------------------------------------

MADE = (
    ("The/DT/1/det rope/NN/2/nsubj is/VBZ/2/ROOT 8/CD/4/nummod more/JJR/2/acomp than/IN/4/prep "
     "twice/RB/8/predet the/DT/8/det belt/NN/5/pobj", "V1 = 8 + 2 * V2"),
    ("Both/DT/1/det pumps/NNS/2/nsubj total/VBP/2/ROOT 90/CD/4/nummod litres/NNS/2/dobj", "V1 + V2 = 90"),
    ("Ida/NNP/1/nsubj trails/VBZ/1/ROOT Jon/NNP/1/dobj by/IN/1/prep 6/CD/5/nummod metres/NNS/3/pobj", "V1 - V2 = 6"),
)


def made() -> tuple[list[Example], list]:
    mentions = hand_made(*(text for text, _ in MADE))
    examples = []
    for n, (m, (_, equation)) in enumerate(zip(mentions, MADE, strict=True)):
        gold = Equation.parse(equation)
        examples.append(Example(str(n), m.sentence.text, gold, {name: ((0, 3),) for name in gold.variables}))
    return examples, mentions


@pytest.fixture(scope="module")
def trained():
    examples, mentions = made()
    return train_ccg(examples, mentions, epochs=8, beam=20, induce=True)


def test_it_learns_from_equations_alone(trained):
    examples, mentions = made()
    assert trained.report["ccg"]["problems"] == trained.report["ccg"]["reachable"] == 3
    assert trained.report["ccg"]["entries_learnt"] >= 1  # nothing in the seed lexicon says what "trails" does
    for example, parsed in zip(examples, trained.parser.parse_mentions(mentions), strict=True):
        assert canonical(meaning_of(parsed.equation)) == canonical(meaning_of(example.equation))
        assert set(parsed.variables) == set(parsed.equation.variables)
        for spans in parsed.variables.values():
            assert set(spans) <= set(parsed.candidates)


def test_without_induction_the_lexicon_is_the_seed():
    examples, mentions = made()
    trained = train_ccg(examples, mentions, epochs=2, beam=20, induce=False)
    assert trained.parser.lexicon.entries == Lexicon.seed().entries and trained.report["ccg"]["entries_learnt"] == 0


def test_training_repeats(trained):
    examples, mentions = made()
    again = train_ccg(examples, mentions, epochs=8, beam=20, induce=True)
    assert again.parser.weights == trained.parser.weights
    assert again.parser.lexicon.entries == trained.parser.lexicon.entries


def test_no_annotation_of_phrases_is_looked_at(trained):
    examples, mentions = made()
    moved = [Example(e.id, e.text, e.equation, dict.fromkeys(e.variables, ((4, 9),))) for e in examples]
    assert train_ccg(moved, mentions, epochs=8, beam=20, induce=True).parser.weights == trained.parser.weights


def test_numbers_and_phrases_bring_their_own_entries():
    (m,) = hand_made(MADE[0][0])
    edges = list(mention_edges(m))
    assert ("n", 8.0) in {e.meaning for e in edges}
    assert {e.meaning for e in edges if e.category == ("N", "/", "N")} == {("*", ("n", 2.0), ("a", 0))}
    assert sum(e.mentions == 1 for e in edges) == sum(e.mentions == 2 for e in edges) == len(m.candidates)
    assert masked_words(m)[3] == "<number>" and masked_words(m)[6] == "twice"


def test_sentences_that_cannot_be_parsed_are_refused_by_reason(trained):
    texts = ("Hello/UH/0/ROOT there/RB/0/advmod", "Ada/NNP/1/nsubj naps/VBZ/1/ROOT 3/CD/3/nummod times/NNS/1/npadvmod")
    none, _ = trained.parser.parse_mentions(hand_made(*texts))
    assert none.equation is None and none.reason_code == "no_number"
    long = hand_made(" ".join(["pen/NN/0/dep"] * 70 + ["3/CD/0/dep"]))
    assert trained.parser.parse_mentions(long)[0].reason_code == "too_long"


def test_a_checkpoint_parses_as_the_parser_did(trained, tmp_path):
    _, mentions = made()
    save_ccg(tmp_path / "c", trained.parser, config={"seed": 1}, metrics={"equation": 50.0}, annotator_version="x")
    assert system_of(tmp_path / "c") is CCG and system_of(tmp_path) is PIPELINE
    checkpoint = load_ccg(tmp_path / "c")
    assert checkpoint.config == {"seed": 1} and checkpoint.annotator == "x"
    assert checkpoint.metrics == {"equation": 50.0}
    assert checkpoint.parser.parse_mentions(mentions) == trained.parser.parse_mentions(mentions)


def test_a_damaged_checkpoint_is_refused(trained, tmp_path):
    save_ccg(tmp_path / "c", trained.parser, config={}, metrics={}, annotator_version="x")
    path = tmp_path / "c" / FILE
    whole = path.read_text()
    outer = json.loads(whole)
    for text in ("", whole[:-50], whole.replace("more than", "less than"), "[]", "{}", json.dumps(outer | {"body": 3})):
        path.write_text(text)
        with pytest.raises(CheckpointError, match="ccg.json"):
            load_ccg(tmp_path / "c")
    path.unlink()
    with pytest.raises(CheckpointError, match="ccg.json"):
        load_ccg(tmp_path / "c")


@pytest.mark.parametrize(("name", "value"), [
    ("beam", None), ("config", None), ("annotator", None), ("metrics", None), ("beam", "x"), ("beam", -1),
    ("config", []), ("metrics", 3), ("annotator", {}), ("weights", [["a", "x"]]), ("limits", {"leaves": 0}),
    ("entries", [["a", "(" * 20_000 + "N" + ")" * 20_000, "x"]]), ("metrics", []),
])
def test_a_checkpoint_that_lacks_a_part_is_refused(trained, tmp_path, name, value):
    save_ccg(tmp_path / "c", trained.parser, config={}, metrics={}, annotator_version="x")
    path = tmp_path / "c" / FILE
    document = json.loads(json.loads(path.read_text())["body"])
    document = document | {name: value} if value is not None else {k: v for k, v in document.items() if k != name}
    body = json.dumps(document)
    path.write_text(json.dumps({"sha256": hashlib.sha256(body.encode()).hexdigest(), "body": body}))
    with pytest.raises(CheckpointError, match=r"c, ccg\.json: expected .*; train it again"):
        load_ccg(tmp_path / "c")
