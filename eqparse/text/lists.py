"""Lists of three or more things: "the length, the width and the height"."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from eqparse.text.numbers.tables import compiled
from eqparse.text.spans import Span

_CLAUSE = compiled(r"(?:[^.;:!?]|[.:](?!\s|\Z))++")
_JOIN = compiled(r",\s(?P<and>(?:and|plus)\s)?|\s(?P<only>and|plus|\+)\s")
_WORD = r"""(?!(?:and|plus|is|are|was|were|has|have|had|be|do|does|did|will|would|can|could|than|as|who|which|that
    |if|when|or|but|makes?|weighs?|costs?|adds?|comes?|totals?|equals?|gives?|says?|said|minus|times)\b)[^\W\d_][\w'’-]*+"""
_START = rf"""(?!(?:in|on|at|by|for|from|with|after|before|during|per|to|of|since|until|under|over|within|without|while
    |once|between|among|above|against|around|behind|beside|near|off|out|through|towards?|up|across|along|because|though
    |although|despite|like|unlike|today|yesterday|tomorrow|now|then|so|also|however|thus|hence|well|yes|no|oh|er|erm|um|ah
    |hey|here|there|please|together|overall|altogether|combined|added|taken|last|this|next|every|each|not|i['’]\w+
    |[a-z]+ly|[a-z]+ing|[a-z]+days?)\b){_WORD}"""
_WEIGHT = r"""(?<=\bthe|..\ba|.\ban)\s\d+(?:\.\d+)?[\s-]?(?:(?:kilo|centi)?(?:gram|met(?:re|er))|kilo|pound
    |ounce|ton|tonne|lit(?:re|er)|gallon|pint|foot|inch|yard|mile|hour|minute|day|week|month|dollar|euro|franc|cent|[ck]?[mg]|lb|oz|m?l)\b"""
_THING = compiled(rf"{_START}(?:{_WEIGHT})?(?:\s{_WORD}){{0,5}}")
_HEAD = compiled(r"(?:.*[a-z]\s(?:of|into|between|among|on|than|as)|.*\b(?:that|if|when|both))\s")
_TWO, _YOU = compiled(r"\b(?:two|2|both|pair|couple|twins)\b"), compiled(r"you\b")
_ARTICLE = compiled(r"(?:the|an?|my|his|her|its|our|their|your)\s")


@lru_cache(maxsize=16)  # a text has many readings, and the rules ask the same of each
def lists(text: str) -> tuple[tuple[Span, ...], ...]:
    """The characters of each thing of each list of three or more."""
    found = []
    for clause in _CLAUSE.finditer(text):
        joins = [*_JOIN.finditer(text, *clause.span())]
        ends = [*(join.start() for join in joins), clause.end()]
        pieces = list(zip([clause.start(), *(join.end() for join in joins)], ends, strict=True))
        for last, join in enumerate(joins, start=1):
            final = _THING.match(text, *pieces[last])
            if join.lastgroup is None or final is None:
                continue
            things = [final.span()]
            between = "only" if join.lastgroup == joins[last - 2].lastgroup == "only" else None
            for n in reversed(range(last)):
                if n < last - 1 and joins[n].lastgroup != between:
                    break
                whole = _THING.fullmatch(text, *pieces[n])
                if thing := pieces[n] if whole else _first(text, *pieces[n]):
                    things.insert(0, thing)
                if not whole:
                    break
            if len(things) > 2 and not _is_aside(text, things):
                found.append(tuple(things))
    return tuple(found)


def _first(text: str, start: int, end: int) -> Span | None:
    """The thing at the end of what begins a list: "the sum of the ages of Ann" -> "Ann"."""
    if _TWO.search(text, start, end) or not (text[start].isdigit() or _THING.match(text, start)):
        return None
    head = _HEAD.match(text, start, end)
    return (head.end(), end) if head and _THING.fullmatch(text, head.end(), end) else None


def _is_aside(text: str, things: Sequence[Span]) -> bool:
    """Whether one of three only says what another is: "Ida, a nurse, and Jon", "the twins, Ann and Bea, weigh"."""
    heads = [(_first(text, *thing) or thing)[0] for thing in things]
    named = [_ARTICLE.match(text, start) is None for start in heads]
    told = named in ([True, False, True], [False, True, True]) and text[things[-1][0]].isupper()
    return told or bool(_TWO.search(text, *things[0]) or _YOU.match(text, things[1][0]))
