"""Where the sentences of a text begin and end, when it holds more than one, and which of them tell a number."""

from __future__ import annotations

import re
from collections.abc import Sequence

from eqparse.text.annotate import Sentence
from eqparse.text.numbers.tables import compiled
from eqparse.text.quantities import Quantity

ENDS = frozenset(".!?。！？")
CLOSING = frozenset("\"'”’)]")
OPENING = frozenset("\"'“‘([")
LABEL = re.compile(r"\(?(?:\d{1,2}|[a-h])\)\s")
_LINES = re.compile("\r\n|[\n\v\f\r\x85\u2028\u2029]")
_FIRST_WORD = compiled(r"""(?:the|an?|it|its|he|his|she|her|they|their|we|our|my|this|that|these|those|there|both|each
    |if|then|now|so|find|what|how|who|which|when)\b""")
_SHORTENED = compiled(r"""\b(?:approx|incl|excl|max|min|est|ca?|nos?|nr|vol|chap|figs?|pp?|sec|vs?|cf|ext|tel|temp|avg
    |jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\Z""")
_BULLET = re.compile(r"[-–—*•]\s+\w")
_REQUEST = compiled(r"""\W*(?:please\s|now\s|so\s)?(?:find|what|determine|calculate|compute|work\sout|how|which|who
    |name|give|tell|state|solve|write|list)\b""")
_ASKED = compiled(r"(?:the|these|those|both|all)\s\Z")
_ONE_OF = compiled(r"one\s(?:of\s(?:them|us|the|these|those|my|our|his|her|their)|day|morning|evening|night)\b")
_NUMBERS = compiled(r"two\s(?:[a-z]+\s)?(?:numbers|integers)\b")
_PEOPLE = compiled(r"two\s(?:[a-z]+\s)?(?:friends|sisters|brothers|people|children|kids|boys|girls|men|women|pupils)\b")
_PAIR = compiled(r"two\s(?:[a-z]+\s)?(?P<one>[a-z]{2,}?)(?:i?e|ve)?s\s?[.!]\s*")
_RELATION = compiled(r"""\b(?:sum|product|difference|quotient|total|average|mean|equals?|same|more|less|fewer|than|as
    |each|every|half|share[sd]?|split|cost|pay|paid|weigh|together)\b""")


def tell_numbers(annotated: Sentence, quantities: Sequence[Quantity]) -> int:
    """How many sentences of a text have a number that may belong to an equation.

    "One of them is red", "There are two numbers", "Find the two lengths" and the "A farm has two barns" before "The old
    barn is longer" have none: they count what another sentence speaks of.
    """
    starts, ends, text = annotated.start.tolist(), annotated.end.tolist(), annotated.text
    found = 0
    for first, last in sentence_spans(annotated):
        begin, end = starts[first], ends[last]
        inside = [q for q in quantities if begin < q.end and q.start < end]
        found += any(not _only_counts(text, q, begin, end) for q in inside)
    return found


def _only_counts(text: str, quantity: Quantity, begin: int, end: int) -> bool:
    """Whether a number counts what the sentence text[begin:end] speaks of, and the sentence relates nothing."""
    if quantity.value == 2 and _REQUEST.match(text, begin, end) and _ASKED.search(text, begin, quantity.start):
        return True
    counted = _ONE_OF.match(text, quantity.start, end) or _NUMBERS.match(text, quantity.start, end)
    people = quantity.start == begin and _PEOPLE.match(text, begin, end)
    return bool(counted or people or _is_a_pair(text, quantity, end)) and not _RELATION.search(text, begin, end)


def _is_a_pair(text: str, quantity: Quantity, end: int) -> bool:
    """Whether a sentence ends with two things that the text goes on to tell apart: "two barns. The old barn ..."."""
    pair = _PAIR.match(text, quantity.start)
    if pair is None or pair.end() < end:
        return False
    one = rf"{pair['one']}(?:e|y|fe?)?|one"
    told = rf"\bthe\s(?:other\s?(?=[.,]|\Z)|(?:[a-z]+\s){{1,2}}?(?:{one})\b)"
    return len(re.findall(told, text[end:], re.IGNORECASE)) > 1


def sentence_spans(annotated: Sentence) -> list[tuple[int, int]]:
    """The (first, last) token of each sentence of an annotated text, last included.

    A sentence ends at a full stop, question or exclamation mark where the parse starts a new tree behind it and the
    text goes on with a capital letter or a digit: "J. Smith" and "3 p.m. today" end none. In a text that begins with a
    small letter, a word such as "the" or "it" may follow. It always ends before the label of a list ("1) ... 2) ..."),
    at a blank line, and where a new line begins with a bullet or with such a word in capitals.
    """
    count = len(annotated)
    if not count:
        return []
    heads, text = annotated.head.tolist(), annotated.text
    starts, ends = annotated.start.tolist(), annotated.end.tolist()
    reach = list(range(count))  # the furthest token on the right that is joined to this one or to one before it
    for token, head in enumerate(heads):
        left, right = sorted((token, head))
        reach[left] = max(reach[left], right)
    small = text.lstrip()[:1].islower()
    spans, first, furthest = [], 0, 0
    for token in range(count - 1):
        furthest = max(furthest, reach[token])
        at, lines = token, 0
        while at > first and ((word := text[starts[at] : ends[at]]).isspace() or word in CLOSING):
            lines += len(_LINES.findall(word))
            at -= 1
        after = starts[token + 1]
        label = LABEL.match(text, after)
        while after < len(text) - 1 and text[after] in OPENING:
            after += 1
        opens, opening = text[after], _FIRST_WORD.match(text, after)
        numbered = opens.isdigit() and not _SHORTENED.search(text, max(0, starts[at] - 8), starts[at])
        apart = furthest == token and (opens.isupper() or numbered or (small and opening))
        ended = text[starts[at] : ends[at]] in ENDS and (apart or label)
        begins = _BULLET.match(text, after) or (opening and opens.isupper())
        if not opens.isspace() and (ended or lines > 1 or (lines and begins)):
            spans.append((first, token))
            first = token + 1
    return [*spans, (first, count - 1)]
