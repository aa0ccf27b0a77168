"""Reading, printing and comparing equations: held to brute force, Python's parser, the published scorer."""

from __future__ import annotations

import ast
import importlib.util
import itertools
import json
import pickle

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from eqparse.equation.equation import Equation, Number, Operation, Variable, equivalent, same_form
from eqparse.errors import EqparseError

VALUES = st.one_of(
    st.integers(-20, 20).map(float),
    st.sampled_from([0.05, 0.833, 55.4, 1e-7, 5e-324, 1e22, 123456789012345680.0, 1.7976931348623157e308]),
    st.floats(allow_nan=False, allow_infinity=False),
)
LEAVES = st.one_of(VALUES.map(Number), st.sampled_from(["V1", "V2"]).map(Variable))
SMALL_LEAVES = st.one_of(
    st.sampled_from([2.0, 3.0, 3.00005]).map(Number), st.sampled_from(["V1", "V2"]).map(Variable)
)


def trees(leaves, *, max_leaves=8):
    return st.recursive(
        leaves,
        lambda inner: st.builds(Operation, st.sampled_from("+-*/"), inner, inner),
        max_leaves=max_leaves,
    )


def equations(leaves=LEAVES, *, max_leaves=8):
    side = trees(leaves, max_leaves=max_leaves)
    return st.builds(Equation, side, side)


@pytest.fixture(scope="session")
def scorer(shared):
    spec = importlib.util.spec_from_file_location("published_scorer", shared / "tools" / "score.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def parse(text):
    return Equation.parse(text)


def tuples(node):
    """The tree in the scorer's form."""
    if isinstance(node, Equation):
        return ("=", tuples(node.left), tuples(node.right))
    if isinstance(node, Operation):
        return (node.op, tuples(node.left), tuples(node.right))
    return ("num", node.value) if isinstance(node, Number) else ("var", node.name)


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


# --- the same form


def orders(node):
    """Every tree that differs from `node` in the order of operands of = + * only."""
    if not isinstance(node, (Operation, Equation)):
        return [node]
    build = Equation if isinstance(node, Equation) else lambda left, right: Operation(node.op, left, right)
    pairs = list(itertools.product(orders(node.left), orders(node.right)))
    swapped = [(right, left) for left, right in pairs]
    free = isinstance(node, Equation) or node.op in "+*"
    return [build(*pair) for pair in (pairs + swapped if free else pairs)]


def shape_and_leaves(equation):
    leaves = equation.leaves()
    shape = str(equation)
    for leaf in sorted({str(leaf) for leaf in leaves}, key=len, reverse=True):
        shape = shape.replace(leaf, "_")
    return shape, leaves


def same_by_enumeration(a, b, *, strict):
    shape, ours = shape_and_leaves(a)
    for other in orders(b):
        other_shape, theirs = shape_and_leaves(other)
        if shape != other_shape:
            continue
        naming, inverse, good = {}, {}, True
        for x, y in zip(ours, theirs, strict=True):
            if isinstance(x, Number) and isinstance(y, Number):
                good &= abs(x.value - y.value) < 1e-4
            elif isinstance(x, Variable) and isinstance(y, Variable):
                if strict:
                    good &= (
                        naming.setdefault(y.name, x.name) == x.name
                        and inverse.setdefault(x.name, y.name) == y.name
                    )
            else:
                good = False
        if good:
            return True
    return False


@st.composite
def pairs(draw):
    """Two equations, more often than not the same in form."""
    a = draw(equations(SMALL_LEAVES, max_leaves=4))
    if draw(st.booleans()):
        return a, draw(equations(SMALL_LEAVES, max_leaves=4))
    b = draw(st.sampled_from(orders(a)))
    return a, b.renamed(draw(st.sampled_from([{}, {"V1": "V2", "V2": "V1"}, {"V1": "V2"}])))


@given(pairs(), st.booleans())
@settings(max_examples=200)
def test_same_form_agrees_with_enumeration(pair, strict):
    a, b = pair
    assert (
        same_form(a, b, strict=strict)
        == same_by_enumeration(a, b, strict=strict)
        == same_form(b, a, strict=strict)
    )


@given(pairs())
@settings(max_examples=200)
def test_same_form_agrees_with_the_scorer(scorer, pair):
    gold, found = map(tuples, pair)
    verdict = scorer.judge(gold, {}, {"equation": str(pair[1])})
    for criterion in ("equation", "equation_strict"):
        assert verdict[criterion] == same_form(*pair, strict=criterion == "equation_strict")


@pytest.mark.parametrize(
    ("a", "b", "loose", "strict"),
    [
        ("V1 = 3 + V2", "V1 + 3 = V2", True, True),  # as = and + commute, and names may be swapped
        ("V1 - V2 = 5", "V2 - V1 = 5", True, True),
        ("V1 - 5 = V2", "5 - V1 = V2", False, False),
        ("V1 + (0.1 * V1) = 9", "V1 + (0.1 * V2) = 9", True, False),
        ("V1 = 2", "V1 = 2.00009", True, True),
        ("V1 = 2", "V1 = 2.0002", False, False),
        ("V1 = 2 * V2", "V1 / 2 = V2", False, False),
    ],
)
def test_same_form_by_hand(a, b, loose, strict):
    assert (same_form(parse(a), parse(b), strict=False), same_form(parse(a), parse(b), strict=True)) == (
        loose,
        strict,
    )


# --- equivalence


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("V1-3=V2", "V1=3+V2", True),
        ("V1/2=V2", "V1=2*V2", True),
        ("V1/V2=5/3", "3*V1=5*V2", True),
        ("V1/V2=3/V2", "V1=3", True),
        ("V1=V2/3", "V2=0.33333*V1", True),
        ("V1+0.05*V1=21", "V1=20", True),
        ("(V1+V2)*(V1-V2)=7", "V2*V2-V1*V1=7", True),
        ("V3=2", "V1*2=4", True),
        ("V1+0*V2=4", "V2=4", True),
        ("V1=V1", "2*V2=V2+V2", True),
        ("1=2", "3=7", True),
        ("V1/0=1", "V1/0=1", True),
        ("V1/(V2-V2)=1", "V1=0", False),
        ("V1/0=1", "V1/0=2", False),
        ("V1+V2=3", "V1-V2=3", False),
        ("V1=3", "V1=3.001", False),
        ("V1=0.0001", "V1=0.00015", True),  # the same in form: numbers are equal within 1e-4
        ("V1*V1=4", "V1=2", False),
        ("V1=V1", "V1=2", False),
        ("1=2", "2=2", False),
        ("V1+V1=2", "V1+V2=2", False),
    ],
)
def test_equivalent_by_hand(a, b, expected):
    assert equivalent(parse(a), parse(b)) == equivalent(parse(b), parse(a)) == expected


SMALL = st.integers(-3, 3)


@given(st.lists(SMALL, min_size=6, max_size=6))
def test_linear_equations_are_equivalent_when_their_coefficients_are_proportional(numbers):
    def proportional(u, v):
        crossed = all(u[i] * v[j] == u[j] * v[i] for i in range(3) for j in range(3))
        return crossed and any(u) == any(v)

    u, v = numbers[:3], numbers[3:]
    a, b = (parse("({})*V1 + ({})*V2 = {}".format(*w)) for w in (u, v))
    assert equivalent(a, b) == (proportional(u, v) or proportional(u, [v[1], v[0], v[2]]))


DEFINED = st.recursive(  # trees that divide by numbers other than zero only
    SMALL_LEAVES,
    lambda inner: st.one_of(
        st.builds(Operation, st.sampled_from("+-*"), inner, inner),
        st.builds(Operation, st.just("/"), inner, st.sampled_from([2.0, 0.05]).map(Number)),
    ),
    max_leaves=6,
)


@given(st.builds(Equation, DEFINED, DEFINED))
@settings(max_examples=60)
def test_what_is_done_to_both_sides_changes_nothing(equation):
    left, right = equation.left, equation.right
    for other in (
        Equation(right, left).renamed({"V1": "V2", "V2": "V1"}),
        Equation(Operation("-", right, Variable("V1")), Operation("-", left, Variable("V1"))),
        Equation(Operation("/", left, Number(7)), Operation("/", right, Number(7))),
        Equation(Operation("-", left, right), Number(0)),
        Equation(Operation("/", Operation("*", left, Variable("V1")), Variable("V1")), right),
    ):
        assert equivalent(equation, other) and equivalent(other, equation)


def test_the_polynomials_are_bounded():
    long = parse("+".join(["V1"] * 65) + "=1")
    with pytest.raises(EqparseError, match="at most 64 leaves"):
        equivalent(long, parse("V1=1"))
    with pytest.raises(EqparseError, match="at most 6 variables"):
        equivalent(parse("+".join(f"V{i}" for i in range(7)) + "=1"), parse("V1=1"))
    with pytest.raises(EqparseError, match="more than 400 terms"):
        equivalent(parse("*".join(["(V1+V2+V3+V4+V5+V6+1)"] * 8) + "=1"), parse("V1=1"))


# --- other forms


@given(equations(max_leaves=5))
@settings(max_examples=50)
def test_sympy_keeps_the_form(equation):
    import sympy

    result = equation.to_sympy()
    assert type(result) is sympy.Eq
    atoms = [atom for atom in sympy.preorder_traversal(result) if isinstance(atom, sympy.Symbol)]
    assert sorted(map(str, atoms)) == sorted(
        leaf.name for leaf in equation.leaves() if isinstance(leaf, Variable)
    )


def test_sympy_solves_with_exact_numbers():
    import sympy

    v1, v2 = sympy.symbols("V1 V2")
    assert sympy.solve(parse("V1 = 30 + (0.1 * V2)").to_sympy(), v2) == [10 * v1 - 300]
    assert sympy.solve(parse("(V1 - 0.2) / (V1 * 3) = 1").to_sympy(), v1) == [sympy.Rational(-1, 10)]
    assert str(parse("2 = 2").to_sympy()) == "Eq(2, 2)"
    assert isinstance(parse("1 / 0 = V1").to_sympy(), sympy.Eq)


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("V1 = 30 + (2 * V2)", r"V_{1} = 30 + 2 V_{2}"),
        ("V1 / 0.5 = V2", r"\frac{V_{1}}{0.5} = V_{2}"),
        ("2 * 3 = V1 * 4", r"2 \cdot 3 = V_{1} \cdot 4"),
        ("V1 - (V2 - 3) = V12", r"V_{1} - \left(V_{2} - 3\right) = V_{12}"),
        ("V1 + (V2 - 3) = 4", r"V_{1} + V_{2} - 3 = 4"),
        ("2 * (V1 + 3) = (-8) * V2", r"2 \left(V_{1} + 3\right) = \left(-8\right) V_{2}"),
        ("2 * (V1 / 3) = -8", r"2 \cdot \frac{V_{1}}{3} = -8"),
        ("V1 - (-8) = V1 * V2", r"V_{1} - \left(-8\right) = V_{1} V_{2}"),
    ],
)
def test_latex(text, latex):
    assert parse(text).to_latex() == latex
