"""Plain data from elsewhere: alias bombs, bottomless nesting, values too long to show."""

from __future__ import annotations

import time

import pytest
from tiny import random_parser

from eqparse.errors import EqparseError
from eqparse.plain import printable, read_json, read_yaml, shown, write_json, write_yaml
from eqparse.systems.checkpoint import load_checkpoint, save_checkpoint

BOMB = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 10))
DEEP = "[" * 100_000


@pytest.mark.parametrize("text", [BOMB, "a: &x 1\nb: *x", "- &x [*x]", b"a: &x {b: 1}\nc: *x"])
def test_aliases_are_refused_before_anything_is_expanded(text):
    start = time.perf_counter()
    with pytest.raises(ValueError, match=r"the alias \*"):
        read_yaml(text)
    assert time.perf_counter() - start < 5


def test_the_tags_that_run_code_are_refused():
    with pytest.raises(ValueError):
        read_yaml("!!python/object/apply:os.getcwd []")


@pytest.mark.parametrize("text", ["!!timestamp soon", "!!bool maybe", "!!int ''", "!!float x", "!!set 3", "2024-13-45"])
def test_a_value_that_its_tag_does_not_fit_is_an_error_of_the_data(text):
    with pytest.raises(ValueError):
        read_yaml(f"a: {text}")


@pytest.mark.parametrize("read", [read_yaml, read_json])
def test_bottomless_nesting_is_an_error_of_the_data(read):
    with pytest.raises(ValueError):
        read(DEEP)


def test_what_is_written_is_read_again_without_aliases():
    shared = [1, "drei", None, {"a": 0.5}]
    text = write_yaml({"first": shared, "second": shared})
    assert "*" not in text and read_yaml(text) == {"first": shared, "second": shared}


def test_a_value_is_shown_in_few_characters():
    bottomless: list = []
    bottomless.append(bottomless)
    wide = "y"
    for _ in range(12):
        wide = [wide] * 9
    for value in (bottomless, wide, "z" * 10**6, {"k" * 99: ["v"] * 99}, 10**60):
        assert len(shown(value)) <= 200
    assert shown(12) == "12" and shown("abc") == "'abc'"


@pytest.mark.parametrize("name", ["config.yaml", "metrics.json"])
@pytest.mark.parametrize("content", [BOMB, DEEP, "stages: &s {}\nlimits: *s"])
def test_a_checkpoint_with_such_files_is_refused(tmp_path, name, content):
    folder = tmp_path / "model"
    save_checkpoint(folder, random_parser(), config={}, metrics={}, annotator_version="en-1")
    (folder / name).write_text(content, encoding="utf-8")
    with pytest.raises(EqparseError, match="checksum differs"):
        load_checkpoint(folder)



def test_json_holds_no_number_that_json_does_not_know():
    value = {"a": [float("nan"), {"b": float("inf")}], "c": 1e300, "d": (1, -float("inf"))}
    assert write_json(value) == '{"a": [null, {"b": null}], "c": 1e+300, "d": [1, null]}'
    assert write_json({"ä": 1.5}, ensure_ascii=False) == '{"ä": 1.5}'


def test_what_could_upset_a_terminal_is_escaped():
    assert printable("a\x1b[0m\x07\n\u061c\u202e\ud800") == r"a\u001b[0m\u0007\u000a\u061c\u202e\ud800"
    assert printable("naïve – 数 \\u001b") == "naïve – 数 \\u001b"
    assert printable("a\n\t\x00", keep="\n\t") == "a\n\t\\u0000"
