"""Frames of texts."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from parses import answered
from tiny import trained

from eqparse.equation.equation import Equation
from eqparse.errors import ConfigError
from eqparse.integrations import frames
from eqparse.integrations.frames import COLUMNS, parse_frame
from eqparse.systems.folder import DEFAULT

TEXTS = ["The mast is 4 feet longer than the boat.", None, "Nobody came."]


class Canned:
    """A parser with an answer to the first of `TEXTS`."""

    def parse_batch(self, texts, *, alternatives, min_confidence, batch_size):
        known = answered(TEXTS[0], Equation.parse("V1 = 4 + V2"), {"V1": ((0, 8),), "V2": ((31, 39),)}, confidence=0.5)
        return [known if text == TEXTS[0] else answered("", reason="none") for text in texts]


def test_a_frame_of_pandas_keeps_rows_and_index():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"said": TEXTS, "row": [1, 2, 3]}, index=[7, 7, 9])
    parsed = parse_frame(frame, "said", parser=Canned(), prefix="its_")
    assert parsed[["said", "row"]].equals(frame) and list(frame.columns) == ["said", "row"]
    assert parsed.its_equation.to_list() == ["V1 = 4 + V2", None, None]
    assert parsed.its_phrases.to_list() == [{"V1": ["The mast"], "V2": ["the boat"]}, {}, {}]
    assert parsed.its_variables.to_list()[0] == {"V1": [[0, 8]], "V2": [[31, 39]]}
    assert parsed.its_reason.to_list() == ["", "none", "none"]
    assert parsed.its_confidence.isna().to_list() == [False, True, True]
    empty = parse_frame(frame.iloc[:0], "said", parser=Canned(), prefix="its_")
    assert empty.dtypes.equals(parsed.dtypes)


def test_a_frame_of_polars_has_the_same_columns():
    polars = pytest.importorskip("polars")
    parsed = parse_frame(polars.DataFrame({"text": TEXTS}), parser=Canned())
    assert parsed.columns == ["text", *COLUMNS] and parsed["equation"].to_list() == ["V1 = 4 + V2", None, None]
    assert parsed["phrases"][0] == {"V1": ["The mast"], "V2": ["the boat"]}
    assert parse_frame(polars.DataFrame({"text": TEXTS}).head(0), parser=Canned()).schema == parsed.schema
    with pytest.raises(ConfigError, match="found a LazyFrame.*collected first"):
        parse_frame(polars.LazyFrame({"text": TEXTS}), parser=Canned())


def test_what_cannot_be_a_column_of_texts_is_named():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"said": TEXTS})
    with pytest.raises(ConfigError, match="column 'text'.*found 0; it has said"):
        parse_frame(frame)
    with pytest.raises(ConfigError, match="found 2"):
        parse_frame(pandas.concat([frame, frame], axis=1), "said")
    with pytest.raises(ConfigError, match="a column 'reason' already"):
        parse_frame(frame.assign(reason=""), "said")
    with pytest.raises(ConfigError, match="prefix: expected a str, found a NoneType"):
        parse_frame(frame, "said", prefix=None)
    with pytest.raises(ConfigError, match="found a list"):
        parse_frame(TEXTS)


def test_a_parser_may_be_named(monkeypatch):
    pandas = pytest.importorskip("pandas")
    frame, named = pandas.DataFrame({"text": TEXTS}), []
    monkeypatch.setattr(frames, "load", lambda name: named.append(name) or Canned())
    for parser in (None, "accurate", Path("outputs/mine")):
        assert parse_frame(frame, parser=parser).equation.to_list() == ["V1 = 4 + V2", None, None]
    assert named == [DEFAULT, "accurate", Path("outputs/mine")]
    with pytest.raises(ConfigError, match="parser: expected a parser, a model's name .* found an int"):
        parse_frame(frame, parser=3)


@pytest.mark.pipeline
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_an_empty_cell_of_a_frame_is_an_empty_text(library):
    made = pytest.importorskip(library)
    frames = [made.DataFrame({"text": [None, ""]}), made.DataFrame({"text": [math.nan] * 2})]
    if library == "pandas":
        frames.append(made.DataFrame({"text": made.array([None, ""], dtype="string")}))
    for frame in frames:
        assert list(parse_frame(frame, parser=trained())["reason_code"]) == ["empty"] * 2
