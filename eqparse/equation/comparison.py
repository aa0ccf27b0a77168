"""When two equations are the same: in form, as in the published scorer, or in meaning."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction
from operator import add, sub
from typing import TYPE_CHECKING

from eqparse.equation.expression import Expression, Number, Operation, Variable
from eqparse.errors import EqparseError

if TYPE_CHECKING:
    from eqparse.equation.equation import Equation

Polynomial = dict[tuple[int, ...], Fraction | int]
"""Powers of the variables -> coefficient, never 0; an int where it is whole, which is several times as fast."""
TOLERANCE = 1e-4
MAX_NAMES = 6  # every one-to-one renaming is tried, at most 720
MAX_LEAVES = 64
MAX_TERMS = 400  # of a multiplied-out polynomial; the equations of one sentence have fewer than ten


def same_form(a: Equation, b: Equation, *, strict: bool) -> bool:
    """Do a and b have the same tree, up to the order of the operands of = + * and a renaming of the variables?

    Numbers are equal within 1e-4.

    strict: one renaming must hold for the whole equation, so a variable used twice in a must be used twice in b. If
        false, each mention counts as a separate variable, as in the scorer that Roy et al. (2016) released, so
        coreference is not judged.

    Raises:
        EqparseError: strict, and more than 6 variables each.
    """
    if not matches(a, b, lambda ours, theirs: True):
        return False
    return not strict or any(
        matches(a, b, lambda ours, theirs, naming=naming: naming[theirs] == ours) for naming in namings(a, b)
    )


def matches(a: Equation, b: Equation, fits: Callable[[str, str], bool]) -> bool:
    """Can the trees be aligned so that `fits(name in a, name in b)` holds for every aligned pair of variables?

    Each pair of nodes at the same depth is compared at most once, so the time is quadratic in the number of leaves.
    """

    def node(x: Expression, y: Expression) -> bool:
        if isinstance(x, Number):
            return isinstance(y, Number) and abs(x.value - y.value) < TOLERANCE
        if isinstance(x, Variable):
            return isinstance(y, Variable) and fits(x.name, y.name)
        if not isinstance(y, Operation) or x.op != y.op:
            return False
        if node(x.left, y.left) and node(x.right, y.right):
            return True
        return x.op in ("+", "*") and node(x.left, y.right) and node(x.right, y.left)

    if node(a.left, b.left) and node(a.right, b.right):
        return True
    return node(a.left, b.right) and node(a.right, b.left)


def namings(a: Equation, b: Equation) -> list[dict[str, str]]:
    """Every one-to-one renaming of b's variables to a's; empty if they have different numbers of variables.

    Raises:
        EqparseError: more than 6 variables each.
    """
    ours, theirs = a.variables, b.variables
    if len(ours) != len(theirs):
        return []
    if len(ours) > MAX_NAMES:
        raise EqparseError(f"only equations of at most {MAX_NAMES} variables can be compared, found {len(ours)}: {a}")
    return [dict(zip(theirs, order, strict=True)) for order in itertools.permutations(ours)]


def equivalent(a: Equation, b: Equation) -> bool:
    """Do a and b state the same relation, whatever their form, up to a renaming of the variables?

    Each is brought to the form polynomial = 0: everything is moved to one side, denominators are multiplied out and
    common factors of numerator and denominator cancelled, all in exact fractions. The equations are equivalent
    if the polynomials have the same terms and the ratios of their coefficients agree within a factor of 1 + 1e-4,
    or if they are the same in form. Points where a denominator is zero are not considered; an equation that divides
    by zero everywhere states nothing, and is equivalent only to an equation of the same form.

    Raises:
        EqparseError: more than 64 leaves, 6 variables, or 400 terms in an intermediate polynomial.
    """
    for equation in (a, b):
        check_size(equation)
    if same_form(a, b, strict=True):
        return True
    count = max(len(a.variables), len(b.variables), 1)
    ours, theirs = (polynomial(equation, equation.variables, count=count) for equation in (a, b))
    if ours is None or theirs is None:
        return False
    orders = itertools.permutations(range(count))
    return any(
        _proportional(ours, {tuple(powers[i] for i in order): value for powers, value in theirs.items()})
        for order in orders
    )


def same_relation(a: Equation, b: Equation) -> bool:
    """`equivalent` with every variable under its own name. Raises EqparseError as that does."""
    for equation in (a, b):
        check_size(equation)
    if matches(a, b, lambda ours, theirs: ours == theirs):
        return True
    names = sorted({*a.variables, *b.variables})
    ours, theirs = (polynomial(equation, names) for equation in (a, b))
    return ours is not None and theirs is not None and _proportional(ours, theirs)


def check_size(equation: Equation) -> tuple[str, ...]:
    """The variables of an equation. Raises EqparseError if these, or its leaves, are too many to be compared."""
    if len(equation.leaves()) > MAX_LEAVES:
        raise EqparseError(f"only equations of at most {MAX_LEAVES} leaves can be compared, found {equation}")
    if len(variables := equation.variables) > MAX_NAMES:
        raise EqparseError(f"only equations of at most {MAX_NAMES} variables can be compared, found {equation}")
    return variables


def polynomial(
    equation: Equation, names: Sequence[str], *, count: int | None = None
) -> Polynomial | None:
    """The polynomial of `equivalent`: powers of the variables -> coefficient; None for a division by 0.

    names: the equation's variables, in the order of the powers.
    count: how many powers there are, at least 1; by default as many as names.
    """
    count = count or max(len(names), 1)
    zero = (0,) * count
    places = {name: tuple(int(i == place) for i in range(count)) for place, name in enumerate(names)}

    def bounded(terms: Polynomial) -> Polynomial:
        if len(terms) > MAX_TERMS:
            raise EqparseError(f"more than {MAX_TERMS} terms when multiplied out, too many to compare: {equation}")
        return terms

    def fraction(node: Expression) -> tuple[Polynomial, Polynomial]:
        """-> numerator, denominator. Raises ZeroDivisionError."""
        if isinstance(node, Number):
            value = node.exact.numerator if node.exact.denominator == 1 else node.exact
            return {zero: value} if value else {}, {zero: 1}
        if isinstance(node, Variable):
            return {places[node.name]: 1}, {zero: 1}
        (a, b), (c, d) = fraction(node.left), fraction(node.right)
        if node.op == "*":
            return bounded(_times(a, c)), bounded(_times(b, d))
        if node.op == "/":
            if not c:
                raise ZeroDivisionError
            return bounded(_times(a, d)), bounded(_times(b, c))
        sign = 1 if node.op == "+" else -1
        if b == d:
            return _plus(a, c, sign), b
        return bounded(_plus(_times(a, d), _times(c, b), sign)), bounded(_times(b, d))

    try:
        numerator, denominator = fraction(Operation("-", equation.left, equation.right))
    except ZeroDivisionError:
        return None
    return _cancelled(numerator, denominator)


def _plus(a: Polynomial, b: Polynomial, sign: int) -> Polynomial:
    """a + sign * b."""
    total = dict(a)
    for powers, value in b.items():
        total[powers] = total.get(powers, 0) + sign * value
    return {powers: value for powers, value in total.items() if value}


def _times(a: Polynomial, b: Polynomial) -> Polynomial:
    total: Polynomial = {}
    for ours, x in a.items():
        for theirs, y in b.items():
            powers = tuple(map(add, ours, theirs))
            total[powers] = total.get(powers, 0) + x * y
    return {powers: value for powers, value in total.items() if value}


def _cancelled(numerator: Polynomial, denominator: Polynomial) -> Polynomial:
    """The numerator without the factors that it shares with the denominator, up to a number."""
    if not numerator or not any(map(any, denominator)):
        return numerator
    if len(denominator) == 1:  # a product of variables
        [below] = denominator
        common = [min(powers) for powers in zip(below, *numerator, strict=True)]
        return {tuple(map(sub, powers, common)): value for powers, value in numerator.items()}
    from sympy import QQ, ring  # takes long to import, and few equations need it

    space, *_ = ring([f"x{i}" for i in range(len(next(iter(numerator))))], QQ)
    above, below = (
        space.from_dict({powers: QQ(value.numerator, value.denominator) for powers, value in terms.items()})
        for terms in (numerator, denominator)
    )
    left, _ = above.cancel(below)
    return {powers: Fraction(int(value.numerator), int(value.denominator)) for powers, value in left.terms()}


def _proportional(a: Polynomial, b: Polynomial) -> bool:
    """Do a and b have the same terms, with coefficients in one ratio within the tolerance?"""
    if a.keys() != b.keys():
        return False
    ratios = [Fraction(a[powers], b[powers]) for powers in a]
    if not ratios:
        return True
    low, high = min(ratios, key=abs), max(ratios, key=abs)
    return len({ratio > 0 for ratio in ratios}) == 1 and abs(high) <= abs(low) * (1 + Fraction(1, 10_000))
