"""The label of an exercise or list item around a sentence: "14.", "5)", "(c)", "Q3:", "Exercise 12.", "[3 marks]"."""

from __future__ import annotations

from eqparse.text.numbers.tables import CIRCLED, SCALES, SMALL, compiled, one_of

_NAMES = r"""(?:exercise|ex|problem|prob|question|ques|qu|q|task|puzzle|riddle|item|example|part|no|nr|number|step|sum
    |test|drill|activity|challenge|practice|clue|hint|statement|sentence|equation|fact|answer|assignment|quiz|case|card
    |homework|hw|figure|fig|table|pb|e\.?g|warm-up|mcqs?|(?:extra\scredit|bonus)(?:\s(?:question|problem))?|brain\s?teaser|(?:word|maths?)\sproblem)s?"""
_MARKS = r"[(\[]\s?\d{1,2}\s?(?:marks?|points?|pts?)\s?[)\]]"
# not the letter of "Party) bags"
_FIGURE = rf"(?:\d{{1,4}}(?:[.-]\d{{1,3}}){{0,3}}[a-z]?|(?<![^\W\d_])(?:[a-z]|[ivx]{{1,5}}|{one_of(SMALL)}))"
_MARK = r"(?:(?:\.|\s)?[):\]]|\.-?(?!\d)|\s?[:–—](?=\s)|\s-(?=\s))"
_STATES = r"(?:is|are|was|has|had|costs?|weighs?|equals|exceeds|earns?)\b"
# Words that open a statement: after "A." they show that what follows is not a name, as it is in "A. Smith".
_OPENING = rf"""(?:the|an?|if|when|what|find|there|twice|thrice|half|double|triple|add|take|one|some|my|his|her|it|in|of
    |on|at|for|this|that|{one_of(SMALL)}|\d)(?!\w)"""
# Behind "14 –" or "1.3" they show that the number belongs to no sum and counts nothing ("14 – Goals scored").
_STATEMENT = rf"""(?:(?:twice|thrice|half|double|triple|if|when|find|what|add|take|subtract)(?!\w)
    |(?:the|an?|one)\s(?!(?:(?:number|amount|total)\sof|plus|minus|times|divided|multiplied)\b)
      (?:(?:(?-i:[a-z])+|\d+)\s){{1,4}}{_STATES}
    |(?!{SCALES}\b)(?-i:[A-Z][a-z]+)(?:['’]s\s[a-z]+)?\s{_STATES})"""
_SETS = r"""(?:lesson|ch(?:apter|\.)|unit|section|worksheet|homework|hw|(?:problem|exercise)\sset|set|page|p\.|paper
    |module|quiz|test|exam|lecture|week|day|round|part|level|grade|topic|stage)"""
_OF_HOW_MANY = r"(?:\s?/\s?|\s(?:out\s)?of\s)\d{1,3}"
_LABEL = compiled(rf"""[\s>*_•·“"‘]*+(?:[-–—]\s+)?(?:
    (?:{_NAMES}(?:\s|\.\s?)?(?:(?:no\.?|nr\.?|number)\s)?[\#№]?|[\#№§]\s?)
      {_FIGURE}(?!\w)(?:{_OF_HOW_MANY})?(?:\s?\([a-z]\)|\s[a-h](?=\))|\s{_MARKS})?[*_]*+
      (?:{_MARK}|\s(?=(?-i:[A-Z]))|(?<=[\#№]\d)\s|(?<=[\#№]\d\d)\s)
  | [(\[{{<](?:\d{{1,4}}[a-z]?|[a-z]|[ivx]{{1,5}})[)\]}}>][.:]?
  | \(\d{{1,3}}{_OF_HOW_MANY}\)[.:]?(?=\s(?-i:[A-Z])) | \d{{1,3}}/\d{{1,3}}:(?=\s(?-i:[A-Z]))
  | \d{{1,2}}[-–]\d{{1,2}}[.)](?=\s(?-i:[A-Z]))
  | \((?:{_NAMES})(?:\s|\.\s?)?\d{{1,3}}[a-z]?\)[.:]?(?=\s(?-i:[A-Z])) | \d{{1,3}}(?:\)|\.(?=(?-i:[A-Z])))(?=[a-z]{{2}})
  | \d{{1,2}}(?:-\s|\s-)(?=(?-i:[A-Z]))(?={_STATEMENT}) | \d{{1,2}}-(?=\s(?-i:[A-Z]))(?=\s{_OPENING})
  | \d{{1,3}}(?:[°º]\)|[/;]|\s?\||\.\.)(?=\s(?-i:[A-Z]))
  | \d{{1,3}}(?:\.[a-h]\.?|\s[a-h]\.)(?=\s{_OPENING}) | \d{{4}}\.(?=\s(?-i:[A-Z]))
  | \d{{1,3}}(?:\.\d{{1,2}}){{0,3}}(?:\.?[a-z])?[*_]*+\s?(?:\.?[)\]]|\.-?(?![\d.])|:(?=\s))(?=\s|[*_]|[(\[])
  | \d{{1,3}}\s?\(?[a-z]\)\.?(?=\s) | \d{{1,2}}\s[-–—](?=\s(?-i:[A-Z]))(?=\s{_STATEMENT})
  | {_SETS}\s?\d{{1,3}}(?:[.-]\d{{1,2}}){{0,2}}(?:\s?:(?=\s)|\.(?=\s(?:(?-i:[A-Z])|{_STATEMENT}))
      |[,;.]?(?=\s(?:{_NAMES}(?:\s|\.\s?)?|[\#№])\d))
  | {_MARKS}[.:]?(?=\s(?-i:[A-Z])|\s\d)
  | \d{{1,2}}(?:\.\d{{1,2}}){{2,3}}(?=\s) | \d{{1,2}}\.\d{{1,2}}(?=\s(?-i:[A-Z]))(?=\s(?:{_OPENING}|{_STATEMENT}))
  | (?-i:[b-z]|a)(?:\)|\.(?=\s(?-i:[A-Z\d])))(?=\s) | (?-i:[A-Z])(?:\)|\.(?=\s{_OPENING}))(?=\s)
  | [{"".join(CIRCLED)}](?=\s(?-i:[A-Z]))
  | [ivx]{{1,5}}\.?\)(?=\s) | (?-i:[ivx]{{2,5}})\.(?=\s) | (?-i:[IVX]{{2,5}})[.:](?=\s(?-i:[A-Z\d]))
    )[*_]*+\s*+(?=\S)""")
_BEHIND = compiled(rf"""(?:\s[(\[](?:{_NAMES}|{_SETS})(?:\s|\.\s?){_FIGURE}[)\]]
    |\s\[\d{{1,2}}\s?(?:marks?|points?|pts?)\]|\s\(\d{{1,2}}\s?(?:marks?|pts)\)|(?<=[.?!])\s{_MARKS}|(?<=[.?!])\s?\[\d{{1,2}}\])[.\s”"]*\Z""")


def statement(text: str) -> tuple[int, int]:
    """Where the statement begins and ends between the labels of an exercise; the whole text if it has none."""
    behind = _BEHIND.search(text, max(0, len(text) - 40))
    return label_end(text), behind.start() if behind else len(text)


def label_end(text: str, begin: int = 0) -> int:
    """Where the statement begins after the label of an exercise at `begin`; `begin` if it has no label."""
    end = begin
    for _ in range(3):
        match = _LABEL.match(text, end)
        if match is None:
            break
        end = match.end()
    return end
