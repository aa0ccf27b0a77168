"""Rules about answers that multiply a term where the text multiplies the sum, or a term that the text adds."""

from __future__ import annotations

from eqparse.parser.rules.shape import Shape, needs
from eqparse.text.numbers.tables import compiled

_TOTAL = r"\b(?:sum|total|difference)\s(?:of|between)"
_SECOND_TERM = compiled(rf"{_TOTAL}\s[^.,;:]{{1,80}}?\s(?:and|plus)\s\Z")
_TERM = compiled(rf"(?:{_SECOND_TERM.pattern[:-2]}|\b(?:plus|minus)\s)\Z")
_FIGURE_IS = compiled(r"\d++(?:\s?/\s?\d++|\.\d++)?\s(?:is|was|are|were|equals?|makes?|gives?|comes?|amounts?)\b")
_MORE_OR_LESS = compiled(r"\d\s(?:more|less|fewer)\sthan\s\Z")
_MORE_TIMES = compiled(r"""(?<!\d)(?P<more>\d++)\s(?:more|less|fewer)\sthan\s[^.;:,]{1,60}?\s(?:is|are|was|were|gets?)\s
    (?:then\s)?(?:(?:multiplied|divided)\sby\s)?(?P<by>\d++|(?:doubl|tripl|trebl|quadrupl|halv)ed)""")
_MULTIPLY_TERMS = compiled(rf"\b(?:multiply|divide)(?:s|d|ing)?\s(?:the\s)?{_TOTAL}\s[^.,;:]{{1,80}}?\sand\s\Z")
_IS_MULTIPLIED = compiled(r"""(?:,\s|,?\s(?:is|are|was|were|be|gets?)\s)(?:then\s|all\s)?
    (?P<by>(?:multiplied|divided)\sby\s)?""")
_ITSELF = compiled(r"(?:doubl|tripl|trebl|quadrupl|halv)ed")
_SUCH_THAT = compiled(r"\s(?:such|so)\sthat\s")
_TIMES_TOTAL = compiled(rf".*{_TOTAL}\s")


@needs(compiled(_TOTAL).search)
def splits_a_sum(of: Shape) -> bool:
    """The answer multiplies or divides one term where the text says a sum or difference: "the sum of a number and 4 is
    multiplied by 5" is not V1 + (4 * 5), nor is "5 times the sum of a number and 4" (5 * V1) + 4.
    """
    for (at, end), (start, stop), left_leaf, right_leaf in of.products:
        before, between = of.text[max(0, at - 120) : at], of.text[end:start]
        if right_leaf and (
            _SECOND_TERM.search(before) and _multiplied(of.text, end, start, stop)
            or between == " by " and _MULTIPLY_TERMS.search(before)
        ):
            return True
        after = of.text[stop : min((leaf for leaf in of.sides if leaf >= stop), default=stop)]
        if left_leaf and _TIMES_TOTAL.fullmatch(between) and after in (" and ", " plus "):
            return True
    return False


@needs(_FIGURE_IS.search)
def takes_a_term_for_a_share(of: Shape) -> bool:
    """The answer multiplies a bare figure that ends a sum, or repeats an unknown beside it: "the sum of a number and
    1/2 is 12" adds 1/2, and not half of the number.
    """
    multiplied = {start for left, right, *_ in of.products for start, _ in (left, right)}
    repeated = len({*of.phrases}) < len(of.phrases)
    return any(
        (at in multiplied or repeated) and _FIGURE_IS.match(of.text, at)
        and _TERM.search(of.text[max(0, at - 120) : at])
        for at, _ in of.numbers
    )


@needs(_SUCH_THAT.search)
def adds_what_it_introduces(of: Shape) -> bool:
    """The answer joins an unknown to what is said of it: "a number such that twice the number is 18" is not
    V1 + (2 * V1) = 18.
    """
    unknown, leaves = sorted((*of.letters, *of.phrases)), sorted(of.sides)
    if len(unknown) != 2 or of.equation is None or len(of.equation.variables) != 1:
        return False
    introduced, again = unknown
    said = _SUCH_THAT.search(of.text, introduced, again)
    return bool(said) and of.right != leaves[leaves.index(introduced) + 1]


@needs(compiled(r"\sthan\s").search)
def splits_what_is_more(of: Shape) -> bool:
    """The same where the text says more or less: "8 more than a number is divided by 3" is not 8 + (V1 / 3), and not
    without the 3.
    """
    used = [at for at, _ in of.numbers]
    if any(match.start("more") in used and match.start("by") not in used for match in _MORE_TIMES.finditer(of.text)):
        return True
    return any(
        right_leaf and _MORE_OR_LESS.search(of.text, max(0, at - 20), at) and _multiplied(of.text, end, start, stop)
        for (at, end), (start, stop), _, right_leaf in of.products
    )


def _multiplied(text: str, end: int, start: int, stop: int) -> bool:
    """Whether what ends there is said to be multiplied or divided by the number from start to stop."""
    said = _IS_MULTIPLIED.fullmatch(text, end, start)
    return said is not None and (said["by"] is not None or _ITSELF.fullmatch(text, start, stop) is not None)


SUMS = {
    adds_what_it_introduces: "an unknown, joined to what is said of it",
    takes_a_term_for_a_share: "an amount that is added, and it is taken for a share",
    splits_a_sum: "a sum or difference that is multiplied or divided, and it does that to one term",
    splits_what_is_more: "more or less than an amount, multiplied or divided, and only the amount is",
}
"""Rule -> what is wrong with an answer that it finds; another reading may be right."""
