"""`eqparse errors`: the page is escaped and whole, and what it cannot be made of is named."""

from __future__ import annotations

import html
import json
import re
from collections import Counter

import pytest
from page_entries import BAD, HOSTILE, Text, entries
from report_runs import example, make_run
from tiny import examples, trained

from eqparse.analysis.errors_page import errors_page
from eqparse.analysis.errors_page.page import render, title_of
from eqparse.analysis.report.run_files import read_config
from eqparse.commands.main import main
from eqparse.corpus.jsonl import write_jsonl
from eqparse.errors import DataError
from eqparse.systems.checkpoint import save_checkpoint
from eqparse.training.predictions import write_predictions


def test_the_page_is_escaped_and_self_contained():
    page = render("<b>t</b>", entries(), notices=["a <i> notice"])
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
    page = render("t", entries())
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
    assert "the run&#39;s checkpoint is not there" in page
    assert "<title>Errors of kites-pipeline, data kites, folds random, features paper, seed 0, fold 0</title>" in page
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
    write_predictions({e.id: p for e, p in zip(chosen, parses, strict=True)}, run / "predictions.jsonl")
    tested = {"sentences": sum(e.equation is not None for e in chosen)}
    (run / "metrics.json").write_text(json.dumps(tested))
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
    ("predictions.jsonl", "", "predictions.jsonl: expected 1 sentences that state an equation, .* found 0"),
])
def test_a_damaged_file_of_the_run_is_named(run_folder, tmp_path, name, text, said, capfd):
    (run_folder / name).write_text(text.replace("ROOT", str(tmp_path / "sentences.jsonl")))
    with pytest.raises(DataError, match=f"{run_folder}/{said}"):
        errors_page(run_folder)
    assert main(["errors", str(run_folder), "--output", str(tmp_path / "page.html")]) == 2
    assert str(run_folder / name) in capfd.readouterr().err and not (tmp_path / "page.html").exists()


def test_a_run_that_was_tested_on_nothing_has_no_page(run_folder, tmp_path, capfd):
    (run_folder / "metrics.json").write_text('{"sentences": 0}')
    (run_folder / "predictions.jsonl").write_text("")
    assert main(["errors", str(run_folder), "--output", str(tmp_path / "page.html")]) == 2
    assert "found one that was tested on no sentence" in capfd.readouterr().err
    assert not (tmp_path / "page.html").exists()


def test_two_runs_have_two_titles(tmp_path):
    (tmp_path / "sentences.jsonl").touch()
    settings = ({}, {"features": "full"}, {"name": "boats"}, {"named": "trial"}, {"seed": 1}, {"fold": 1})
    runs = [make_run(tmp_path / str(number), tmp_path / "sentences.jsonl", **options)
            for number, options in enumerate(settings)]
    titles = [title_of(run, read_config(run)) for run in runs]
    assert titles[3] == "Errors of kites-pipeline, data kites, folds random, features paper, name trial, seed 0, fold 0"
    assert len(set(titles)) == len(runs)
