"""The label of an exercise or list item before a sentence: "14.", "5)", "(c)", "Q3:", "Exercise 12."."""

from __future__ import annotations

from eqparse.text.numbers.tables import CIRCLED, SMALL, compiled, one_of

_NAMES = r"""(?:exercise|ex|problem|prob|question|qu|q|task|puzzle|riddle|item|example|part|no|nr|number|step|sum|test
    |drill|activity|challenge)s?"""
_FIGURE = rf"(?:\d{{1,4}}(?:\.\d{{1,3}}){{0,3}}[a-z]?|[a-z]|[ivx]{{1,5}}|{one_of(SMALL)})"
_MARK = r"(?:\.?[):\]]|\.-?(?!\d)|\s?[:–—](?=\s)|\s-(?=\s))"
# Words that open a statement: after "A." they show that what follows is not a name, as it is in "A. Smith".
_OPENING = rf"""(?:the|an?|if|when|what|find|there|twice|thrice|half|double|triple|add|take|one|some|my|his|her|it|in|of
    |on|at|for|this|that|{one_of(SMALL)}|\d)(?!\w)"""
_LABEL = compiled(rf"""[\s>*_•·]*+(?:[-–—]\s+)?(?:
    (?:{_NAMES}(?:\s|\.\s?)?|[\#№]\s?){_FIGURE}(?!\w)(?:\s?\([a-z]\))?[*_]*+(?:{_MARK}|\s(?=(?-i:[A-Z]))|(?<=[\#№]\d)\s|(?<=[\#№]\d\d)\s)
  | [(\[](?:\d{{1,4}}[a-z]?|[a-z]|[ivx]{{1,5}})[)\]][.:]?
  | \d{{1,3}}(?:\.\d{{1,2}}){{0,3}}(?:\.?[a-z])?[*_]*+\s?(?:\.?[)\]]|\.-?(?![\d.])|:(?=\s))(?=\s|[*_]|[(\[])
  | \d{{1,3}}\s?\([a-z]\)\.?(?=\s)
  | \d{{1,2}}(?:\.\d{{1,2}}){{2,3}}(?=\s) | \d{{1,2}}\.\d{{1,2}}(?=\s(?-i:[A-Z]))(?=\s{_OPENING})
  | (?-i:[b-z]|a)(?:\)|\.(?=\s(?-i:[A-Z\d])))(?=\s) | (?-i:[A-Z])(?:\)|\.(?=\s{_OPENING}))(?=\s)
  | [{"".join(CIRCLED)}](?=\s(?-i:[A-Z]))
  | [ivx]{{1,5}}\.?\)(?=\s) | (?-i:[ivx]{{2,5}})\.(?=\s)
    )[*_]*+\s*+(?=\S)""")


def label_end(text: str) -> int:
    """Where the statement begins after the label of an exercise; 0 if it has no label."""
    end = 0
    for _ in range(3):
        match = _LABEL.match(text, end)
        if match is None:
            break
        end = match.end()
    return end
