"""Noun phrases that are found by the words around them, for where the tagger or the parser errs.

"than hake", where "hake" was taken for a verb; "that on the new wing"; "what fell on the coast"; "the toaster's" and
"his", which stand for a thing of theirs; the words before a verb; a year that stands for what there was in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from eqparse.text.numbers.tables import compiled
from eqparse.text.phrase_ends import CHUNK, COPULA, JOINING, LEADING, OPERATING, RELATING

_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
_VERBS = OPERATING | RELATING | COPULA
_STOPS = frozenset(
    ", . ... … : ; ( ) [ ] - -- – — \" “ ” ! ? and or but than as by plus minus less while when if".split()
)
_PREPOSITIONS = JOINING | frozenset("to by without against under over between among on after before who".split())
_OWN = frozenset("his hers mine ours theirs yours".split())
_OF_WHAT = frozenset("what whatever whoever whichever".split())
_AMBIGUOUS = frozenset(
    "numbers costs beats leads trails totals sleeps holds lags weighs measures pays yields tops marks runs carries "
    "takes makes earns sells brings rates ranks counts sets cuts moves stands turns".split()
)
"""Verbs that are often tagged as nouns; other than `RELATING`, they are nouns as well."""
_CALENDAR = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december km m miles metres meters hours minutes days weeks months years".split()
)
_SINCE = frozenset("in on at".split())
_FROM = frozenset("on over above below".split())
_MEASURING = _FROM | frozenset("of from times double less".split())
_BREAKS = LEADING | RELATING | _AMBIGUOUS | frozenset("by plus minus more and or equals number total".split())
_OWNED = CHUNK - {"CD"}
_GOING_ON = (CHUNK - {"CD", "DT", "PRP$", "$"}) | {"CC", ","}
_SURPASSING = compiled(r"out-?[a-z]{3,}|exceed(?:s|ed)?|beats?|lag(?:s|ged)?|lead(?:s)?|led|trail(?:s|ed)?|undercuts?|"
    r"overtook|eclips(?:es|ed)|dwarf(?:s|ed)?|surpass(?:es|ed)|top(?:s|ped)|predat(?:es|ed)|preced(?:es|ed)")
_TOGETHER = frozenset("together combined them".split())
_LEAVING = frozenset("rest others other remainder".split())
_OPENING = frozenset("when before where if after since what".split())
_CLAUSE_STOPS = frozenset(
    ", . ... … : ; ( ) [ ] -- – — \" “ ” ! ? and or but than as because which thanks so".split()
)
_PARTS = frozenset({"part", "parts"})


def find_worded(words: Sequence[str], tags: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield (first, last) token of each such phrase, last included, some of them more than once.

    words: in lower case.
    """
    count = len(words)

    def ends(at: int, *, verbs: int = 0) -> Iterator[int]:
        """The last tokens of a phrase from `at`: before a preposition, and before what no phrase goes beyond.

        verbs: how many finite verbs it holds.
        """
        for i in range(at, count):
            if words[i] in _STOPS or (i > at and verbs == 0 and (tags[i] in _FINITE or words[i] in _VERBS)):
                break
            verbs -= verbs > 0 and tags[i] in _FINITE
            if words[i] in _PREPOSITIONS and i > at and verbs == 0:
                yield i - 1
        else:
            i = count
        yield i - 1

    def clause(at: int) -> tuple[int, int]:
        """The tokens from `at` to the end of the clause, with its verbs and prepositions."""
        stop = next((i for i in range(at, count) if words[i] in _CLAUSE_STOPS), count)
        return at, stop - 1

    for i, word in enumerate(words):
        after = words[i + 1] if i + 1 < count else ""
        compared = word == "than" or (word == "as" and "as" in words[max(0, i - 6) : i])
        if (compared and after not in _SINCE) or (word in _MEASURING and after in _OPENING):
            yield clause(i + 1)
        if word in ("that", "those") and after in _PREPOSITIONS:
            yield i, i
            yield from ((i, last) for last in ends(i + 2))
        elif word in ("than", "as") or word in _FROM:
            since = word in ("than", "as") and (after in _SINCE or after == "before")
            at = i + 1 + since
            if at < count and is_year(words[at]):
                yield at, at
            if compared:
                yield from ((first, last) for first in {at, i + 1 + (after in _SINCE)} for last in ends(first))
        elif word in _PARTS and i and (tags[i - 1] == "CD" or words[i - 1] == "equal"):
            yield from ((i + 1, last) for last in ends(i + 1))
        elif word in _OF_WHAT:
            yield from ((i, last) for last in ends(i, verbs=1))
        elif word in _OWN:
            yield i, i
        elif word == "the" and (after in _LEAVING or _is_adjective_alone(i + 1, words, tags)):
            yield i, i + 1
        elif word in ("'s", "’s", "'", "’") and not (after and tags[i + 1] in _OWNED and after not in _BREAKS):
            yield phrase_start(i, words, tags), i
        elif _SURPASSING.fullmatch(word):
            yield from before_verb(i, words, tags)
            yield from ((i + 1, last) for last in ends(i + 1))
        elif word in _TOGETHER:
            yield from wholes(i, words, tags)
        if tags[i] in _FINITE or word in _AMBIGUOUS or word in COPULA:
            yield from before_verb(i, words, tags)
    yield from ((0, last) for last in ends(0))


def _is_adjective_alone(at: int, words: Sequence[str], tags: Sequence[str]) -> bool:
    """Whether an adjective stands without a noun, as in "the longer is" and "the former 3 metres"."""
    after = tags[at + 1] if at + 1 < len(tags) else ""
    return tags[at : at + 1] in (["JJ"], ["JJR"], ["JJS"]) and after not in _GOING_ON


def before_verb(verb: int, words: Sequence[str], tags: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The noun phrase that ends before a verb, and its parts behind a day, a month or a unit."""
    first = phrase_start(verb, words, tags)
    yield from ((at + 1, verb - 1) for at in range(first, verb - 1) if words[at] in _CALENDAR)
    if first < verb:
        yield first, verb - 1


def wholes(at: int, words: Sequence[str], tags: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Two phrases joined by "and" that end before the word at `at` ("combined"), and the two with it."""
    end = at - (words[at] == "them" or words[at - 1] in ("put", "taken", "added"))
    second = phrase_start(end, words, tags)
    first = phrase_start(second - 1, words, tags) if 1 < second < end and words[second - 1] == "and" else second
    if first < second - 1 and (words[at] != "them" or words[at - 1] == "between"):
        yield from ((first, end - 1), (first, at))


def phrase_start(end: int, words: Sequence[str], tags: Sequence[str]) -> int:
    """Where the run of noun phrase tags that ends before token `end` begins."""
    first = end
    while first and tags[first - 1] in CHUNK and words[first - 1] not in _BREAKS:
        first -= 1
        if tags[first] in ("DT", "PRP$"):
            break
    return first


def is_year(word: str) -> bool:
    """Whether a word may be a year, or two ("2022-23")."""
    return word[:4].isdigit() and "1500" <= word[:4] < "2100" and not word[4:].isdigit() and len(word) in (4, 7)
