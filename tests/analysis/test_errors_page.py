"""`eqparse errors`: diagnoses by hand, the markup, scores against the parser's own, and the page in a browser."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_runs import answer, example, make_run
from tiny import SENTENCES, examples, hand_made, random_parser, trained

from eqparse.analysis.errors_page import KINDS, STAGES, diagnose, errors_page, explanation
from eqparse.analysis.errors_page.article import Reading, numbers
from eqparse.analysis.errors_page.page import render, title_of, with_scores
from eqparse.analysis.errors_page.spans import label_spans, left_out, marked_text
from eqparse.analysis.errors_page.trees import tree_svg
from eqparse.analysis.report.run_files import read_config
from eqparse.commands.main import main
from eqparse.corpus.example import Example
from eqparse.corpus.jsonl import write_jsonl
from eqparse.equation.equation import Equation
from eqparse.errors import DataError
from eqparse.parser.pipeline import EquationParser, spans_of
from eqparse.stages.nonprojective import SubsetTreeStage
from eqparse.systems.checkpoint import save_checkpoint
from eqparse.systems.joint.parser import JointParser
from eqparse.text.annotate import string_id
from eqparse.training.evaluate import prediction
from eqparse.training.metrics import Prediction, write_predictions

TEXT = "The red barn holds 8 bales more than half the hay of the old barn, said Ada."
GOLD = Example("g", TEXT, Equation.parse("V1 = 8 + (0.5 * V2)"), {"V1": ((0, 12),), "V2": ((42, 65),)})
SPANS = {"The red barn": (0, 12), "red barn": (4, 12), "the hay": (42, 49), "the hay of the old barn": (42, 65),
         "the old barn": (53, 65), "Ada": (72, 75), "bales": (21, 26), "half the hay": (37, 49)}


def predict(equation: str | None, **variables: str) -> Prediction:
    spans = {name: tuple(SPANS[phrase] for phrase in phrases.split("; ")) for name, phrases in variables.items()}
    parsed = None if equation is None else Equation.parse(equation)
    return Prediction("g", TEXT, parsed, spans, candidates=tuple(sorted(SPANS.values())))


RED, HAY = "The red barn", "the hay of the old barn"


def test_the_sentences_of_these_tests_hold_together():
    assert all(TEXT[a:b] == phrase for phrase, (a, b) in SPANS.items())
    assert GOLD.variables == {"V1": (SPANS[RED],), "V2": (SPANS[HAY],)}


@pytest.mark.parametrize("equation, variables, stage, kinds", [
    ("V1 = 8 + (0.5 * V2)", {"V1": RED, "V2": HAY}, "right", ()),
    ("8 + (V1 * 0.5) = V2", {"V1": HAY, "V2": RED}, "right", ()),
    (None, {}, "refusal", ("no-answer",)),
    ("V1 = 0.5 * V2", {"V1": RED, "V2": HAY}, "quantity", ("missing-quantity",)),
    ("V1 = (8 * 8) + (0.5 * V2)", {"V1": RED, "V2": HAY}, "quantity", ("extra-quantity",)),
    ("V1 = 9 + (0.5 * V2)", {"V1": RED, "V2": HAY}, "quantity", ("missing-quantity", "extra-quantity")),
    ("V1 = 8 * 0.5", {"V1": RED}, "variable", ("few-variables",)),
    ("V1 = 8 + (0.5 * V2)", {"V1": RED, "V2": "the hay"}, "variable", ("inside",)),
    ("V1 = 8 + (0.5 * V2)", {"V1": RED, "V2": "Ada"}, "variable", ("outside",)),
    ("V1 = 8 + (0.5 * V2)", {"V1": "red barn", "V2": "half the hay"}, "variable", ("inside", "beside")),
    ("V1 = 8 + (0.5 * V1)", {"V1": f"{RED}; {HAY}"}, "coreference", ("merged",)),
    ("V1 = 8 + (0.5 * V2)", {"V1": RED, "V2": RED}, "variable", ("twice",)),
    ("V1 = 8 + (0.5 * V2)", {"V1": HAY, "V2": RED}, "tree", ("exchanged",)),
    ("V1 = 8 - (0.5 * V2)", {"V1": RED, "V2": HAY}, "tree", ("operation",)),
    ("V1 = (8 + 0.5) * V2", {"V1": RED, "V2": HAY}, "tree", ("grouping",)),
    ("V1 - 8 = 0.5 * V2", {"V1": RED, "V2": HAY}, "tree", ("grouping", "equivalent")),
])
def test_diagnoses(equation, variables, stage, kinds):
    found = diagnose(GOLD, predict(equation, **variables))
    assert (found.stage, found.kinds) == (stage, kinds)
    assert set(found.kinds) <= KINDS.keys() and found.stage in STAGES


def test_an_order_reversed_and_a_variable_split():
    minus = Example("g", TEXT, Equation.parse("V1 - 8 = V2"), {"V1": ((0, 12),), "V2": ((42, 65),)})
    found = diagnose(minus, predict("8 - V1 = V2", V1=RED, V2=HAY))
    assert (found.stage, found.kinds) == ("tree", ("reversed",))
    # the names are the parser's own: read as in gold, 8 is taken from the right one
    assert diagnose(minus, predict("V2 - 8 = V1", V1=HAY, V2=RED)).stage == "right"
    one = Example("g", TEXT, Equation.parse("V1 - 8 = 0.5 * V1"), {"V1": ((0, 12), (42, 65))})
    found = diagnose(one, predict("V1 - 8 = 0.5 * V2", V1=RED, V2=HAY))
    assert (found.stage, found.kinds) == ("coreference", ("split",))
    around = Example("g", TEXT, Equation.parse("V1 = 8"), {"V1": ((4, 12),)})
    candidates = [SPANS[RED], SPANS["red barn"]]
    wide = Prediction("g", TEXT, Equation.parse("V1 = 8"), {"V1": (SPANS[RED],)}, candidates=candidates)
    assert diagnose(around, wide).kinds == ("around",)


def test_sentences_that_state_nothing():
    silent = Example("g", TEXT, None, {})
    assert diagnose(silent, predict(None)).stage == "right"
    found = diagnose(silent, predict("V1 = 8", V1=RED))
    assert (found.stage, found.kinds, found.verdict) == ("refusal", ("spurious",), {})


# --- markup


class Text(HTMLParser):
    """Collects the text outside of labels, and counts the tags."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open, self.text, self.tags = [], "", Counter()
        self.feed(source)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        self.tags[tag] += 1

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "b" not in self.open:
            self.text += data


@st.composite
def texts_with_spans(draw):
    text = draw(st.text("ab <>&\"'é", min_size=1, max_size=24))
    span = st.tuples(st.integers(0, len(text) - 1), st.integers(1, 8)).map(
        lambda s: (s[0], min(len(text), s[0] + s[1]))
    )
    names = draw(st.lists(st.sampled_from(["V1", "V2", "V3"]), unique=True, max_size=3))
    return text, {name: tuple(draw(st.lists(span, min_size=1, max_size=3))) for name in names}, draw(
        st.lists(st.tuples(span, st.just("0.5")), max_size=2))


@given(texts_with_spans())
def test_marking_keeps_the_text_and_nests(case):
    text, variables, values = case
    marked = label_spans(variables, values)
    page = Text(marked_text(text, marked))
    assert page.text == text and not page.open and page.tags["mark"] == len(marked)
    shown = {(m.start, m.end) for m in marked if m.variable}
    hidden = {span for _, span in left_out(variables, marked)}
    assert shown | hidden == {span for spans in variables.values() for span in spans} and not shown & hidden
    for name, spans in variables.items():  # a first span gives way to another variable's first span only
        if spans[0] in hidden:
            assert any(m.start < spans[0][1] and spans[0][0] < m.end for m in marked if m.variable), name


def test_labels_and_nesting_by_hand():
    variables = {"V1": ((0, 8), (4, 8)), "V2": ((0, 8),)}
    marked = label_spans(variables, [((4, 5), "2")])
    assert [(m.start, m.end, m.label) for m in marked] == [(0, 8, "V1, V2"), (4, 8, "V1"), (4, 5, "2")]
    assert marked_text("the 2 oxen", label_spans({"V1": ((0, 10),)}, [((4, 5), "2")])) == (
        '<mark class="v1">the <mark class="number">2</mark> oxen<b>V1</b></mark>')
    assert marked_text("half <it>", label_spans({}, [((0, 4), "0.5")])) == (
        '<mark class="number">half<b>0.5</b></mark> &lt;it&gt;')


def test_the_numbers_marked_are_those_of_the_equation():
    assert numbers(TEXT, GOLD.equation) == [((19, 20), "8"), ((37, 41), "0.5")]
    assert numbers(TEXT, Equation.parse("V1 = 7")) == [] and numbers(TEXT, None) == []
    assert [span for span, _ in numbers("3 and 3 make 6", Equation.parse("3 + 3 = V1"))] == [(0, 1), (6, 7)]


@pytest.mark.parametrize("text", ["V1 = 8", "V1 = 8 + (0.5 * V2)", "(V1 / 3) - V2 = V3 * (1234567.25 + V1)"])
def test_a_tree_is_drawn_whole_within_its_frame(text):
    equation = Equation.parse(text)
    svg = ElementTree.fromstring(tree_svg(equation))
    _, _, width, height = map(float, svg.get("viewBox").split())
    words = [t.text for t in svg.iter("text")]
    leaves = [str(leaf) for leaf in equation.leaves()]
    assert [w for w in words if w in leaves] == leaves
    assert len(words) == 2 * len(leaves) - 1 and len(list(svg.iter("line"))) == 2 * len(leaves) - 2
    assert svg.get("role") == "img" and text in svg.get("aria-label")
    for box in svg.iter("rect"):
        x, y, w, h = (float(box.get(name)) for name in ("x", "y", "width", "height"))
        assert 0 <= x and x + w <= width and 0 <= y and y + h <= height
    for circle in svg.iter("circle"):
        assert 0 < float(circle.get("cx")) < width and float(circle.get("cy")) + 15 < height


# --- scores and features


MENTIONS = hand_made()
EQUATIONS = ("V1 = 4 + V2", "V1 = 3 * V2", "V1 = 90", "(0.5 * V1) + 7 = 0.05 * V2")


def gold_example(m, equation: str) -> Example:
    """An annotation that names the sentence's last candidates."""
    parsed = Equation.parse(equation)
    spans = spans_of(m)
    chosen = [spans[0], spans[-1]] if len(parsed.variables) == 2 else [spans[0]]
    return Example("m", m.sentence.text, parsed, dict(zip(parsed.variables, ((s,) for s in chosen), strict=True)))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("coreference", ["learned", "rules"])
def test_scores_are_the_parsers_and_features_make_up_the_difference(seed, coreference, monkeypatch):
    monkeypatch.setattr(explanation, "TOP", 100_000)
    parser = random_parser(seed=seed, coreference=coreference, lexicon=False)
    parses = parser.parse_mentions(MENTIONS)
    explained = 0
    for m, parse, equation in zip(MENTIONS, parses, EQUATIONS, strict=True):
        found = explanation.explain(parser, gold_example(m, equation), m, parse, strings=lambda value: None)
        scores = {s.stage: s for s in found.scores}
        assert parse.score == pytest.approx(
            sum(scores[name].predicted for name in ("quantity", "variable", "tree")), abs=1e-4)
        for score in found.scores:
            if score.same and score.gold is not None:  # the predicted one is the argmax of its problem
                assert score.predicted >= score.gold - 1e-4
        if found.stage:
            explained += 1
            gap = scores[found.stage].predicted - scores[found.stage].gold
            assert sum(f.weight for f in found.features) == pytest.approx(gap, abs=1e-3)
            sizes = [abs(f.weight) for f in found.features]
            assert sizes == sorted(sizes, reverse=True)
            assert not any("another kind" in f.name for f in found.features)
    assert explained > 0


def test_other_systems_are_explained_too(monkeypatch):
    monkeypatch.setattr(explanation, "TOP", 100_000)
    plain = random_parser(seed=3, lexicon=False)
    stages = {name: getattr(plain, name) for name in ("quantity", "variable", "coreference")}
    subsets = SubsetTreeStage(groups=plain.tree.groups, bits=plain.tree.bits).eval()
    subsets.load_state_dict(plain.tree.state_dict())
    for parser in (JointParser(**stages, tree=plain.tree, beam=20), EquationParser(**stages, tree=subsets)):
        for m, parse, equation in zip(MENTIONS, parser.parse_mentions(MENTIONS), EQUATIONS, strict=True):
            found = explanation.explain(parser, gold_example(m, equation), m, parse, strings=lambda value: None)
            scores = {s.stage: s for s in found.scores}
            assert parse.score == pytest.approx(
                sum(scores[name].predicted for name in ("quantity", "variable", "tree")), abs=1e-4)
            assert found.stage
            gap = scores[found.stage].predicted - scores[found.stage].gold
            assert sum(f.weight for f in found.features) == pytest.approx(gap, abs=1e-3)
            assert not any("another kind" in f.name for f in found.features)


def test_only_the_weightiest_features_are_kept_with_words_for_their_hashes():
    parser = random_parser(seed=1, lexicon=False)
    m = MENTIONS[3]
    strings = {string_id(w): w for token in SENTENCES[3].split() for w in token.split("/")}
    parse = parser.parse_mentions([m])[0]
    found = explanation.explain(parser, gold_example(m, EQUATIONS[3]), m, parse, strings=strings.get)
    assert found.stage and 0 < len(found.features) <= 10
    shown = " ".join(f.name for f in found.features)
    assert "→" in shown and "(?)" not in shown


def test_a_sentence_that_no_parse_gets_right_has_no_gold_score():
    parser = random_parser(lexicon=False)
    m = MENTIONS[0]
    impossible = Example("m", m.sentence.text, Equation.parse("V1 = 77"), {"V1": ((0, 8),)})
    found = explanation.explain(parser, impossible, m, parser.parse_mentions([m])[0], strings=lambda v: None)
    assert [s.gold for s in found.scores if s.stage in ("quantity", "variable", "tree")] == [None] * 3
    assert found.features == ()
    page = render("t", [Reading(impossible, answer(impossible, right=False), diagnose(impossible, answer(
        impossible, right=False)), unreachable="the numbers <are> not found", explanation=found)])
    assert "not available" in page and "the numbers &lt;are&gt; not found" in page


def test_a_parse_that_differs_from_the_run_is_not_explained():
    parser = random_parser(lexicon=False)
    m = MENTIONS[0]
    e = gold_example(m, EQUATIONS[0])
    same = prediction("m", parser.parse_mentions([m])[0])
    other = Prediction("m", e.text, Equation.parse("V1 = 123"), {"V1": ((0, 8),)})
    readings = [Reading(e, p, diagnose(e, p)) for p in (same, other)]
    first, second = with_scores(parser, readings, [m, m], lambda value: None)
    assert first.explanation is not None and not first.no_scores
    assert second.explanation is None and "otherwise than the run" in second.no_scores


# --- the page


HOSTILE = "<script>alert(1)</script> & \"Co\" weighs 4 kilos more than $title."
BAD = Example("</article>'x\"", HOSTILE, Equation.parse("V1 = 4 + V2"), {"V1": ((0, 8),), "V2": ((58, 64),)})


def readings(count: int = 6) -> list[Reading]:
    """Right and wrong answers, a hostile sentence, and one that states nothing."""
    made = [(e, answer(e, right=n % 2 == 0)) for n, e in enumerate(example(n) for n in range(count))]
    made.append((BAD, answer(BAD, right=False)))
    silent = Example("silent", "Nobody counted the 12 geese.", None, {})
    spurious = Prediction("silent", silent.text, Equation.parse("V1 = 12"), {"V1": ((15, 27),)})
    return [Reading(e, p, diagnose(e, p)) for e, p in [*made, (silent, spurious)]]


def test_the_page_is_escaped_and_self_contained():
    page = render("<b>t</b>", readings(), notices=["a <i> notice"])
    assert page.count("<script>") == 1 and "alert(1)</script>" not in page and "<b>t</b>" not in page
    assert html.escape(HOSTILE[:25]) in page and "a &lt;i&gt; notice" in page and "$title." in page
    without_code = re.sub(r"<style>.*?</style>|<script>.*?</script>", "", page, flags=re.S)
    assert not re.search(r"\b(src|href|action|on\w+)=", without_code) and "url(" not in page and "@import" not in page
    assert "http" not in re.sub(r'http-equiv="Content-Security-Policy"', "", page)
    assert "default-src 'none'" in page
    parsed = Text(re.sub(r"<(meta|input)[^>]*>|<!DOCTYPE html>|<line[^>]*/>|<rect[^>]*/>|<circle[^>]*/>", "",
                         without_code))
    assert parsed.open == [] and parsed.tags["article"] == 8


def test_every_filter_counts_what_it_shows():
    page = render("t", readings())
    found = re.findall(r'data-filter="(\w+)" data-value="([\w-]+)"[^>]*>[^<]* <b>(\d+)</b>', page)
    stages = Counter(re.findall(r'<article data-stage="([\w-]+)"', page))
    kinds = Counter(k for ks in re.findall(r'data-kinds="([^"]*)"', page) for k in ks.split())
    for kind, value, count in found:
        expected = (sum(stages.values()) - stages["right"] if value == "wrong" else stages[value]) \
            if kind == "stage" else kinds[value]
        assert int(count) == expected > 0
    assert {v for k, v, _ in found if k == "stage"} == {"wrong", "tree", "refusal", "right"} and stages["tree"] == 4


@pytest.fixture
def run_folder(tmp_path):
    """A run on hostile and harmless sentences, without a checkpoint."""
    data = tmp_path / "sentences.jsonl"
    write_jsonl([*(example(n) for n in range(4)), BAD], data)
    return make_run(tmp_path / "runs", data, wrong={"s0", BAD.id}, fold=0)


@pytest.mark.pipeline
def test_a_run_without_checkpoint_has_a_page_that_says_so(run_folder, tmp_path, capfd):
    assert main(["errors", str(run_folder), "--output", str(tmp_path / "page.html")]) == 0
    page = (tmp_path / "page.html").read_text()
    assert "the run&#x27;s checkpoint is not there" in page
    assert "<title>Errors of kites-full, data kites, folds random, features paper, seed 0, fold 0</title>" in page
    assert page.count("<article") == len((run_folder / "predictions.jsonl").read_text().splitlines())
    assert capfd.readouterr().err == ""


@pytest.mark.pipeline
def test_a_run_with_checkpoint_has_scores_and_named_features(tmp_path):
    chosen = examples()[:12]
    data = tmp_path / "sentences.jsonl"
    write_jsonl(chosen, data)
    parser = trained()
    parses = [parser(e.text) for e in chosen]
    run = make_run(tmp_path / "runs", data, fold=0)
    write_predictions([prediction(e.id, p) for e, p in zip(chosen, parses, strict=True)], run / "predictions.jsonl")
    version = parser.annotator.version
    save_checkpoint(run / "checkpoint", parser.equation_parser, config={}, metrics={}, annotator_version=version)
    page = errors_page(run)
    assert page.count("<article") == 12 == page.count("Scores and features")
    assert not any(text in page for text in ("(?)", "another kind", "No scores", "not available:"))
    (run / "checkpoint" / "config.yaml").write_text("format: other\n")
    assert "Scores and features are not available: checkpoint" in errors_page(run)


def test_a_folder_that_is_no_run_or_whose_sentences_moved_is_an_error(run_folder, tmp_path):
    with pytest.raises(DataError, match=r"found no metrics\.json"):
        errors_page(tmp_path)
    (tmp_path / "sentences.jsonl").rename(tmp_path / "moved.jsonl")
    with pytest.raises(DataError, match="found nothing; say where they are with --data PATH"):
        errors_page(run_folder)
    other = json.loads((tmp_path / "moved.jsonl").read_text().splitlines()[0])
    (tmp_path / "other.jsonl").write_text(json.dumps(other | {"id": "else"}) + "\n")
    with pytest.raises(DataError, match="expected sentence 's0'"):
        errors_page(run_folder, data=tmp_path / "other.jsonl")


@pytest.mark.parametrize(("name", "text", "said"), [
    ("config.yaml", "data: 3", "config.yaml: expected a mapping for data, found 3"),
    ("config.yaml", "a: b", "config.yaml: expected data, found none"),
    ("config.yaml", "data: {root: [1]}", r"config.yaml: expected text or null for data.root, found \[1\]"),
    ("config.yaml", "data: {name: a}", "config.yaml: expected data.root, found none"),
    ("config.yaml", "data: {root: ROOT}", "config.yaml: expected annotator.pipeline, found none"),
    ("config.yaml", "data: {root: ROOT}\nname: [a]", r"config.yaml: expected text or null for name, found \['a'\]"),
    ("config.yaml", "data: {root: ROOT}\nannotator: {pipeline: 3}", "config.yaml: expected text.* annotator.pipeline"),
    ("metrics.json", "{}", "metrics.json: expected sentences, found none"),
    ("metrics.json", '{"sentences": 4, "tree": "x"}', "metrics.json: expected a number or null for tree, found 'x'"),
    ("predictions.jsonl", '{"id": {}}', "predictions.jsonl, line 1"),
])
def test_a_damaged_file_of_the_run_is_named(run_folder, tmp_path, name, text, said, capfd):
    (run_folder / name).write_text(text.replace("ROOT", str(tmp_path / "sentences.jsonl")))
    with pytest.raises(DataError, match=f"{run_folder}/{said}"):
        errors_page(run_folder)
    assert main(["errors", str(run_folder), "--output", str(tmp_path / "page.html")]) == 2
    assert str(run_folder / name) in capfd.readouterr().err and not (tmp_path / "page.html").exists()


# --- in a browser

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
browser = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed (Debian package chromium)")


def chromium(*arguments: str) -> bytes:
    """Run headless Chromium with a fresh profile and no business of its own on the network -> what it prints."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        return subprocess.run(
            [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             f"--user-data-dir={profile}", *arguments],
            capture_output=True, check=True, timeout=120,
        ).stdout


@browser
@pytest.mark.parametrize("state, shown, chips", [
    ("", {"s0", "s1", "s2", "s3", "s4", "s5", BAD.id, "silent"}, set()),
    ("#stage=wrong&q=yards&kind=operation", {"s1", "s3", "s5"}, {"wrong", "operation"}),
    ("#q=%3Cscript%3E", {BAD.id}, set()),
])
def test_the_filters_of_the_address_show_what_fits(tmp_path, state, shown, chips):
    (tmp_path / "page.html").write_text(render("t", readings()))
    dom = chromium("--dump-dom", f"file://{tmp_path}/page.html{state}").decode()
    found = re.findall(r"<article ([^>]*)>\s*<header><h2>(.*?)</h2>", dom)
    assert len(found) == 8
    assert {html.unescape(name) for attributes, name in found if "hidden" not in attributes} == shown
    assert f'aria-live="polite">{len(shown)} of 8 sentences<' in dom
    assert set(re.findall(r'data-value="([\w-]+)" aria-pressed="true"', dom)) == chips


@browser
@pytest.mark.parametrize("filters, active, shown", [
    (["stage=tree", "kind=reversed"], [f"Stage: {STAGES['tree']} ×", f"Kind: {KINDS['reversed']} ×"], (0, 4)),
    (["kind=nonsense", "q=%3Cb%3E"], ["Kind: nonsense ×", "Search: <b> ×"], (0, 0)),
    (["stage=tree"], [f"Stage: {STAGES['tree']} ×"], (4, 8)),
])
def test_active_filters_stand_on_the_page_and_can_be_removed(tmp_path, filters, active, shown):
    script = """<script>
    const now = () => [[...document.querySelectorAll("#active button")].map((b) => b.textContent),
      document.querySelectorAll("article:not([hidden])").length, document.getElementById("none").hidden, location.hash];
    const before = now();
    document.querySelector("#active button:last-child").click();
    document.title = JSON.stringify([before, now()]);
    </script></body>"""
    (tmp_path / "page.html").write_text(render("t", readings()).replace("</body>", script))
    dom = chromium("--dump-dom", f"file://{tmp_path}/page.html#{'&'.join(filters)}").decode()
    found = json.loads(html.unescape(re.search("<title>(.*?)</title>", dom).group(1)))
    addresses = [f"#{'&'.join(some)}" if some else "" for some in (filters, filters[:-1])]
    names = (active, active[:-1])
    assert found == [[names[at], shown[at], shown[at] > 0, addresses[at]] for at in (0, 1)]


def test_two_runs_have_two_titles(tmp_path):
    (tmp_path / "sentences.jsonl").touch()
    settings = ({}, {"features": "full"}, {"name": "boats"}, {"named": "trial"}, {"seed": 1}, {"fold": 1})
    runs = [make_run(tmp_path / str(number), tmp_path / "sentences.jsonl", **options)
            for number, options in enumerate(settings)]
    titles = [title_of(run, read_config(run)) for run in runs]
    assert titles[3] == "Errors of kites-full, data kites, folds random, features paper, name trial, seed 0, fold 0"
    assert len(set(titles)) == len(runs)


@browser
def test_a_click_filters_and_show_all_shows_all(tmp_path):
    script = """<script>
    const chosen = () => [...document.querySelectorAll("article:not([hidden]) h2")].length;
    const press = (s) => { document.querySelector(s).click(); return chosen(); };
    const seen = [press('[data-value="tree"]'), press('[data-value="tree"]'), press('[data-value="refusal"]'),
      press("#reset")];
    search.value = "YARDS shed"; search.dispatchEvent(new Event("input")); seen.push(chosen());
    document.title = seen.join(" ") + " " + location.hash;
    </script></body>"""
    (tmp_path / "page.html").write_text(render("t", readings()).replace("</body>", script))
    dom = chromium("--dump-dom", f"file://{tmp_path}/page.html").decode()
    assert re.search("<title>(.*?)</title>", dom).group(1) == "4 8 1 8 6 #q=YARDS+shed"


@browser
@pytest.mark.parametrize("width", [360, 1100])
def test_the_page_is_drawn_and_no_wider_than_the_window(tmp_path, width):
    script = """<script>document.title = [document.documentElement.scrollWidth <= window.innerWidth,
      innerWidth, [...document.querySelectorAll("svg")].every((s) => s.clientHeight > 50)].join(" ");
    </script></body>"""
    # a frame, since a window has a least width
    frame = f'<iframe id="f" src="page.html" width="{width}" height="900"></iframe>'
    (tmp_path / "page.html").write_text(render("t", readings()).replace("</body>", script))
    (tmp_path / "frame.html").write_text(frame + """<script>f.onload = () => {
      document.title = f.contentDocument.title; };</script>""")
    dom = chromium("--dump-dom", "--allow-file-access-from-files", f"file://{tmp_path}/frame.html").decode()
    assert re.search("<title>(.*?)</title>", dom).group(1) == f"true {width} true"
    picture = tmp_path / "page.png"
    chromium(f"--screenshot={picture}", f"--window-size={width + 200},900", f"file://{tmp_path}/page.html")
    data = Path(picture).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) > 20_000
