"""Amounts that have no number of their own: "several hundred more", "a metre longer", which nobody counts as 1."""

from __future__ import annotations

from collections.abc import Iterator

from eqparse.text.numbers.context import COMPARED, compared_next, word_after
from eqparse.text.numbers.tables import SCALES, compiled, one_of
from eqparse.text.numbers.units import MEASURES, unit_end

_FEW = r"(?:several|an?\sfew|few|many|some|numerous|umpteen)"
_MANY = compiled(rf"""(?<!\w)(?:{_FEW}\s(?:{SCALES}s?|(?P<times>times))
    |(?P<often>(?:dozens|scores|hundreds|thousands|millions|many\sdozens)\sof\stimes)
    |(?P<few>several|an?\sfew)(?=\s(?:[^\W\d_]++\s)?(?:more|less|fewer|[a-z]+er)\s(?:[^\W\d_]++\s){{0,2}}than\b)
    |(?<=\bby\s)(?P<changed>several|a\sfew)(?=\s(?:%|percent|per\scent|points)\s(?:is|was|equals|gives|makes|to)\b)
    |dozens|scores|(?:tens|hundreds)\sof\sthousands|hundreds|thousands|millions|billions|loads|lots|heaps|umpteen|(?:ba|ga)?zillions?)(?!\w)""")
_OPERATOR = compiled(r"\b(?:plus|minus|add|adding|subtract|subtracting|exceeds?)\s\Z")
# "is a metre", not the rate of "140 dollars a week less than"
_ONE = compiled(rf"""\b(?:is|are|was|were|be|costs?|weighs?|lasts?|lasted|takes?|took|scored|ha[sd]|have|paid|pays|ran
    |by)\s(?:(?:about|nearly|almost|just|exactly|only|around|roughly|over)\s)?
    (?P<one>(?<!ha[sd]\s)(?<!have\s)a\sday(?:\sor\s(?:so|more))?
        |an?\s(?:{one_of(word for word in MEASURES if len(word) > 3)}
        |[^\W\d_]++(?=\s(?:more|fewer|less)\sthan\s(?!\d)))(?:\sor\s(?:so|more))?)(?=\s)""")


def vague_amounts(text: str) -> Iterator[tuple[int, int]]:
    """The spans of the vague amounts that are compared or added: not those of "several hundred people came"."""
    for match in _MANY.finditer(text):
        end = unit_end(text, match.end())
        noun = word_after(text, end)
        if (
            match["few"]
            or match["changed"]
            or compared_next(text, end)
            or ((match["times"] or match["often"]) and noun == "as")
            or _OPERATOR.search(text[max(0, match.start() - 12) : match.start()])
        ):
            yield match.span()
    for match in _ONE.finditer(text):
        if COMPARED.match(text, match.end()):
            yield match.span("one")
