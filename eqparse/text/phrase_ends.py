"""Words and tags of noun phrases, and where a phrase begins and ends."""

from __future__ import annotations

from collections.abc import Iterator

from eqparse.text.annotate import string_id

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
    "% percent percents percentage dozen many much times twice half double triple thrice quadruple more fewer less "
    "every each as".split()
)
OWNER = NOUN | {"DT", "PRP$", "POS"}
POSSESSED = CHUNK - {"VBN", "VBG", "JJR", "DT", "PRP$", "$"}
RELATING = frozenset(
    "add subtract multiply divide split outnumber outnumbers outnumbered exceed exceeds exceeded dwarf dwarfs surpass "
    "surpasses trails beats lags climbs slides shrinks tightens trebles lifts lowers outrun".split()
)
"""Verbs that are often tagged as nouns, and stand in no phrase."""
OPERATING = frozenset(
    "add adds added subtract subtracts subtracted multiply multiplies multiplied divide divides divided equal equals "
    "equalled exceed exceeds exceeded differ differs differed total totals totalled totaled".split()
)
"""Verbs that say the relation and never belong to a phrase."""
CLAUSES = frozenset({"ccomp", "csubj", "pcomp", "advcl", "ROOT"})
LETTERS = frozenset("bcdefghjklmnopqrstuvwxyz")
ARITHMETIC = frozenset({"%", "plus", "minus", "times"})
MARKS = frozenset(".,;:!?…。！？，、·\"“”„‘«»‹›/\\^~|=<>`_")
COPULA = frozenset({"is", "are", "was", "were", "be", "'s", "am"})
BEHIND_A = COPULA | {"plus", "minus", "equals", "exceeds", "and", "has"}  # these follow the letter "a", not the article
TAG_NAMES = {
    string_id(name): name
    for name in NOMINAL_TAGS | CHUNK | LEFT_EDGE | RIGHT_EDGE | {"PRP", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "NFP"}
}
DEP_NAMES = {
    string_id(name): name
    for name in NOMINAL_DEPS | {"prep", "relcl", "acl", "compound", "nummod", "nmod", "advcl", "ccomp", "pcomp"}
}


def bare_starts(first: int, last: int, words: list[str], tags: list[str]) -> Iterator[int]:
    """Where a phrase begins without its numbers and multipliers, and what stands before them: "our 5 brown hens".

    "one" may stay, and the number of a compound does ("1-euro coins").
    """

    def counts(at: int) -> bool:
        compound = tags[at] == "CD" and at < last and tags[at + 1] == "HYPH"
        return (tags[at] in ("CD", "$", "HYPH") or words[at] in LEADING) and not compound

    at = first
    while at < last and not counts(at) and tags[at] in OWNER:
        at += 1
    while at < last and counts(at):
        if words[at] == "one" and at > first:
            yield at
        at += 1
        if not counts(at):
            yield at


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


def chunk_tag(i: int, words: list[str], tags: list[str]) -> str:
    """The tag of token i, corrected for verbs that relate amounts, and for "that" before a preposition."""
    if words[i] in RELATING:
        return ""
    return "DT" if words[i] in ("that", "those") and words[i + 1 : i + 2] and words[i + 1] in JOINING else tags[i]


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


def whole_compounds(first: int, last: int, words: list[str], glued: list[bool]) -> tuple[int, int]:
    """The span with the whole of a word with hyphens that it holds in part, unless that begins with a number.

    glued: for each token, whether the next one follows without a space.
    """

    def hyphen(at: int) -> bool:
        joined = 0 < at < len(words) - 1 and words[at] == "-" and glued[at - 1] and glued[at]
        return joined and words[at - 1].isalpha() and words[at + 1].isalpha() and len(words[at - 1] + words[at + 1]) > 2

    while first <= last and hyphen(first - 1):
        first -= 2
    while first <= last and hyphen(last + 1):
        last += 2
    return first, last


def trim(first: int, last: int, words: list[str], tags: list[str]) -> tuple[int, int]:
    """Remove punctuation, prepositions and the like from both ends; a bracket that closes one inside stays."""
    while first <= last and (tags[first] in LEFT_EDGE or MARKS.issuperset(words[first])):
        first += 1
    while last >= first and not _closes(first, last, words) and (
        tags[last] in RIGHT_EDGE
        or MARKS.issuperset(words[last])
        or (tags[last] == "DT" and words[last] in ("a", "an", "the"))
    ):
        last -= 1
    return first, last


def _closes(first: int, last: int, words: list[str]) -> bool:
    """Whether the last word is a bracket whose other half is behind the first word."""
    return words[last] in (")", "]") and any(word in ("(", "[") for word in words[first + 1 : last])


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
    if words[i] not in LETTERS:
        return False
    if words[i] in "xyznbqru" or i == 0 or not words[i - 1][-1].isdigit():
        return True
    others = (j for j, word in enumerate(words) if j != i and word.rstrip(".") in LETTERS)
    beside = any(not words[j - 1][-1].isdigit() for j in others)  # "5 k is 3 more than m"
    return words[i + 1 : i + 2] != [] and words[i + 1] in BEHIND_A and beside


def before_times(first: int, last: int, words: list[str]) -> int:
    """The last token of a phrase without the "times" that multiplies a signed number: "a number times minus 8"."""
    multiplies = words[last] == "times" and words[last + 1 : last + 2] in (["minus"], ["negative"])
    return last - 1 if first < last and multiplies and words[last - 1] != "of" else last


def end_character(word: str, start: int, end: int) -> int:
    """The end of a phrase's last token, without the full stop that the tokenizer leaves on a letter ("B.", "4B.") and
    the wide punctuation marks that it leaves on any word.
    """
    if word[-1] == "." and word[-2:-1].isalpha() and not word[:-2].strip("0123456789") and end - start == len(word):
        return end - 1
    bare = word.rstrip("。．！？，、；：")
    return end - len(word) + len(bare) if bare and len(word) == end - start else end
