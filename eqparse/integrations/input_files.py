"""Several files as one input: each named, a folder, or a pattern; of each row it is known which file it is from."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from eqparse.errors import DataError
from eqparse.integrations.input_file import FORMATS, Input, input_format, open_file, open_input, read_input, suffix_of
from eqparse.integrations.rows import Row, free_names

FILE = "file"
"""The field that says which file a row is from."""


def is_several(given: Sequence[str]) -> bool:
    """Do inputs stand for any number of files: several, a folder, or a pattern that is no file's name?"""
    return len(given) != 1 or os.path.isdir(given[0]) or _is_pattern(given[0])


def find_files(given: Iterable[str], *, form: str | None = None) -> list[str]:
    """The files that inputs stand for, in their order; those of a folder and of a pattern in that of their names.

    Of a folder, files count whose suffix is read (all, with a `form`), but none whose name begins with . or _, and none
    in folders within it. Raises DataError for a folder and a pattern without any, or with a pipe or the like, which
    might never end; OSError for a folder that cannot be read.
    """
    files: list[str] = []
    for path in given:
        if os.path.isdir(path):
            names = [name for name in sorted(os.listdir(path)) if not name.startswith((".", "_"))]
            found = [os.path.join(path, name) for name in names if form or suffix_of(name) in ("", *FORMATS)]
            expected = f"files in it whose names end in {', '.join(FORMATS)}, or in one of these and .gz or .zst"
        elif _is_pattern(path):
            found, expected = sorted(glob.glob(path, recursive=True)), "files of which this is the pattern"
        else:
            files.append(path)
            continue
        found = [file for file in found if not os.path.isdir(file)]
        if not found:
            raise DataError(f"--input {path}: expected {expected}; found none")
        if other := next((file for file in found if os.path.exists(file) and not os.path.isfile(file)), None):
            raise DataError(f"--input {path}: expected {expected}; found {other}, which is none; give it by itself")
        files += found
    return files


def open_files(files: Sequence[str], *, form: str | None, text_column: str) -> Input:
    """The sentences of files, one after another, with their file as the field `FILE`.

    The beginning of each is read at once, so that one that cannot be read is refused before the others are parsed.
    form: as for `open_input`, by default that of each file's suffix. Raises what `open_input` does.
    """
    columns: list[str] | None = [FILE]
    pipes: dict[str, Input] = {}  # which can be read only once
    places: set[str] = set()  # where the pipes are, whatever their names
    for path in files:
        how = form or input_format(path)
        if Path(path).is_file():
            with open_file(path) as file:
                given = read_input(file, path, form=how, text_column=text_column)
                next(iter(given.rows), None)
        elif (place := os.path.realpath("/dev/stdin" if path == "-" else path)) in places:
            raise DataError(f"--input {path}: expected it once, as it can be read only once; leave the others out")
        else:
            places.add(place)
            given = pipes[path] = open_input(path, form=how, text_column=text_column)
        if columns is not None:
            columns = None if given.columns is None else [*columns, *_renamed(given.columns, given.columns).values()]

    def rows() -> Iterator[Row]:
        for path in files:
            given = pipes.pop(path, None) or open_input(path, form=form or input_format(path), text_column=text_column)
            for row in given.rows:
                names = _renamed(row.fields, row.fields if given.columns is None else given.columns)
                yield row._replace(fields={FILE: path} | {names[name]: value for name, value in row.fields.items()})

    return Input(rows(), None if columns is None else list(dict.fromkeys(columns)), several=True)


def _renamed(names: Iterable[str], all_names: Iterable[str]) -> dict[str, str]:
    """Each field's name -> its name beside `FILE`."""
    own = free_names([FILE], [FILE, *all_names])
    return {name: own.get(name, name) for name in names}


def _is_pattern(path: str) -> bool:
    return glob.has_magic(path) and not os.path.exists(path)
