"""Step 2, Sentence -> mentions: its quantities with their tokens, and its candidate noun phrases."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from eqparse.text.annotate import Sentence
from eqparse.text.noun_phrases import Candidate, find_candidates
from eqparse.text.numbers.labels import statement
from eqparse.text.numbers.tables import compiled
from eqparse.text.numbers.units import unit_end
from eqparse.text.phrase_ends import LETTERS, names_unknown
from eqparse.text.quantities import Quantity, find_quantities

_DIMENSION = compiled(r"(?:[\s-](?:tall|long|wide|broad|deep|high|thick|old|heavy|round|across)(?!\w))?")

_PER = compiled(r"\b(?:every|each|per)\s\Z")  # "one tree for every 80 metres"

_NO_UNKNOWN = compiled(r"-.*|the\snumber\s[−-]?\d[\d.,]*")  # "-fold increase", "the number 8"


@dataclass(frozen=True, eq=False)
class Mentions:
    """A sentence with everything in it that may become a trigger.

    quantities: in order of position.
    quantity_tokens: the (first, last) token that each quantity overlaps, last included.
    candidates: in order of (first, last) token.
    """

    sentence: Sentence
    quantities: tuple[Quantity, ...]
    quantity_tokens: tuple[tuple[int, int], ...]
    candidates: tuple[Candidate, ...]


def find_mentions(sentence: Sentence) -> Mentions:
    """Collect the mentions of an annotated sentence.

    A phrase within the characters of a number ("negative eight", "half an hour") or of its unit ("10 metres tall"),
    one that cuts a number in two, or one in the label of an exercise ("(c)"), is not a candidate; "one" and "half"
    may be candidates, since they also stand for things.
    """
    quantities = tuple(find_quantities(sentence.text))
    starts, ends = sentence.start.tolist(), sentence.end.tolist()
    tokens = tuple((bisect_right(ends, q.start), bisect_left(starts, q.end) - 1) for q in quantities)
    return Mentions(sentence, quantities, tokens, _candidates(sentence, quantities))


def _candidates(sentence: Sentence, quantities: tuple[Quantity, ...]) -> tuple[Candidate, ...]:
    begin, last = statement(sentence.text)
    text = sentence.text
    inside = {at: q.end for q in quantities if _is_no_phrase(q, text) for at in range(q.start, q.end)}
    cuts = {at for q in quantities if q.kind == "digits" for at in range(q.start + 1, q.end)}  # "1 200-litre tanks"
    for q in quantities:  # "10 metres", "metres" and "metres tall" say how much, and not of what
        end = unit_end(text, q.end)
        if end > q.end and not _PER.search(text, max(0, q.start - 8), q.start):
            end = _DIMENSION.match(text, end).end()
            inside |= dict.fromkeys(range(q.start, end), end)
    return tuple(
        c for c in find_candidates(sentence)
        if c.start >= begin and c.end <= last and cuts.isdisjoint((c.start, c.end))
        and (c.end > inside.get(c.start, 0) or c.source == "year" or _has_coefficient(c, sentence))
        and not _NO_UNKNOWN.fullmatch(text, c.start, c.end)
    )


def _has_coefficient(candidate: Candidate, sentence: Sentence) -> bool:
    """Whether a phrase is a letter behind digits that is an unknown after all, as in "5 m is 3 more than n"."""
    at, words = candidate.first, sentence.words
    letter = at == candidate.last and at and words[at] in LETTERS and words[at - 1][-1].isdigit()
    return bool(letter) and names_unknown(at, words, [])


def _is_no_phrase(quantity: Quantity, text: str) -> bool:
    if quantity.value < 0:
        return True
    return quantity.kind in ("digits", "word") and text[quantity.start : quantity.end].lower() != "one"
