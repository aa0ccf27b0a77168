"""Reading and printing equations: held to Python's parser and the published scorer."""

from __future__ import annotations

import ast
import json
import pickle
from fractions import Fraction

import pytest
from equations import equations, parse, tuples
from hypothesis import example, given
from hypothesis import strategies as st

from eqparse.equation.equation import Equation, Number, Operation, Variable, same_form
from eqparse.errors import EqparseError

# --- reading and printing


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("V1 = 30+2*V2", "V1 = 30 + (2 * V2)"),
        ("V1+V2=61", "V1 + V2 = 61"),
        ("((2*V1)-V2)=17", "(2 * V1) - V2 = 17"),
        ("V1=(-8)  ", "V1 = -8"),
        ("V1*(-8)=V2", "V1 * (-8) = V2"),
        ("\tV1--8 = -(-(3))", "V1 - (-8) = 3"),
        (".833*V1=10,000", "0.833 * V1 = 10000"),
        ("V1 = 55.40", "V1 = 55.4"),
        ("V1=1.5e3-2E-2", "V1 = 1500 - 0.02"),
        ("1-2-3=12/3/2", "(1 - 2) - 3 = (12 / 3) / 2"),
        ("V1 = 0.1", "V1 = 0.1"),
        ("5. = -0", "5 = 0"),
    ],
)
def test_canonical_form(text, printed):
    assert str(parse(text)) == printed


@given(equations())
def test_printed_equation_reads_back_equal(equation):
    text = str(equation)
    again = parse(text)
    assert again == equation and hash(again) == hash(equation) and str(again) == text
    assert "e" not in text and ".0 " not in text + " "


@pytest.mark.parametrize(
    "build", [lambda tree: Operation("-", tree, Number(-1)), lambda t: Operation("/", Number(-1), t)]
)
def test_the_deepest_tree_reads_back_and_one_level_more_is_refused(build):
    tree = Number(-1.0)
    for _ in range(200):
        tree = build(tree)
    deepest = Equation(tree, tree)
    assert parse(str(deepest)) == deepest == Equation.from_dict(deepest.to_dict())
    assert same_form(deepest, deepest, strict=True) and len(deepest.leaves()) == 402
    assert pickle.loads(pickle.dumps(deepest)) == deepest
    with pytest.raises(EqparseError, match="at most 200 levels"):
        build(tree)


def from_python(node):
    """An equation side from Python's own parser."""
    match node:
        case ast.BinOp(left, op, right):
            sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}[type(op)]
            return Operation(sign, from_python(left), from_python(right))
        case ast.Name(name):
            return Variable(name)
        case ast.UnaryOp(ast.USub(), operand):
            return Number(-from_python(operand).value)
        case ast.Constant(value):
            return Number(value)


def written(draw, depth):
    kind = draw(st.integers(0, 3 if depth else 1))
    if kind == 0:
        return draw(st.sampled_from(["V1", "V2"]))
    if kind == 1:
        return draw(st.sampled_from(["7", "0.25", ".5", "1e2", "-3", "(-4)"]))
    inner = draw(st.sampled_from("+-*/")).join([written(draw, depth - 1), written(draw, depth - 1)])
    return f"( {inner})" if kind == 3 else inner


@given(st.data())
def test_precedence_and_order_are_those_of_arithmetic(data):
    left, right = written(data.draw, 3), written(data.draw, 3)
    sides = [from_python(ast.parse(side, mode="eval").body) for side in (left, right)]
    assert parse(f"{left}={right}") == Equation(*sides)


FRAGMENTS = st.sampled_from(
    ["V1", "V2", "3", ".5", "1,000", "2e3", "(", ")", "-", "+", "*", "/", "=", " ", "V", ".", "e", ","]
)


@given(st.one_of(st.text(max_size=30), st.lists(FRAGMENTS, max_size=12).map("".join)))
@example("(" * 5000)
@example("-" * 5000 + "1=1")
@example("(" * 5000 + "1" + ")" * 5000 + "=1")
@example("+".join(["1"] * 3000) + "=V1")
@example("1" * 5000 + "=V1")
@example("V1=1e999999")
def test_any_text_ends_in_an_equation_or_an_error_that_shows_it(text):
    try:
        equation = parse(text)
    except EqparseError as error:
        assert repr(text[:200])[1:-1] in str(error)
    else:
        assert parse(str(equation)) == equation


@given(st.lists(FRAGMENTS, max_size=12).map("".join))
def test_reads_what_the_scorer_reads(scorer, text):
    try:
        expected = scorer.parse(text)
    except ValueError:
        with pytest.raises(EqparseError):
            parse(text)
    else:
        assert tuples(parse(text)) == expected


@pytest.mark.parametrize(
    ("text", "position", "expected", "found"),
    [
        ("", 0, "a number, a variable or '('", "the end of the text"),
        ("V1 + 3", 6, "'='", "the end of the text"),
        ("V1 = ", 5, "a number, a variable or '('", "the end of the text"),
        ("V1 = 2 = 3", 7, "an operation or the end of the text", "'='"),
        ("V1 = -V2", 6, "a number after the minus sign", "'V2'"),
        ("(V1 = 2", 4, "')'", "'='"),
        ("V1 = 2 V2", 7, "an operation or the end of the text", "'V2'"),
        ("V1 = 2 ^ 3", 7, "a number, V1, V2, an operation", "'^'"),
        ("V1 = 1e999", 5, "a number that fits a float", "1e999"),
    ],
)
def test_errors_name_text_position_expected_and_found(text, position, expected, found):
    with pytest.raises(EqparseError) as caught:
        parse(text)
    message = str(caught.value)
    assert message.startswith(f"equation {text!r}, character {position}: expected {expected}")
    assert message.endswith(f"found {found}")


@pytest.mark.parametrize(
    "build",
    [
        lambda: Number(float("nan")),
        lambda: Number(10**400),
        lambda: Number("3"),
        lambda: Number(True),
        lambda: Variable("x"),
        lambda: Variable("V"),
        lambda: Operation("^", Number(1), Number(2)),
        lambda: Operation("+", Number(1), 2),
        lambda: Equation(Variable("V1"), "V2"),
        lambda: Equation.parse(None),
        lambda: Equation.from_dict({"left": {"number": 1}}),
        lambda: Equation.from_dict({"left": {"number": 1}, "right": {"number": 1, "variable": "V1"}}),
        lambda: Equation.from_dict({"left": {"number": 1}, "right": [2]}),
    ],
)
def test_malformed_nodes_are_refused(build):
    with pytest.raises(EqparseError):
        build()


def test_from_dict_bounds_the_depth():
    node = {"number": 1}
    for _ in range(5000):
        node = {"op": "+", "left": node, "right": {"number": 1}}
    with pytest.raises(EqparseError, match="at most 200 levels"):
        Equation.from_dict({"left": node, "right": node})


def test_leaves_variables_and_renaming():
    equation = parse("V2 - (3 * V1) = V2 / 4")
    assert equation.leaves() == (
        *map(Variable, ("V2",)),
        Number(3),
        Variable("V1"),
        Variable("V2"),
        Number(4),
    )
    assert equation.variables == ("V2", "V1")
    assert str(equation.renamed({"V1": "V2", "V2": "V1"})) == "V1 - (3 * V2) = V1 / 4"
    assert str(equation.renamed({"V1": "V3"})) == "V2 - (3 * V3) = V2 / 4"
    assert {equation, parse("V2-3*V1 = V2/4")} == {equation}
    with pytest.raises(AttributeError):
        equation.left = Number(1)


@given(equations())
def test_dict_form_survives_json(equation):
    assert Equation.from_dict(json.loads(json.dumps(equation.to_dict()))) == equation


# --- exact values


def test_a_number_keeps_the_fraction_that_it_was_made_of():
    third = Number(Fraction(1, 3))
    assert (third.value, third.exact, str(third)) == (1 / 3, Fraction(1, 3), "0.3333333333333333")
    assert third == Number(1 / 3) and hash(third) == hash(Number(1 / 3))
    assert Number(0.1).exact == Fraction(1, 10) and Number(5).exact == 5
    assert pickle.loads(pickle.dumps(third)).exact == Fraction(1, 3)


def test_the_exact_value_is_written_and_read_beside_the_float():
    equation = Equation(Operation("*", Number(Fraction(-2, 3)), Variable("V1")), Number(Fraction(1, 8)))
    data = equation.to_dict()
    assert data["left"]["left"] == {"number": -0.6666666666666666, "exact": "-2/3"}
    assert data["right"] == {"number": 0.125}
    again = Equation.from_dict(json.loads(json.dumps(data)))
    assert [leaf.exact for leaf in again.leaves() if isinstance(leaf, Number)] == [Fraction(-2, 3), Fraction(1, 8)]


LARGE = ["9007199254740993", "-9007199254740993", "1" + "0" * 21 + "7", "123456789012345678901"]


@pytest.mark.parametrize("digits", LARGE)
def test_whole_numbers_beyond_a_floats_digits_stay_exact(digits):
    equation = parse(f"V1 = ({digits}) * V2")
    assert str(equation.right.left) == digits and str(parse(str(equation))) == str(equation)
    again = Equation.from_dict(json.loads(json.dumps(equation.to_dict())))
    assert again.right.left.exact == int(digits)
    assert digits.lstrip("-") in equation.to_latex()


def test_a_number_of_very_many_digits_is_read_or_refused_by_name():
    assert parse("V1 = " + "0" * 9000 + "7").right == Number(7)
    assert parse("V1 = 0." + "3" * 9000).right.value == pytest.approx(1 / 3)
    with pytest.raises(EqparseError, match="fits a float"):
        parse("V1 = " + "9" * 9000)


@pytest.mark.parametrize("exact", ["1/2", "1/0", "x", "1e5", 0.5, None, ["1/3"], "1/" + "9" * 500])
def test_an_exact_value_that_does_not_fit_is_refused(exact):
    with pytest.raises(EqparseError, match="exact value"):
        Equation.from_dict({"left": {"number": 1 / 3, "exact": exact}, "right": {"number": 1}})


def test_a_third_matches_its_four_decimals():
    exact = Equation(Operation("*", Number(Fraction(1, 3)), Variable("V1")), Number(9))
    assert same_form(exact, parse("0.3333 * V1 = 9"), strict=True)


def test_the_scorer_reads_negative_numbers_as_we_print_them(scorer):
    for text in ("V1 * -8 = 40", "V1 + (-8) = 12", "-3 * V1 = -12", "V1 - -0.5 = 2"):
        assert scorer.parse(str(parse(text))) == tuples(parse(text))
