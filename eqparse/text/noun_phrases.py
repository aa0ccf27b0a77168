"""Step 2, Sentence -> candidates: the noun phrases that a variable may be grounded in; recall matters most.

The candidates come from several sources: for each nominal token, its base phrase, extended by one right dependent after
another up to the whole subtree; runs of tags that look like a noun phrase, alone and joined by a preposition; a subject
with its verb ("The Hawks won", where the count of wins is never named); a letter, which names an unknown in algebra
texts and is seldom tagged as a noun, unless it may be the unit of the number before it ("5 m"); and each of these
without its leading numbers, multipliers and "many" or "much" ("12 crates of plums" -> "crates of plums").
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from eqparse.text.annotate import Sentence, string_id
from eqparse.text.spans import Span

MAX_TOKENS = 30  # longer phrases ground nothing, and are usually parsing errors

NOUN = frozenset({"NN", "NNS", "NNP", "NNPS"})
NOMINAL_TAGS = frozenset({"DT", "JJ", "JJR", "JJS", "CD", "RBR"})  # nominal only if the parse says so: "the larger"
NOMINAL_DEPS = frozenset(
    {"nsubj", "nsubjpass", "pobj", "dobj", "attr", "conj", "npadvmod", "ROOT", "dep", "appos", "csubj"}
)
CHUNK = NOUN | frozenset({"DT", "PRP$", "JJ", "JJR", "JJS", "CD", "POS", "VBN", "VBG", "HYPH", "$"})
CHUNK_END = NOUN | frozenset({"JJ", "JJR", "JJS", "CD", "DT"})
JOINING = frozenset({"of", "in", "at", "for", "with", "from", "on"})
EDGE = frozenset({",", ".", ":", "''", "``", "HYPH", "IN", "CC", "TO", "-LRB-", "-RRB-", "_SP"})
LEFT_EDGE = EDGE | frozenset({"$", "#", "SYM", "RB", "WDT"})
RIGHT_EDGE = EDGE | frozenset({"POS", "PRP$"})
LEADING = frozenset(
    "% percent percents percentage many much times twice half double triple thrice quadruple more fewer less every each"
    " as".split()
)
LETTERS = frozenset("bcdefghjklmnopqrstuvwxyz")
ARITHMETIC = frozenset({"%", "plus", "minus", "times"})
COPULA = frozenset({"is", "are", "was", "were", "be", "'s", "am"})
BEHIND_A = COPULA | {"plus", "minus", "equals", "exceeds", "and", "has"}  # these follow the letter "a", not the article
TAG_NAMES = {
    string_id(name): name
    for name in NOMINAL_TAGS | CHUNK | LEFT_EDGE | RIGHT_EDGE | {"PRP", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "NFP"}
}
DEP_NAMES = {
    string_id(name): name
    for name in NOMINAL_DEPS | {"prep", "relcl", "acl", "compound", "nummod", "nmod", "advcl"}
}


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
    found: dict[tuple[int, int], str] = {}

    def add(first: int, last: int, source: str) -> None:
        first, last = trim(*whole_brackets(first, last, words), words, tags)
        if first <= last < first + MAX_TOKENS:
            found.setdefault((first, last), source)

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
        elif deps[i] in ("relcl", "acl") and heads[i] < i and tags[heads[i]] in NOUN:
            add(left[heads[i]], i, "participle")
    chunks = list(find_chunks(tags))
    for first, last in chunks:
        add(first, last, "chunk")
    for (first, last), (after, end) in zip(chunks, chunks[1:], strict=False):
        if after == last + 2 and words[last + 1] in JOINING:
            add(first, end, "chunks")
    for i, dep in enumerate(deps):
        verb = heads[i]
        if dep in ("nsubj", "nsubjpass") and i < verb and tags[verb].startswith("VB") and words[verb] not in COPULA:
            if right[i] < verb <= right[i] + 2:
                add(left[i], verb, "clause")
    for i in range(len(words)):
        if names_unknown(i, words, tags):
            found.setdefault((i, i), "letter")  # not trimmed: a letter may be tagged as a symbol or number
    for (first, last), _ in list(found.items()):
        bare = first
        while bare < last and (tags[bare] in ("CD", "$", "HYPH") or words[bare] in LEADING):
            bare += 1
        if bare > first:
            add(bare, last, "stripped")
    spans = sorted(span for span, source in found.items() if source == "letter" or not all_number(span, words, tags))
    if all(all_number(span, words, tags, besides=ARITHMETIC) for span in spans):
        return []  # "7 plus 5 is 12" has no unknown
    starts, ends = sentence.start.tolist(), sentence.end.tolist()
    return [Candidate(a, b, starts[a], end_character(words[b], starts[b], ends[b]), found[a, b]) for a, b in spans]


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
        start, end = next(piece for piece in pieces if noun < piece[1])
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


def subtree_edges(heads: list[int]) -> tuple[list[int], list[int]]:
    """The leftmost and the rightmost token of the subtree under each token."""
    left, right = list(range(len(heads))), list(range(len(heads)))
    for i, head in enumerate(heads):
        node = i
        while head != node:
            node, head = head, heads[head]
            left[node] = min(left[node], i)
            right[node] = max(right[node], i)
    return left, right


def find_chunks(tags: list[str]):
    """Maximal runs of noun phrase tags -> (first, last) token, last included. A determiner starts a new run."""
    first = None
    for i, tag in enumerate([*tags, ""]):
        if first is not None and (tag not in CHUNK or tag in ("DT", "PRP$")):
            last = i - 1
            while last >= first and tags[last] not in CHUNK_END:
                last -= 1
            if last >= first:
                yield first, last
            first = None
        if first is None and tag in CHUNK:
            first = i


def whole_brackets(first: int, last: int, words: list[str]) -> tuple[int, int]:
    """The span cut short of a bracket that it does not close, or behind one that it does not open."""
    for at in range(first, last + 1):
        if words[at] in ("(", "[") and not any(word in (")", "]") for word in words[at : last + 1]):
            return first, at - 1
        if words[at] in (")", "]") and not any(word in ("(", "[") for word in words[first:at]):
            return whole_brackets(at + 1, last, words)
    return first, last


def trim(first: int, last: int, words: list[str], tags: list[str]) -> tuple[int, int]:
    """Remove punctuation, prepositions and the like from both ends."""
    while first <= last and tags[first] in LEFT_EDGE:
        first += 1
    while last >= first and (tags[last] in RIGHT_EDGE or (tags[last] == "DT" and words[last] in ("a", "an", "the"))):
        last -= 1
    return first, last


def all_number(
    span: tuple[int, int], words: list[str], tags: list[str], *, besides: frozenset[str] = frozenset({"%"})
) -> bool:
    """Does the span consist of nothing but numbers and the words `besides`?"""
    first, last = span
    if first == last and words[first] in ("one", "another"):
        return False
    return all(tags[k] in ("CD", "$", "HYPH") or words[k] in besides for k in range(first, last + 1))


def names_unknown(i: int, words: list[str], tags: list[str]) -> bool:
    """Is token i a letter that is neither the article "a" nor, judging by what precedes it, a unit?"""
    if words[i] == "a":
        return words[i + 1 : i + 2] != [] and words[i + 1] in BEHIND_A and (i == 0 or tags[i - 1] not in NOUN)
    return words[i] in LETTERS and (words[i] in "xyz" or i == 0 or not words[i - 1][-1].isdigit())


def end_character(word: str, start: int, end: int) -> int:
    """The end of a phrase's last token, without the full stop that the tokenizer leaves on a single letter ("B.")."""
    return end - 1 if len(word) == 2 and word[1] == "." and word[0].isalpha() and end - start == 2 else end
