"""Comparing equations: held to brute force, algebra, the published scorer."""

from __future__ import annotations

import itertools

import pytest
from equations import SMALL_LEAVES, equations, parse, tuples
from hypothesis import given, settings
from hypothesis import strategies as st

from eqparse.equation.equation import Equation, Number, Operation, Variable, equivalent, same_form
from eqparse.errors import EqparseError

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
