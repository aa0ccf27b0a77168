"""Sentences in brat's standoff format, as published with Roy et al. (2016): a folder of N.txt and N.ann.

N.txt: line 1 is the sentence, line 3 the equation, or NONE if the sentence states none; further lines are ignored.
N.ann: a line for each span, `T1<tab>V1 start end<tab>text`, in characters, end exclusive; lines of brat's other kinds
(relations, attributes, events, normalizations, equivalences, notes) are skipped. Only the offsets count: the text
quoted after them is not read, but compared by `eqparse corpus check`, and kept when a file is written back.

A byte order mark is not part of the sentence. If the quoted texts show that the offsets count it, they are corrected.

Hidden files and a README are not sentences. Nor is any other .txt file without an .ann, unless its name is a number.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from eqparse.corpus.example import PLAIN_NAME, Example, Source, checked_span, is_plain_name
from eqparse.equation.equation import Equation
from eqparse.errors import DataError, EqparseError
from eqparse.text.spans import Span

NO_EQUATION = "NONE"
_LINE_END = re.compile(r"\r\n|\r|\n")
_ANNOTATION = re.compile(r"T[^\t]*\t(V[0-9]+) ([0-9]+) ([0-9]+)(?:\t(.*))?", re.DOTALL)
_OTHER_KIND = re.compile(r"[RAENM][0-9]+\s|[#*]")
_NO_SENTENCE = re.compile(r"\..*|read.?me", re.IGNORECASE | re.DOTALL)
_NUMBER = re.compile("[0-9]{1,100}")
_DISCONTINUOUS = re.compile(r"T[^\t]*\t[^\t]*;")
_OTHER_LINE_ENDS = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")  # some readers split lines at these
_MARK = "\ufeff"


class Annotation(NamedTuple):
    """A T line of an .ann file: its position, label and span, and the text it quotes, or None if it quotes none."""

    line: int
    label: str
    start: int
    end: int
    quoted: str | None


def read_brat(folder: str | Path) -> list[Example]:
    """The sentences of a folder, in ascending order of their numbers, then those whose names are not numbers.

    Raises:
        DataError: no such folder, no sentence in it, a file without its partner, bytes that are not valid UTF-8, or
            a line that cannot be read; the message names file, line, what was expected and what was found.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise DataError(f"{folder}: expected a folder of N.txt and N.ann, found none; give one that exists")
    names = brat_names(folder)
    if not any((folder / f"{name}.txt").exists() for name in names):
        raise DataError(f"{folder}: expected at least one N.txt with its N.ann, found no .txt file of a sentence")
    return [read_brat_sentence(folder, name) for name in names]


def brat_names(folder: Path) -> list[str]:
    """The names of a folder's sentences, in ascending order of number, then those that are not numbers.

    One of a sentence's two files may be missing. Warns about other .txt files without an .ann (see above).
    """
    texts, annotations = (
        {path.stem for path in folder.iterdir() if path.suffix == suffix and not _NO_SENTENCE.fullmatch(path.stem)}
        for suffix in (".txt", ".ann")
    )
    others = {name for name in texts - annotations if not _NUMBER.fullmatch(name)}
    if others:
        names = ", ".join(f"{name}.txt" for name in sorted(others)[:5]) + (", ..." if len(others) > 5 else "")
        warnings.warn(f"{folder}: {names} passed over, since there is no .ann file with the same name", stacklevel=2)
    return sorted((texts | annotations) - others, key=_numerically)


def write_brat(examples: Iterable[Example], folder: str | Path) -> None:
    """Write each sentence as N.txt and N.ann, where N is its id, into a folder that is created if necessary.

    An example that was read from brat and has not changed is written back byte for byte, any other example in the
    canonical form (line 3 is `str(equation)`, and annotations T1, T2, ... are in the order of `variables`).

    Raises:
        DataError: a repeated id, an id that cannot be a file name, or a text of several lines; nothing is written.
    """
    files: dict[str, str] = {}
    for example in examples:
        if not is_plain_name(example.id) or _NO_SENTENCE.fullmatch(example.id):
            raise DataError(
                f"sentence {example.id!r}: the id becomes a file name; expected {PLAIN_NAME}, other than readme"
            )
        if f"{example.id}.txt" in files:
            raise DataError(f"sentence {example.id!r} appears twice; ids must differ")
        source = example.source
        if source is None or not _still_holds(source, example):
            source = _canonical(example)
        files |= {f"{example.id}.txt": source.txt, f"{example.id}.ann": source.ann}
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content.encode("utf-8"))


def _numerically(name: str) -> tuple[bool, int, str]:
    number = _NUMBER.fullmatch(name) is not None
    return not number, int(name) if number else 0, name


def read_brat_sentence(folder: Path, name: str) -> Example:
    """The sentence of name.txt and name.ann. Raises DataError as `read_brat` does."""
    txt, ann = folder / f"{name}.txt", folder / f"{name}.ann"
    for path in (txt, ann):
        if not path.is_file():
            raise DataError(f"{path}: expected this file beside its partner, found none; add it")
    source = Source(txt=_decoded(txt), ann=_decoded(ann))
    text, equation, variables = _parsed(source, txt=str(txt), ann=str(ann))
    try:
        return Example(name, text, equation, variables, source=source)
    except DataError as error:
        raise DataError(f"{ann}: {error}") from error


def _decoded(path: Path) -> str:
    data = path.read_bytes()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = f"the byte 0x{data[error.start]:02x}"
        raise DataError(f"{path}, line {line}: expected UTF-8, found {found}; convert the file") from error


def _parsed(
    source: Source, *, txt: str, ann: str
) -> tuple[str, Equation | None, dict[str, tuple[Span, ...]]]:
    """The text, equation and spans in the two files; `txt` and `ann` are the files' names for messages."""
    lines = _lines(source.txt)
    if len(lines) < 3 or not lines[2].strip():
        raise DataError(f"{txt}, line 3: expected an equation or {NO_EQUATION}, found nothing")
    try:
        equation = None if lines[2].strip() == NO_EQUATION else Equation.parse(lines[2])
    except EqparseError as error:
        raise DataError(f"{txt}, line 3: {error}") from error
    variables: dict[str, tuple[Span, ...]] = {}
    for line, label, start, end, _ in annotations(source, ann=ann):
        span = checked_span((start, end), len(lines[0]), where=f"{ann}, line {line}")
        variables[label] = (*variables.get(label, ()), span)
    return lines[0], equation, variables


def annotations(source: Source, *, ann: str) -> list[Annotation]:
    """The T lines of an .ann file, called `ann` in messages. Raises DataError for a line that cannot be read."""
    found = list(_annotations(source.ann, ann=ann))
    if not source.txt.startswith(_MARK):
        return found
    text = _lines(source.txt)[0]
    counted = [a._replace(start=a.start - 1, end=a.end - 1) for a in found]  # as offsets that count the mark
    agreeing = [sum(text[max(a.start, 0) : a.end] == a.quoted for a in some) for some in (found, counted)]
    return counted if agreeing[1] > agreeing[0] else found


def _annotations(ann_text: str, *, ann: str) -> Iterator[Annotation]:
    for number, line in enumerate(_lines(ann_text), start=1):
        if not line.strip() or _OTHER_KIND.match(line):
            continue
        where = f"{ann}, line {number}"
        if _DISCONTINUOUS.match(line):
            raise DataError(f"{where}: expected a contiguous span, found a discontinuous one {line!r}; join it")
        match = _ANNOTATION.fullmatch(line)
        if match is None:
            raise DataError(f"{where}: expected `T1<tab>V1 start end<tab>text`, found {line!r}")
        yield Annotation(number, match[1], _offset(match[2]), _offset(match[3]), match[4])


def misquotations(example: Example) -> Iterator[tuple[Annotation, str]]:
    """The annotations of a sentence from brat that quote another text than their span's, each with the span's text."""
    for annotation in annotations(example.source, ann="") if example.source is not None else ():
        text = example.text[annotation.start : annotation.end]
        if annotation.quoted is not None and annotation.quoted not in (text, _quotation(text)):
            yield annotation, text


def _quotation(text: str) -> str:
    """A span's text as it is quoted: on one line, whichever characters a reader takes for line ends."""
    return _OTHER_LINE_ENDS.sub(" ", text)


def _lines(text: str) -> list[str]:
    return _LINE_END.split(text.removeprefix(_MARK))


def _offset(digits: str) -> int:
    return int(digits[:100])  # longer ones lie outside any text, and Python refuses to read very long ones


def _still_holds(source: Source, example: Example) -> bool:
    return _parsed(source, txt="source", ann="source") == (example.text, example.equation, example.variables)


def _canonical(example: Example) -> Source:
    if _LINE_END.search(example.text):
        raise DataError(f"sentence {example.id!r}: expected a text of one line, for brat; found a line end")
    equation = NO_EQUATION if example.equation is None else str(example.equation)
    spans = [(label, *span) for label, spans in example.variables.items() for span in spans]
    written = [
        f"T{number}\t{label} {start} {end}\t{_quotation(example.text[start:end])}\n"
        for number, (label, start, end) in enumerate(spans, start=1)
    ]
    return Source(txt=f"{example.text}\n\n{equation}\n", ann="".join(written))
