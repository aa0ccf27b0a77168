"""Sentences as JSON, one per line: {"id": ..., "text": ..., "kind": ..., "equation": ..., "variables": ...}

The equation is text or null; variables maps labels such as V1 to spans [[0, 9], ...], in characters, end exclusive.
"""

from __future__ import annotations

import codecs
import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from eqparse.corpus.example import Example
from eqparse.equation.equation import Equation
from eqparse.errors import DataError, EqparseError, kind_of
from eqparse.files import open_aside
from eqparse.plain import each_once

Label = Annotated[str, Field(pattern="^V[0-9]+$")]
Bounds = Annotated[list[int], Field(min_length=2, max_length=2)]
Groundings = dict[Label, Annotated[list[Bounds], Field(min_length=1)]]
Complaint = tuple[str, str]
"""What was expected, and what was found."""

EXPECTED = {
    "string_type": "a string",
    "string_unicode": "a string of whole characters",
    "string_pattern_mismatch": "a label of V and digits",
    "int_type": "an integer",
    "float_type": "a number",
    "finite_number": "a finite number",
    "list_type": "a list",
    "dict_type": "an object",
    "too_short": "a list of at least {min_length}",
    "too_long": "a list of at most {max_length}",
}
"""pydantic's types of errors in our words."""


class Record(BaseModel):
    """The keys that a line of JSON has; no others are allowed."""

    model_config = ConfigDict(strict=True, extra="forbid")


class SentenceRecord(Record):
    """A line of a corpus."""

    id: str
    text: str
    equation: str | None
    variables: Groundings
    kind: str = ""


AnyRecord = TypeVar("AnyRecord", bound=Record)


def jsonl_files(path: Path) -> list[Path]:
    """The .jsonl files at a path, a file or a folder; empty for a brat folder.

    Raises DataError for anything else, as for a pipe of such a name, which would be waited for; OSError for a folder
    that cannot be listed.
    """
    if path.is_dir():
        files = sorted(file for file in path.iterdir() if file.suffix == ".jsonl" and not file.name.startswith("."))
        if other := next((file for file in files if not file.is_file()), None):
            raise DataError(
                f"{other}: expected a file of JSON lines, found a folder, a pipe or a link to nothing; remove it, or "
                "name the files one by one"
            )
        return files
    if path.is_file() and path.suffix == ".jsonl":
        return [path]
    found = "another file" if path.exists() else "nothing there"
    raise DataError(f"{path}: expected a .jsonl file, or a folder of .jsonl or brat files; found {found}")


def read_jsonl(path: str | Path) -> list[Example]:
    """The sentences of a file, in its order; blank lines are skipped.

    Raises:
        DataError: no such file, bytes that are not valid UTF-8, a line that is not a JSON object with these keys and
            no others (kind may be missing), an inconsistent example, or a repeated id.
    """
    examples: dict[str, Example] = {}
    for where, record in read_records(path, SentenceRecord):
        try:
            equation = read_equation(record.equation)
            example = Example(record.id, record.text, equation, record.variables, record.kind)
        except EqparseError as error:
            raise DataError(f"{where}: {error}") from error
        if example.id in examples:
            raise DataError(f"{where}: sentence {example.id!r} appears a second time; ids must differ")
        examples[example.id] = example
    return list(examples.values())


def write_jsonl(examples: Iterable[Example], path: str | Path) -> None:
    """Write one line for each sentence, the file whole or not at all; `read_jsonl` gives equal examples back.

    Raises:
        DataError: a repeated id.
    """
    lines: dict[str, str] = {}
    for example in examples:
        if example.id in lines:
            raise DataError(f"sentence {example.id!r} appears twice; ids must differ")
        record = {
            "id": example.id,
            "text": example.text,
            "kind": example.kind,
            "equation": None if example.equation is None else str(example.equation),
            "variables": example.variables,
        }
        lines[example.id] = dumps(record)
    write_lines(lines.values(), path)


def read_equation(text: str | None) -> Equation | None:
    """The equation in a JSON value, None for null. Raises EqparseError if it is not an equation."""
    return None if text is None else Equation.parse(text)


def read_records(path: str | Path, kind: type[AnyRecord]) -> Iterator[tuple[str, AnyRecord]]:
    """("file, line n", record) for each line that is not blank.

    Raises:
        DataError: as in `read_jsonl`.
    """
    path = Path(path)
    if not path.is_file():
        raise DataError(f"{path}: expected a file of JSON lines, found no such file; give one that exists")
    for number, line in numbered_lines(path):
        where = f"{path}, line {number}"
        yield where, checked_record(kind, parse_object(line, where=where), where=where)


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that are not blank, with their numbers; a byte order mark is skipped."""
    lines = path.read_bytes().removeprefix(codecs.BOM_UTF8).split(b"\n")
    return ((number, line) for number, line in enumerate(lines, start=1) if line.strip())


def checked_record(kind: type[AnyRecord], data: dict[str, Any], *, where: str) -> AnyRecord:
    """The record in a JSON object. Raises DataError, which says what is wrong with its keys and types."""
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        found = [f"expected {expected}, found {found}" for expected, found in complaints(error, kind)]
        more = f"; and {len(found) - 3} more" if len(found) > 3 else ""
        raise DataError(f"{where}: {'; '.join(found[:3])}{more}") from error


def complaints(error: ValidationError, kind: type[Record]) -> list[Complaint]:
    """What pydantic found wrong, in our words."""
    found = []
    for problem in error.errors(include_url=False):
        place = ".".join(str(step) for step in problem["loc"] if step != "[key]")
        if problem["type"] == "extra_forbidden":
            found.append((f"no keys but {', '.join(kind.model_fields)}", f"{place!r:.80}"))
        elif problem["type"] == "missing":
            found.append((f"the key {place}", "none"))
        else:
            expected = EXPECTED.get(problem["type"], problem["msg"]).format(**problem.get("ctx", {}))
            found.append((f"{expected} as {place:.80}", f"{problem['input']!r:.80}"))
    return found


def parse_object(line: str | bytes, *, where: str) -> dict[str, Any]:
    """One JSON object, in which each key occurs once; a byte order mark is skipped. Raises DataError for others."""

    try:
        text = line.removeprefix(codecs.BOM_UTF8).decode("utf-8") if isinstance(line, bytes) else line
        data = json.loads(text, object_pairs_hook=each_once)
    except UnicodeDecodeError as error:
        raise DataError(f"{where}: expected UTF-8, found the byte 0x{error.object[error.start]:02x}") from error
    except RecursionError as error:
        raise DataError(f"{where}: expected a JSON object, found one nested too deeply to read") from error
    except DataError as error:
        raise DataError(f"{where}: {error}") from error
    except ValueError as error:
        raise DataError(f"{where}: expected a JSON object, found {line[:80]!r} ({error})") from error
    if not isinstance(data, dict):
        raise DataError(f"{where}: expected a JSON object, found {kind_of(data)}")
    return data


def dumps(record: Any) -> str:
    """One line of JSON; non-ASCII characters are not escaped, except those that some readers take for line ends."""
    line = json.dumps(record, ensure_ascii=False)
    return re.sub("[\x85\u2028\u2029]", lambda match: f"\\u{ord(match.group()):04x}", line)


def write_lines(lines: Iterable[str], path: str | Path) -> None:
    """Write UTF-8 lines, each ended by a newline, to a temporary file that then replaces the one at the path.

    A link remains, and its target is replaced. Raises DataError for a folder, a pipe or a device.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        raise DataError(f"{path}: expected a file to write, found a folder, a pipe or a device; give another path")
    data = "".join(f"{line}\n" for line in lines).encode("utf-8")
    with open_aside(path) as file:
        file.write(data)
