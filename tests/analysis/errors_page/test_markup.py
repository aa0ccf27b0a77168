"""Marked text and drawn trees."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_entries import Text

from eqparse.analysis.errors_page.page import TEMPLATES
from eqparse.analysis.errors_page.trees import draw
from eqparse.equation.equation import Equation
from eqparse.parser.html.marks import equation_numbers, left_out, marked_pieces, marks

PARTS, MARKED = (TEMPLATES.get_template(name).module for name in ("parts.html", "marked.html"))


def marked_text(text, marked):
    return str(MARKED.marked(marked_pieces(text, marked)))


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
    marked = marks(variables, values)
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
    marked = marks(variables, [((4, 5), "2")])
    assert [(m.start, m.end, m.label) for m in marked] == [(0, 8, "V1, V2"), (4, 8, "V1"), (4, 5, "2")]
    assert marked_text("the 2 oxen", marks({"V1": ((0, 10),)}, [((4, 5), "2")])) == (
        '<mark class="v1">the <mark class="number">2</mark> oxen<b>V1</b></mark>')
    assert marked_text("half <it>", marks({}, [((0, 4), "0.5")])) == (
        '<mark class="number">half<b>0.5</b></mark> &lt;it&gt;')


def test_the_numbers_marked_are_those_of_the_equation():
    text = "The red barn holds 8 bales more than half the hay of the old barn, said Ada."
    assert equation_numbers(text, Equation.parse("V1 = 8 + (0.5 * V2)")) == [((19, 20), "8"), ((37, 41), "0.5")]
    assert equation_numbers(text, Equation.parse("V1 = 7")) == [] and equation_numbers(text, None) == []
    assert [span for span, _ in equation_numbers("3 and 3 make 6", Equation.parse("3 + 3 = V1"))] == [(0, 1), (6, 7)]


@pytest.mark.parametrize("text", ["V1 = 8", "V1 = 8 + (0.5 * V2)", "(V1 / 3) - V2 = V3 * (1234567.25 + V1)"])
def test_a_tree_is_drawn_whole_within_its_frame(text):
    equation = Equation.parse(text)
    svg = ElementTree.fromstring(str(PARTS.tree(draw(equation), equation)))
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
