"""Whether two variable mentions name one variable: the three rules of Roy et al. 2016."""

from __future__ import annotations

import re

# A phrase that speaks of two things ("the two jars") can ground two variables at once.
TWO = re.compile(r"(?<![\w.,-])(?:two|2)(?![\w-]|[.,]\d)", re.IGNORECASE)
BACK_REFERENCE = re.compile(r"(?<![\w-])(?:itself|the\s+same\s+number)(?![\w-])", re.IGNORECASE)


def rule_same_variable(first: str, second: str, *, same_phrase: bool) -> bool:
    """Return whether the variable mentions `first` and `second`, in text order, are one variable.

    Args:
        first: the phrase that starts earlier in the sentence.
        second: the phrase that starts later, or the same one again.
        same_phrase: whether both mentions are one noun phrase (one span), not merely equal words.

    One phrase is one variable unless it says "two" or "2"; two phrases are one variable if the later one says
    "itself" or "the same number"; any other pair is two variables. Case is ignored, words match whole.
    """
    if same_phrase:
        return TWO.search(first) is None
    return BACK_REFERENCE.search(second) is not None
