"""Rules about answers to sentences that state no equation: what is denied, or told of nobody, or compared twice."""

from __future__ import annotations

from eqparse.parser.left_out import AHEAD
from eqparse.parser.shape import Shape
from eqparse.text.numbers.tables import CURRENCIES, PARTS, SMALL, compiled, one_of

_DENIED = compiled(rf"""\b(?:is|are|was|were|be|been|has|have|had|does|do|did|wo|would|will|could|ca|can|should|ai)
    (?:\s(?:not|never|no\slonger|by\sno\smeans)|n['’]?t)\s(?:(?:exactly|even|really|in\sfact|actually|in\sany\sway|(?!only|just|yet|quite)[a-z]+)\s)?
    (?:an?\s)?[{CURRENCIES}]?\Z""")
_FALSE = compiled(r"""(?:(?:\bnot|n['’]t)\s(?:true|the\scase|correct)
    |\b(?:would\sbe|is|was)\s(?:false|wrong|untrue|a\s(?:myth|lie)))\s(?:that|to\ssay)\b|\b(?:no\struth\sin|nobody\sbelieves\sthat|under\sno\scircumstances|contrary\sto\swhat)\b
    |\b(?:claim|rumou?r|story|report)\sthat\b[^.;]*\b(?:is|was)\s(?:false|untrue|refuted|denied|wrong)\b""")
_IF = compiled(r"\b(?:if|unless|until|whether)\s[^.,;:]*\Z")
_NOBODY = compiled(r"(?:neither|nobody|no[\s-]one|none|nothing)\b")
_NUMBER = rf"(?:\d+(?:[.,]\d+)*(?:\s(?:thousand|million|billion))?|{one_of(SMALL)})"
_COMPARISON = r"(?:more|less|fewer|[a-z]{2,}er)\s(?:[a-z]+\s){0,2}?than"
_TWO_COMPARISONS = compiled(rf"""(?<![\w.,])(?P<first>{_NUMBER})\s(?:[a-z]+\s){{0,3}}?{_COMPARISON}\s[^.;:]{{1,60}}?
    (?:,?\s(?:and|but|yet)|,)\s(?:(?:also|only|about|just|nearly)\s)?
    [{CURRENCIES}]?(?P<second>{_NUMBER})\s(?:[a-z]+\s){{0,3}}?{_COMPARISON}\s
    (?!\d|{one_of([*SMALL, 'twice', 'half'])}\b)""")
_AGES = compiled(rf"""{AHEAD}(?:exactly\s|just\s|only\s)?
    (?:twice|{_NUMBER}\stimes|half|an?\s{one_of(PARTS)}|one\s{one_of(PARTS)})\sas\sold\sas\b
    (?!.*\b(?:is|are|am|was|were|will|now|then|today|currently|present)\b)""")


def is_denied(of: Shape) -> bool:
    """The text denies a number that the answer uses: "is not twice the fee", "isn't 4 metres longer"."""
    denials = (_DENIED.search(of.text, max(0, at - 40), at) for at, _ in of.numbers)
    return any(match and not _IF.search(of.text, 0, match.start()) for match in denials)


def is_called_false(of: Shape) -> bool:
    """The text says that the statement is false: "it is not true that the fee is twice the fine"."""
    return bool(_FALSE.search(of.text))


def is_told_of_nobody(of: Shape) -> bool:
    """An unknown of the answer is nobody's: "Neither has 3 more than Ann"."""
    return any(_NOBODY.match(of.text, at) for at in of.phrases)


def is_compared_twice(of: Shape) -> bool:
    """The answer has both numbers of two comparisons side by side: "4 more than planned and 2 more than in May"."""
    return any(
        {match.span("first"), match.span("second")} <= set(of.numbers)
        for match in _TWO_COMPARISONS.finditer(of.text)
    )


def needs_the_years_twice(of: Shape) -> bool:
    """The answer compares two ages at a time to come and leaves out the years until then, which either age would need:
    "in 5 years Ann will be twice as old as Ben".
    """
    return any(match.span(match.lastgroup) not in of.numbers for match in _AGES.finditer(of.text))


REFUSED = {
    is_denied: "a relation that is denied",
    is_called_false: "a relation that is denied",
    is_told_of_nobody: "an amount of nobody or nothing",
    is_compared_twice: "an amount that is compared with two others",
    needs_the_years_twice: "ages at a time to come, whose years would be needed twice",
}
"""Rule -> what is wrong with an answer that it finds; no other reading is right."""
