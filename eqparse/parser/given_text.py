"""Turns the parse of a text without markup into a parse of the text as given, with the positions of the latter."""

from __future__ import annotations

from dataclasses import replace

from eqparse.parser.parse import Alternative, GroundedEquation, Parse
from eqparse.text.edited import Edited
from eqparse.text.mentions import Mentions
from eqparse.text.noun_phrases import Candidate, core
from eqparse.text.spans import Span
from eqparse.text.triggers import Trigger


def in_given_text(parse: Parse, text: str, edited: Edited, mentions: Mentions) -> Parse:
    """The same parse with spans that refer to `text`.

    A phrase with markup inside it is cut to the piece that contains its head, so that each phrase is a contiguous part
    of the text without markup: "barn" in "The **barn**", "The height" in "The height of the *mill*".

    parse: the parse of the text without markup.
    text: the text as given.
    edited: the text without markup.
    mentions: the mentions in the text without markup.
    """
    spans = {(c.start, c.end): edited.span(*unmarked(c, edited, mentions)) for c in mentions.candidates}

    def moved(trigger: Trigger) -> Trigger:
        if trigger.quantity is None:
            start, end = spans[trigger.start, trigger.end]
            return replace(trigger, start=start, end=end)
        start, end = edited.span(trigger.start, trigger.end)
        return replace(trigger, start=start, end=end, quantity=replace(trigger.quantity, start=start, end=end))

    def variables(found: GroundedEquation | Alternative) -> dict[str, tuple[Span, ...]]:
        return {label: tuple(dict.fromkeys(spans[span] for span in of)) for label, of in found.variables.items()}

    def grounded(equation: GroundedEquation) -> GroundedEquation:
        return replace(equation, variables=variables(equation), triggers=tuple(map(moved, equation.triggers)))

    return replace(
        parse,
        text=text,
        equations=tuple(map(grounded, parse.equations)),
        candidates=tuple(dict.fromkeys(spans[span] for span in parse.candidates)),
        alternatives=tuple(replace(one, variables=variables(one)) for one in parse.alternatives),
    )


def unmarked(candidate: Candidate, edited: Edited, mentions: Mentions) -> Span:
    """The span of the piece of a phrase, cut at its markup, that contains the head."""
    pieces = edited.pieces(candidate.start, candidate.end)
    return pieces[0] if len(pieces) == 1 else core(mentions.sentence, candidate, pieces)
