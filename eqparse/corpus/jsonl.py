"""Sentences as JSON, one a line: {"id": ..., "text": ..., "kind": ..., "equation": ..., "variables": ...}

The equation is text or null; variables map V1 to spans [[0, 9], ...], in characters, end exclusive.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from eqparse.corpus.example import Example
from eqparse.equation.equation import Equation
from eqparse.errors import DataError, EqparseError
from eqparse.files import open_aside

REQUIRED, OPTIONAL = {"id", "text", "equation", "variables"}, {"kind"}


def read_jsonl(path: str | Path) -> list[Example]:
    """The sentences of a file, in its order; blank lines are passed over.

    Raises:
        DataError: no such file, bytes that are no UTF-8, a line that is not a JSON object with these keys and
            no others (kind may be missing), an example that does not hold together, or an id twice.
    """
    examples: dict[str, Example] = {}
    for where, data in read_objects(path, required=REQUIRED, optional=OPTIONAL):
        try:
            equation = read_equation(data["equation"])
            example = Example(data["id"], data["text"], equation, data["variables"], data.get("kind", ""))
        except EqparseError as error:
            raise DataError(f"{where}: {error}") from error
        if example.id in examples:
            raise DataError(f"{where}: sentence {example.id!r} appears a second time; ids must differ")
        examples[example.id] = example
    return list(examples.values())


def write_jsonl(examples: Iterable[Example], path: str | Path) -> None:
    """Write one line for each sentence, whole or not at all; `read_jsonl` gives equal examples back.

    Raises:
        DataError: an id twice.
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


def read_equation(text: Any) -> Equation | None:
    """The equation of a JSON value, a string or null. Raises EqparseError."""
    return None if text is None else Equation.parse(text)


def read_objects(
    path: str | Path, *, required: set[str], optional: set[str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """("file, line n", object) for each JSON line of a file.

    Raises:
        DataError: as in `read_jsonl`.
    """
    path = Path(path)
    if not path.is_file():
        raise DataError(f"{path}: expected a file of JSON lines, found no such file; give one that exists")
    for number, line in enumerate(path.read_bytes().split(b"\n"), start=1):
        if line.strip():
            where = f"{path}, line {number}"
            yield where, parse_object(line, where=where, required=required, optional=optional)


def parse_object(
    line: str | bytes, *, where: str, required: set[str] | None = None, optional: set[str] = frozenset()
) -> dict[str, Any]:
    """One JSON object with all the required keys, perhaps the optional ones and no others; else DataError.

    required: None for an object of any keys.
    """

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        data = dict(pairs)
        if len(data) < len(pairs):
            twice = [key for key, count in Counter(key for key, _ in pairs).items() if count > 1]
            raise DataError(f"{where}: expected each key once, found {listed(twice)} several times")
        return data

    try:
        text = line.decode("utf-8") if isinstance(line, bytes) else line
        data = json.loads(text, object_pairs_hook=unique)
    except UnicodeDecodeError as error:
        raise DataError(f"{where}: expected UTF-8, found the byte 0x{line[error.start]:02x}") from error
    except RecursionError as error:
        raise DataError(f"{where}: expected a JSON object, found one nested too deeply to read") from error
    except DataError:
        raise
    except ValueError as error:
        raise DataError(f"{where}: expected a JSON object, found {line[:80]!r} ({error})") from error
    if not isinstance(data, dict):
        raise DataError(f"{where}: expected a JSON object, found a {type(data).__name__}")
    if required is None:
        return data
    missing, unknown = sorted(required - data.keys()), sorted(data.keys() - required - optional)
    if missing or unknown:
        wanted = f"expected the keys {sorted(required)}, and perhaps {sorted(optional)}"
        raise DataError(f"{where}: {wanted}; missing {missing}, unknown {listed(unknown)}")
    return data


def listed(keys: Sequence[str]) -> str:
    """Keys for an error, the first few of many and the first letters of long ones."""
    more = f" and {len(keys) - 3} more" if len(keys) > 3 else ""
    return f"[{', '.join(f'{key!r:.80}' for key in keys[:3])}]{more}"


def dumps(record: Any) -> str:
    """One line of JSON, characters beyond ASCII as they are, save those that some readers end a line at."""
    line = json.dumps(record, ensure_ascii=False)
    return re.sub("[\x85\u2028\u2029]", lambda match: f"\\u{ord(match.group()):04x}", line)


def write_lines(lines: Iterable[str], path: str | Path) -> None:
    """Write UTF-8 lines, each ended by a newline, to a file beside the path that then takes its place.

    A link stays one, and its target is replaced. Raises DataError for a folder, a pipe or a device.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        raise DataError(f"{path}: expected a file to write, found a folder, a pipe or a device; give another path")
    data = "".join(f"{line}\n" for line in lines).encode("utf-8")
    with open_aside(path) as file:
        file.write(data)
