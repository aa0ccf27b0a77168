"""What a wrong parse got wrong, and where: by hand."""

from __future__ import annotations

import pytest
from parses import answered

from eqparse.analysis.errors_page import KINDS, STAGES, diagnose
from eqparse.corpus.example import Example
from eqparse.equation.equation import Equation
from eqparse.parser.parse import Parse

TEXT = "The red barn holds 8 bales more than half the hay of the old barn, said Ada."
GOLD = Example("g", TEXT, Equation.parse("V1 = 8 + (0.5 * V2)"), {"V1": ((0, 12),), "V2": ((42, 65),)})
SPANS = {"The red barn": (0, 12), "red barn": (4, 12), "the hay": (42, 49), "the hay of the old barn": (42, 65),
         "the old barn": (53, 65), "Ada": (72, 75), "bales": (21, 26), "half the hay": (37, 49)}


def predict(equation: str | None, **variables: str) -> Parse:
    spans = {name: tuple(SPANS[phrase] for phrase in phrases.split("; ")) for name, phrases in variables.items()}
    parsed = None if equation is None else Equation.parse(equation)
    return answered(TEXT, parsed, spans, candidates=tuple(sorted(SPANS.values())))


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
    wide = answered(TEXT, Equation.parse("V1 = 8"), {"V1": (SPANS[RED],)}, candidates=candidates)
    assert diagnose(around, wide).kinds == ("around",)


def test_sentences_that_state_nothing():
    silent = Example("g", TEXT, None, {})
    assert diagnose(silent, predict(None)).stage == "right"
    found = diagnose(silent, predict("V1 = 8", V1=RED))
    assert (found.stage, found.kinds, found.verdict) == ("refusal", ("spurious",), {})
