"""A parse as a piece of HTML for notebooks, which needs no other file."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined

from eqparse.equation.expression import Number
from eqparse.parser.html.marks import equation_numbers, marked_pieces, marks
from eqparse.parser.parse import Parse

TEMPLATES = Environment(
    loader=PackageLoader("eqparse.parser.html"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
    lstrip_blocks=True,
)


def render(parse: Parse) -> str:
    """The text with the variables' phrases and the numbers marked, and the equation or the reason below it."""
    used = [((q.start, q.end), str(Number(q.exact))) for q in parse.quantities]
    found = marks(parse.variables, used or equation_numbers(parse.text, parse.equation))
    return TEMPLATES.get_template("parse.html").render(parse=parse, pieces=marked_pieces(parse.text, found))
