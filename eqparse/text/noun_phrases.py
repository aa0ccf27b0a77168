"""Step 2, Sentence -> candidates: the noun phrases that a variable may be grounded in; recall matters most.

The candidates come from several sources: for each nominal token, its base phrase, extended by one right dependent after
another up to the whole subtree; runs of tags that look like a noun phrase, alone and joined by a preposition; a subject
with its verb ("The Hawks won", where the count of wins is never named); a gerund, a clause with "what" and an owner
whose thing is left out ("the nave's"); a letter, which names an unknown in algebra texts and is seldom tagged as a
noun, unless it may be the unit of the number before it ("5 m"); what the words around give away where the
parse does not (`worded_phrases`); and each of these without its numbers, multipliers and "many" or "much" ("our 12
crates of plums" -> "crates of plums").
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from eqparse.text.annotate import Sentence
from eqparse.text.numbers.context import COMPARED
from eqparse.text.numbers.tables import compiled
from eqparse.text.phrase_ends import (
    ARITHMETIC,
    CLAUSES,
    COPULA,
    DEP_NAMES,
    JOINING,
    MARKS,
    MAX_TOKENS,
    NOMINAL_DEPS,
    NOMINAL_TAGS,
    NOUN,
    OPERATING,
    POSSESSED,
    TAG_NAMES,
    all_number,
    bare_starts,
    before_times,
    chunk_tag,
    end_character,
    find_chunks,
    names_unknown,
    subtree_edges,
    trim,
    whole_brackets,
    whole_compounds,
)
from eqparse.text.spans import Span, trimmed
from eqparse.text.worded_phrases import find_worded, is_year

_COMPARING = frozenset("times twice many much big large tall wide long deep high old".split())
_RELATIVE_AGE = frozenset({"junior", "senior"})
_ADDRESSED = frozenset({"you", "we", "i"})
_A_NUMBER = compiled(r"""\b(?:an?|the|some|any|this|that|my|your|our|certain|secret|unknown|another|whole)\s
    (?:number|integer)\b(?!\s(?:of|\d))""")


class Candidate(NamedTuple):
    """A noun phrase: tokens first..last (last included), characters start..end (end exclusive), how it was found."""

    first: int
    last: int
    start: int
    end: int
    source: str


def find_candidates(sentence: Sentence) -> list[Candidate]:
    """All candidates of a sentence, each once, in order of (first, last) token."""
    if not len(sentence):
        return []
    words = sentence.words
    tags = [TAG_NAMES.get(t, "") for t in sentence.tag.tolist()]
    deps = [DEP_NAMES.get(d, "") for d in sentence.dep.tolist()]
    heads = sentence.head.tolist()
    left, right = subtree_edges(heads)
    starts, ends = sentence.start.tolist(), sentence.end.tolist()
    glued = [start == end for start, end in zip(starts[1:], ends[:-1], strict=True)]
    found: dict[tuple[int, int], str] = {}
    tried: set[tuple[int, int]] = set()

    def add(first: int, last: int, source: str) -> None:
        if (first, last) in tried:
            return
        tried.add((first, last))
        first, last = whole_compounds(*trim(*whole_brackets(first, last, words), words, tags), words, glued)
        if first <= last < first + MAX_TOKENS:
            found.setdefault((first, before_times(first, last, words)), source)

    kids: list[list[int]] = [[] for _ in words]
    for i, head in enumerate(heads):
        if head != i:
            kids[head].append(i)
    for i, tag in enumerate(tags):
        if tag in NOUN or tag == "PRP" or (tag in NOMINAL_TAGS and deps[i] in NOMINAL_DEPS):
            add(left[i], i, "base")
            for kid in kids[i]:
                if kid > i:
                    if deps[kid] in ("conj", "appos"):
                        break
                    add(left[i], right[kid], "grown")
            add(left[i], right[i], "subtree")
        elif deps[i] in ("relcl", "acl") and heads[i] < i and tags[heads[i]] in NOUN and words[i] not in OPERATING:
            add(left[heads[i]], i, "participle")
    chunks = list(find_chunks([chunk_tag(i, words, tags) for i in range(len(words))]))
    for first, last in chunks:
        add(first, last, "chunk")
    for (first, last), (after, end) in zip(chunks, chunks[1:], strict=False):
        if after == last + 2 and words[last + 1] in JOINING:
            add(first, end, "chunks")
    for i, dep in enumerate(deps):
        verb = heads[i]
        if dep in ("nsubj", "nsubjpass") and i < verb and tags[verb].startswith("VB"):
            if words[verb] in COPULA | OPERATING:
                continue
            if right[i] < verb <= right[i] + 2 and (words[i], words[verb]) != ("you", "get"):
                add(left[i], verb, "clause")
    for i in range(len(words)):
        if names_unknown(i, words, tags):
            found.setdefault((i, i), "letter")  # not trimmed: a letter may be tagged as a symbol or number
    for i, tag in enumerate(tags):
        if tag == "POS" and heads[i] < i and (
            i + 1 == len(tags) or tags[i + 1] not in POSSESSED or words[i + 1] in _RELATIVE_AGE
        ):
            found.setdefault((left[heads[i]], i), "possessive")  # not trimmed: "the nave's" stands for its height
        elif tag == "VBG" and deps[i] in ("nsubj", "nsubjpass", "csubj", "pcomp", "pobj", "conj"):
            add(left[i], right[i], "gerund")
        elif words[i] in ("what", "whatever", "how") and deps[heads[i]] in CLAUSES:
            add(left[heads[i]], right[heads[i]], "clause")
    for first, last in find_worded(words, tags):
        while first < last and MARKS.issuperset(words[first]):
            first += 1
        last = before_times(first, last, words)
        if first == last and is_year(words[first]):
            found[first, last] = "year"
        elif first <= last < first + MAX_TOKENS and words[first] not in COPULA:
            found.setdefault((first, last), "worded")
    for (first, last), _ in list(found.items()):
        for bare in bare_starts(first, last, words, tags):
            add(bare, last, "stripped")
    spans = sorted(
        (first, last) for (first, last), source in found.items()
        if source in ("letter", "year")
        or not (all_number((first, last), words, tags) or compares(words[first : last + 1]))
    )
    if all(all_number(span, words, tags, besides=ARITHMETIC) for span in spans):
        return []  # "7 plus 5 is 12" has no unknown
    if _A_NUMBER.search(sentence.text):  # "if you add 7 to a number, you get 15"
        spans = [span for span in spans if words[span[0]] not in _ADDRESSED] or spans
    return [
        Candidate(a, b, *trimmed(sentence.text, starts[a], end_character(words[b], starts[b], ends[b])), found[a, b])
        for a, b in spans
    ]


def compares(words: Sequence[str]) -> bool:
    """Whether the words are "wider", "times" or another word of a comparison alone, which names no amount."""
    return len(words) == 1 and (words[0] in _COMPARING or bool(COMPARED.fullmatch(f" {words[0]}")))


def core(sentence: Sentence, phrase: Candidate, pieces: Sequence[Span]) -> Span:
    """The one of a phrase's pieces that names the thing, trimmed of what no phrase begins or ends with.

    It is the piece that holds the head of the phrase; for a clause ("the mill grinds"), the one that holds its last
    noun; and where there is no noun, the longest.
    """
    starts, ends = sentence.start.tolist(), sentence.end.tolist()
    tags = [TAG_NAMES.get(tag, "") for tag in sentence.tag.tolist()]
    tokens = range(phrase.first, phrase.last + 1)
    nouns = [token for token in tokens if tags[token] in NOUN or tags[token] == "PRP"]
    head = sentence.first_head(phrase.first, phrase.last)
    if nouns:
        noun = starts[head if head in nouns else nouns[-1]]
        start, end = next((piece for piece in pieces if noun < piece[1]), pieces[-1])
    else:
        start, end = max(pieces, key=lambda piece: len(sentence.text[slice(*piece)].strip()))
    inside = [token for token in tokens if start <= starts[token] and ends[token] <= end]
    while inside and tags[inside[0]] == "POS":
        inside.pop(0)
    if inside:
        first, last = trim(inside[0], inside[-1], sentence.words, tags)
        if first <= last:
            return starts[first], min(end, ends[last])
    piece = sentence.text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
