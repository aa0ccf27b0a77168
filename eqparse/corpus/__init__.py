"""Annotated sentences: their form (`example`), how they are read and written (`brat`, `jsonl`), checks and folds."""

from __future__ import annotations

from pathlib import Path

from eqparse.corpus.brat import read_brat, write_brat
from eqparse.corpus.example import Example
from eqparse.corpus.folds import assign_folds, folds_as_json, folds_file, near_duplicate_groups, read_folds
from eqparse.corpus.jsonl import jsonl_files, read_jsonl, write_jsonl
from eqparse.errors import DataError
from eqparse.text.spans import Span

__all__ = [
    "Example",
    "Span",
    "assign_folds",
    "folds_as_json",
    "folds_file",
    "near_duplicate_groups",
    "read_brat",
    "read_examples",
    "read_folds",
    "read_jsonl",
    "write_brat",
    "write_jsonl",
]


def read_examples(path: str | Path) -> list[Example]:
    """The sentences of a .jsonl file, of all .jsonl files in a folder, or of a brat folder.

    Raises:
        DataError: nothing of the kind at that path, anything that the readers refuse, or an id in two of the files.
    """
    path = Path(path)
    files = jsonl_files(path)
    if not files:
        return read_brat(path)
    examples: dict[str, Example] = {}
    for file in files:
        for example in read_jsonl(file):
            if example.id in examples:
                raise DataError(f"{file}: sentence {example.id!r} is in another file too; ids must differ")
            examples[example.id] = example
    return list(examples.values())
