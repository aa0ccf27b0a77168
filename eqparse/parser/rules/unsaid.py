"""Answers that cannot be what the sentence states."""

from __future__ import annotations

from functools import lru_cache

from eqparse.parser.decode import VALUE_ALONE
from eqparse.parser.parse import GroundedEquation
from eqparse.parser.reasons import Reason, reason
from eqparse.parser.rules.changes import CHANGES
from eqparse.parser.rules.comparatives import COMPARATIVES
from eqparse.parser.rules.denied import DENIED
from eqparse.parser.rules.fragment import is_a_fragment
from eqparse.parser.rules.known import KNOWN
from eqparse.parser.rules.left_out import LEFT_OUT, leaves_out_a_count, leaves_out_a_size, leaves_out_the_years
from eqparse.parser.rules.shape import Rule, Shape, may_find, needs, shape
from eqparse.parser.rules.side_by_side import SIDE_BY_SIDE
from eqparse.parser.rules.sums import SUMS
from eqparse.parser.rules.turned import SURELY_TURNED, TURNED
from eqparse.parser.rules.two_facts import TWO_FACTS
from eqparse.parser.rules.uncertain import UNCERTAIN
from eqparse.text.numbers.context import COMPARED
from eqparse.text.numbers.tables import FOLDS, PARTS, SMALL, compiled, one_of

_AVERAGE = compiled(r"\b(?:average|averaged|averaging|mean)\b|\bmedian\sof\b")
_SUM = compiled(r"\b(?:sum|total\w*|together|combined|add\w*|between\s(?:them|us|you))\b")
_MEAN_OF = compiled(r"""\b(?:average|mean)\s(?P<of>of\s[^.;:]{1,60}?\sand\s[^.;:,]{1,40}?)
    \s(?:is|was|equals?|comes|makes?)\b""")
_SHARED = compiled(r"\b(?:equal|same|identical|alike|each|every|apiece)\b")
_MANY = rf"(?P<n>(?:[3-9]|[1-9]\d)(?![\d.,:%])|{one_of(word for word, value in SMALL.items() if value > 2)})"
_ALGEBRA = r"(?:numbers|integers|digits|values|terms|multiples|angles|ages|sides)"
_ADJECTIVES = r"(?:[^\W\d_]+\s){0,2}?"
_OF_A = r"(?:\s(?:of|in)\s(?:an?|any|every|the|this)\s(?:[^\W\d_]+\s)?[^\W\d_]+)?"
_OF = r"(?:\w+\s){0,2}?of\s(?:(?:the|any|her|his|their|my|our|its|all|some|these|those)\s){0,2}?"
_THREE = tuple(map(compiled, (
    rf"\b(?:average|mean|median)\s{_OF}{_MANY}\s{_ADJECTIVES}[^\W\d_]+s\s(?:is|was|are|were|equals|comes|came)\b",
    rf"\b(?:sum|total|product)\s{_OF}{_MANY}\s{_ADJECTIVES}{_ALGEBRA}\b",
    rf"\b{_MANY}\s(?:[^\W\d_]+\s)?consecutive\b",
    rf"\b{_MANY}\s{_ADJECTIVES}{_ALGEBRA}{_OF_A}\s(?:add|sum|total|come|average|have|had)\b",
    rf"\b{_MANY}\s{_ADJECTIVES}[^\W\d_]+s\s(?:averaged?|ha(?:ve|d)\san?\s(?:average|mean|median))\b",
)))
_POLYGON = compiled(r"""(?:\A|\b(?:if|that|of|then)\s)(?:the\s|all\s){0,2}(?:interior\s|inner\s)?(?:angles|sides)\s
    (?:of|in)\s(?:an?|any|every|the|this)\s(?:[^\W\d_]+\s)?
    (?:triangle|square|rectangle|quadrilateral|rhombus|[a-z]+gon)\b""")
_SEVERAL = compiled(rf"""\A(?:(?:al)?together,?\s|in\s(?:all|total),?\s)?(?:(?:the|my|our|all|her|his)\s){{0,2}}
    {_MANY}\s{_ADJECTIVES}[^\W\d_]+s\s(?:have|had|own|weigh|measure|earn)\s""")
_TIMES_THEM = r"\s(?:times|multiplied\sby|×|\*)\s"
_THREE_FACTORS = compiled(rf"""(?<![\w.,'’])(?!{one_of(SMALL)}\b)[^\W\d_]+{_TIMES_THEM}(?!\d|{one_of(SMALL)}\b)
    (?:[^\W\d_]+\s){{0,3}}?[^\W\d_]+{_TIMES_THEM}(?!\d|{one_of(SMALL)}\b)""")
_POWER = compiled(rf"""\b(?:squared(?!\s(?:paper|sheets?)\b)|cubed|factorial)\b | \b(?:square|cube)\sroots?\b
    | \b(?:number|integer|it|[b-z])\sto\sthe\s\w+\spower
    | \b(?:squares?|cubes?)\sof\s(?:(?:an?|the|this|that|its|another|some|two|both)\s)?
      (?:(?:second|other|same|certain|whole)\s)?
      (?:numbers?|integers?|digits?|\d+|[b-z]\b|{one_of(SMALL)}\b)
    | \b(?:squar|cub)(?:e|ing)\s(?:(?:an?|the|this|that|my|your|his|her|its|their|our|each|any)\s(?:[a-z]+\s)?
      (?:numbers?|integers?|digits?|ages?|result|answer|sum)\b|it\s(?:and|then)\b|[nxy]\b)""")
_PRODUCT = compiled(r"\b(?:product|multipl\w*|times|by)\b|[×*]")
_APART = compiled(r"\s(?:[a-z]+\s)?apart\b")
_TIMES = compiled(r"x(?!\w)|[\s-]?fold(?!\w)|\s?×|\stimes(?!\s(?:in|a|per|each|this|last|since|before|when)\b)(?!\w)")
_TIMES_AS = compiled(r"\stimes\sas\b")
_MULTIPLIER = compiled(rf"twice|thrice|{one_of(FOLDS)}|(?:doubl|tripl|trebl|quadrupl|quintupl)(?:e|es|ed|ing)")
_TIMES_IT = compiled(r"\b(?:multiplied\sby|times|factor\sof)\s\Z")
_FACTOR = rf"(\d+(?:\.\d+)?|{one_of(word for word, value in SMALL.items() if value > 1)}(?=\s))"
_COEFFICIENT = compiled(rf"(?<![\w.,/-]){_FACTOR}\s?\Z")
_WITH_COEFFICIENT = compiled(rf"{_FACTOR}\s[b-hj-z](?![\w'’]|\s?\d)")
_SHARE = compiled(rf"an?\s{one_of(PARTS)}\s(?:is|was|equals?|gives?|makes?|comes)\b")
_AT = r"\b(?:than|as)\s(?:it\s)?(?:(?:is|was)\s)?at\b"
_THAN_AT = compiled(rf"{_AT}\s\Z")
_UNKNOWN = compiled(r"\s([b-hj-z])\s(?:is|equals?|plus|minus|exceeds)\b")
_TWICE = "twice|thrice|double|triple|treble|half"
_MULTIPLYING = compiled(rf"{_TWICE}|times")
_MULTIPLIED = compiled(rf"""(?:\b({_TWICE})(?:\sof)?
    |(?:\A|\b(?:is|are|was|were|than|of|and|to|by|plus|minus|equals?|about|nearly|less|costs?|has|have|had|from)\s)
    (\d+(?:\.\d+)?|{one_of(SMALL)})\stimes)\s\Z""")
_MET = compiled(r"\b(?:opposite|directions?|towards?|meets?|met|passed)\b")
_ALONE = compiled(rf"""\A(?!.*\b(?:than|as|overt(?:ook|ak\w+)|leapfrog\w*)\b)[^,;:]*
    \b(?:is|are|was|were|be|been|became|got|grew)\s(?:[a-z]+\s)?\S+(?:\s[a-z%°]+)?
    {COMPARED.pattern}\s?[.!?]?\s*\Z""")
_CLAUSES = compiled(r"\b(?:and|but|while|which)\b")
_RELATED = compiled(r"""\b(?:than|as|times|twice|half|per|each|every|plus|minus|sum|total\w*|together|and|with|product
    |by)\b|\b(?:add|subtract|multipl|divid|equal|exceed|differ)\w*""")
_COMPARED = compiled(r"\b(?:more|less|fewer|[a-z]{2,}er)\s[^.;:,]{0,40}?\bthan\b|\bapart\b")


def adds_an_average(of: Shape) -> bool:
    """The text has an average and no sum, and the answer adds: "the average of two numbers is 15"; or the answer has a
    number of which an average is taken: "the average of a number and 8 is 12".
    """
    if of.divides:
        return False
    if of.adds and _AVERAGE.search(of.text) and not _SUM.search(of.text):
        return True
    averaged = [match.span("of") for match in _MEAN_OF.finditer(of.text)]
    return any(start <= at < end for start, end in averaged for at, _ in of.numbers)


def has_three_unknowns(of: Shape) -> bool:
    """The answer adds or multiplies where three or more are added or averaged: "the sum of three numbers is 36"."""
    if (of.divides and not of.adds) or _SHARED.search(of.text):
        return False
    if of.multiplies and _THREE_FACTORS.search(of.text):
        return True
    several = _SEVERAL.match(of.text)
    if of.adds and (_POLYGON.search(of.text) or (several and several.start("n") not in [at for at, _ in of.numbers])):
        return True
    counts = of.numbers if len(of.numbers) < 3 else ()
    joins = of.adds or of.multiplies
    return any(joins or match.span("n") in counts for rule in _THREE for match in rule.finditer(of.text))


@needs(_APART.search)
def adds_a_distance(of: Shape) -> bool:
    """The answer adds what lies apart: "born 5 years apart"; that of two who go in opposite directions may."""
    return of.adds and any(_APART.match(of.text, end) for _, end in of.numbers) and not _MET.search(of.text)


@needs(_TIMES.search, _MULTIPLIER.search, _PRODUCT.search, compiled(r"\bfactor\sof\b").search)
def adds_a_multiplier(of: Shape) -> bool:
    """The answer adds or subtracts what multiplies: "doubled", the 3 of "3x older" or "multiplied by minus 3".

    Where each of its numbers is one of times, they may be what is compared: "from 12-fold to 9-fold", "40 times, ten
    times more than Ben".
    """
    ends = [end for _, end in of.numbers]
    if len(ends) > 1 and all(_TIMES.match(of.text, end) and not _TIMES_AS.match(of.text, end) for end in ends):
        return False
    return any(
        _TIMES.match(of.text, end) or _MULTIPLIER.fullmatch(of.text, at, end) or _TIMES_IT.search(of.text, 0, at)
        for at, end in of.terms
    )


def leaves_out_a_coefficient(of: Shape) -> bool:
    """The answer has an unknown without the number right before it: the y of "2y" without the 2, or "twice the fee"."""
    before = [_COEFFICIENT.search(of.text, 0, at) for at in of.letters]
    if multiplies(of.text):
        before += [_MULTIPLIED.search(of.text, max(0, at - 40), at) for at in (*of.letters, *of.phrases)]
    before += [_WITH_COEFFICIENT.match(of.text, at) for at in of.phrases]
    left = [match.span(match.lastindex) for match in before if match]
    return any(not any(a < end and start < b for a, b in of.numbers) for start, end in left)


@lru_cache(maxsize=16)  # a text has many readings
def multiplies(text: str) -> bool:
    """Whether something in a text may be multiplied by the word before it."""
    return bool(_MULTIPLYING.search(text))


@needs(_UNKNOWN.search)
def leaves_out_a_letter(of: Shape) -> bool:
    """The answer has the number before an unknown without it, beside another letter: "5 k is 3 more than m"."""
    after = (_UNKNOWN.match(of.text, end) for _, end in of.numbers) if of.letters else ()
    return any(match and match.start(1) not in of.letters for match in after)


@needs(_SHARE.search)
def takes_a_share_for_an_amount(of: Shape) -> bool:
    """The answer has an unknown that is a share by its words: the "a quarter" of "a number minus a quarter"."""
    return any(_SHARE.match(of.text, at) for at in of.phrases)


@needs(compiled(_AT).search)
def takes_a_time_for_an_amount(of: Shape) -> bool:
    """The answer adds the time at which something is compared: the 6 of "3 degrees warmer than at 6"."""
    plain = {*of.terms, *((start, end) for _, start, end in of.wholes)}
    return any(_THAN_AT.search(of.text, max(0, at - 20), at) for at, _ in plain)


def multiplies_unsaid(of: Shape) -> bool:
    """The answer multiplies unknowns, and the text has no word for a product."""
    return of.multiplies and not _PRODUCT.search(of.text)


def compares_with_nothing(of: Shape) -> bool:
    """The sentence says by how much an amount is greater and not what it is compared with: "is now 5 times wider".

    Where a clause before that has a number as well, that may be it: "Ada is 63 and Ben is 40 years younger".
    """
    return bool(_ALONE.match(of.text)) and not (len(of.numbers) > 1 and _CLAUSES.search(of.text))


def takes_powers(of: Shape) -> bool:
    """The text has a power or a root, which equations do not have: "the square of a number", "x squared"."""
    return bool(_POWER.search(of.text))


RULES: dict[Rule, str] = {
    takes_powers: "a power or a root",
    is_a_fragment: "an amount, and nothing that it equals",
    adds_an_average: "an average whose count is left out",
    has_three_unknowns: "more than two unknown amounts",
    compares_with_nothing: "an amount that is compared with nothing",
    **DENIED,
    **UNCERTAIN,
    **TWO_FACTS,
    **SIDE_BY_SIDE,
    adds_a_distance: "amounts that lie apart, and their sum",
    adds_a_multiplier: "a number of times, and it is added",
    leaves_out_a_coefficient: "an unknown without its coefficient",
    leaves_out_a_letter: "a coefficient without its unknown",
    takes_a_share_for_an_amount: "a share, and it is taken for an amount",
    takes_a_time_for_an_amount: "a time at which something is compared, and it is taken for an amount",
    **LEFT_OUT,
    **KNOWN,
    **CHANGES,
    **TURNED,
    **SUMS,
    multiplies_unsaid: "a product of unknown amounts that the text does not name",
}
"""Rule -> what is wrong with an answer that it finds."""

MISREAD = (
    adds_a_distance, adds_a_multiplier, leaves_out_a_coefficient, leaves_out_a_letter, takes_a_share_for_an_amount,
    takes_a_time_for_an_amount, *LEFT_OUT, *KNOWN, *CHANGES, *TURNED, *SUMS,
)
"""The rules that leave room for another reading."""
SURE = frozenset({
    leaves_out_a_count, leaves_out_a_size, leaves_out_the_years, *SURELY_TURNED, *CHANGES, *COMPARATIVES, *KNOWN, *SUMS,
})
"""Those of them whose words leave no doubt of what the other readings have in common."""


def misread(text: str, answer: GroundedEquation) -> Rule | None:
    """The rule of `MISREAD` by which another reading may be right, or None."""
    of = shape(text, answer)
    return next((rule for rule in rules_for(text) if rule(of)), None)


@lru_cache(maxsize=16)  # a text has many readings
def rules_for(text: str) -> tuple[Rule, ...]:
    """Those rules of `MISREAD` that may find something in an answer to the text."""
    return tuple(rule for rule in MISREAD if may_find(rule, text))


def unsaid(text: str, answer: GroundedEquation | Reason) -> Reason | None:
    """Why the text cannot state the answer, or None; instead of a reason that is too rough, a better one."""
    if isinstance(answer, Reason):
        if answer != VALUE_ALONE:
            return None
        power, unnamed = RULES[takes_powers], "no noun phrase is found for what is compared"
        better = power if _POWER.search(text) else unnamed if _COMPARED.search(text) else None
        return reason("no_equation", better) if better else None
    of = shape(text, answer)
    why = next((why for rule, why in RULES.items() if rule(of)), None)
    if why == RULES[multiplies_unsaid] and len(of.numbers) == 1 and not _RELATED.search(text):
        return VALUE_ALONE
    return reason("no_equation", why) if why else None
