"""Parses to a file, a line for each as text, JSON or CSV, and a bar on standard error while it takes long."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from eqparse.commands.output_file import Output
from eqparse.errors import UndeterminedError
from eqparse.integrations.fields import COLUMNS
from eqparse.integrations.input_file import Input
from eqparse.integrations.input_files import FILE
from eqparse.integrations.output_lines import answer_line, as_cell, csv_line
from eqparse.integrations.rows import Row, free_names
from eqparse.parser.parse import Parse, quoted
from eqparse.plain import printable

if TYPE_CHECKING:
    from eqparse.parser.solution import Solution
    from eqparse.parser.texts import Parser

CSV_COLUMNS = ("id", "text", *COLUMNS)
SOLUTION = ("solution", "solution_reason")


def write_parses(
    parser: Parser,
    given: Input,
    output: Output,
    *,
    form: str,
    batch_size: int,
    brief: bool = False,
    alternatives: int = 0,
    solve: bool = False,
) -> Counter[str]:
    """Parse all rows and write one piece of output for each, in order -> how many there are of each reason's code.

    form: "jsonl" (an object a line), "csv", or "text" for people. brief: text without the sentence itself.
    alternatives: how many relations to name of each text, at most.
    solve: add the value of the unknown, or why it has none.
    """
    rows, columns, several = given
    if form == "csv" and columns is None:  # the first line names the fields of all
        rows = list(rows)
        columns = ["id", "text", *dict.fromkeys(field for row in rows for field in row.fields)]
    waiting: deque[Row] = deque()

    def texts() -> Iterator[object]:
        for row in rows:
            waiting.append(row)
            yield row.text

    if form == "csv":
        own = CSV_COLUMNS + (SOLUTION if solve else ())
        names = free_names((c for c in columns if c not in ("id", "text")), own)
        header = list(dict.fromkeys([*(names.get(column, column) for column in columns), *own]))
        output.file.write(csv_line(header))
    codes: Counter[str] = Counter()
    with nullcontext() if brief or output.file.isatty() else bars() as show:
        parses = parser.stream(texts(), batch_size=batch_size, alternatives=alternatives)
        for count, parse in enumerate(parses, start=1):
            row = waiting.popleft()
            codes[parse.reason_code] += 1
            if form == "jsonl":
                data = answer_line(row, parse.to_dict() | (solution_fields(parse) if solve else {}))
            elif form == "csv":
                values = {"id": row.id} | parse.to_dict() | {names[at]: value for at, value in row.fields.items()}
                if solve:
                    values |= zip(SOLUTION, solution_or_reason(parse), strict=True)
                data = csv_line(as_cell(values.get(column)) for column in header)
            else:
                place = f"{row.fields[FILE]}:{row.id}" if several else row.id
                title = "" if brief else f"{printable(str(place))}  {quoted(parse.text[:1000])[1:-1]}\n    "
                text = f"{title}{parse}\n"
                text += "".join(f"    {one.probability:.3f}  {one.equation}\n" for one in parse.alternatives)
                if alternatives and parse.reason_code == "no_equation" and parse.confidence is not None:
                    text += f"    {parse.confidence:.3f}  no equation\n"
                if solve and parse.equation is not None:
                    value, why = solution_or_reason(parse)
                    text += f"    {value or f'not determined: {why}'}\n"
                data = text.encode(output.encoding, "backslashreplace")
            output.file.write(data)
            if show is not None:
                show("parse", {"done": count})
    return codes


def solution_or_reason(parse: Parse) -> tuple[Solution | None, str]:
    """The solution of a parse, or why it has none."""
    try:
        return parse.solve(), ""
    except UndeterminedError as error:
        return None, str(error)


def solution_fields(parse: Parse) -> dict[str, Any]:
    """What `--solve` adds to a parse in JSON."""
    value, why = solution_or_reason(parse)
    return dict(zip(SOLUTION, (value and value.to_dict(), why), strict=True))


def bars() -> AbstractContextManager[Callable[[str, dict[str, float]], None]]:
    """`progress_bars`, whose libraries a single sentence does not need."""
    from eqparse.commands.run_display import progress_bars

    return progress_bars()


def summary(codes: Mapping[str, int]) -> str:
    """How many texts were parsed and refused, and for which reasons, the most frequent first and equals by name."""
    total, refused = sum(codes.values()), Counter({code: count for code, count in codes.items() if code})
    why = ", ".join(f"{count} {code}" for code, count in sorted(refused.items(), key=lambda r: (-r[1], r[0])))
    line = f"{total} texts: {total - refused.total()} parsed, {refused.total()} refused"
    return f"{line} ({why or 'no text was read'})" if why or not total else line
