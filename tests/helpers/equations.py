"""Random equations, and the published scorer's form of one."""

from __future__ import annotations

from hypothesis import strategies as st

from eqparse.equation.equation import Equation, Number, Operation, Variable

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


def parse(text):
    return Equation.parse(text)


def tuples(node):
    """The tree in the scorer's form."""
    if isinstance(node, Equation):
        return ("=", tuples(node.left), tuples(node.right))
    if isinstance(node, Operation):
        return (node.op, tuples(node.left), tuples(node.right))
    return ("num", node.value) if isinstance(node, Number) else ("var", node.name)
