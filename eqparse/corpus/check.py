"""What is wrong with a corpus: reports the problems of all sentences, whereas the readers stop at the first one.

Reads whatever `read_examples` reads: a .jsonl file, a folder of .jsonl files, or a brat folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from eqparse.corpus.brat import brat_names, misquotations, read_brat_sentence
from eqparse.corpus.example import PLAIN_NAME, Example, checked_span, is_plain_name
from eqparse.corpus.folds import folds_file, read_folds
from eqparse.corpus.jsonl import (
    Complaint,
    SentenceRecord,
    complaints,
    jsonl_files,
    numbered_lines,
    parse_object,
    read_equation,
)
from eqparse.equation.comparison import TOLERANCE
from eqparse.equation.equation import Equation
from eqparse.equation.expression import Number
from eqparse.errors import DataError, EqparseError
from eqparse.text.quantities import find_quantities
from eqparse.text.triggers import MAX_VARIABLES

_WORD = re.compile(r"\d+(?:[.,]\d+)+\w*|[\w\u0300-\u036f]+")
_LINE_END = re.compile(r"[\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong.

    For a sentence in brat, the file is its .txt and line is 0; id is "" if it could not be read.
    """

    file: str
    line: int
    id: str
    expected: str
    found: str

    def __str__(self) -> str:
        line = f", line {self.line}" if self.line else ""
        sentence = f", sentence {self.id!r}" if self.id else ""
        return " ".join(f"{self.file}{line}{sentence}: expected {self.expected}, found {self.found}".split())


class Read(NamedTuple):
    """A sentence (None if it could not be read), where it stands, and what is wrong with its form."""

    file: str
    line: int
    id: str
    sentence: SentenceRecord | Example | None
    complaints: list[Complaint]


class Seen(NamedTuple):
    """The ids of a corpus so far, and its texts with white space folded -> where they stand."""

    ids: dict[str, str]
    texts: dict[str, str]


def check_corpus(path: str | Path, *, seen: Seen | None = None) -> tuple[list[Example], list[Problem]]:
    """The sentences that could be read, including those with problems, and all problems in the order of the files.

    seen: what other parts of the corpus hold; this one's ids and texts are added to it.

    Problems are: anything that `read_examples` refuses; an id that is not a plain name; a brat line that quotes another
    text than its span's; a text that is empty, contains a line end or occurs earlier in the corpus (ignoring white
    space); a span that begins or ends in white space or within a word, or is listed twice under one label; a label that
    does not occur in the equation; an equation without a variable, with more than two variables or with more than two
    mentions of them; a number in the equation that is not among the quantities of the text, within 1e-4, with each
    quantity used once.

    Raises:
        DataError: nothing to read at that path.
    """
    examples: list[Example] = []
    problems: list[Problem] = []
    seen = seen or Seen({}, {})
    for file, line, name, sentence, found in _sentences(Path(path)):
        place = f"{file}, line {line}" if line else file
        if sentence is not None:
            example, more = check_sentence(sentence)
            examples += [example] if example is not None else []
            found += more
        if name in seen.ids:
            found.append(("a unique id", f"the same id at {seen.ids[name]}"))
        elif name:
            seen.ids[name] = place
        text = " ".join(sentence.text.split()) if sentence is not None else ""
        if text in seen.texts:
            found.append(("a unique text", f"the same text at {seen.texts[text]}"))
        elif text:
            seen.texts[text] = place
        problems += [Problem(file, line, name, *complaint) for complaint in found]
    return examples, problems


def check_folds(path: str | Path, examples: Sequence[Example]) -> list[Problem]:
    """The problems of the fold file beside the sentences, if there is one: unreadable, or for other sentences."""
    file = folds_file(path)
    if not file.exists():
        return []
    try:
        read_folds(file, examples)
        strange = parse_object(file.read_bytes(), where=str(file)).keys() - {e.id for e in examples}
    except DataError as error:
        return [Problem(str(file), 0, "", "readable folds", f"none: {error}")]
    return [Problem(str(file), 0, name, "the id of a sentence", "none with this id") for name in sorted(strange)]


def check_sentence(sentence: SentenceRecord | Example) -> tuple[Example | None, list[Complaint]]:
    """The example, or None if the sentence does not make one, and what is wrong with the sentence on its own."""
    text, equation, variables = sentence.text, sentence.equation, sentence.variables
    found: list[Complaint] = [*_text_complaints(text), *_span_complaints(text, variables)]
    if not sentence.id:
        found.append(("an id", "an empty one"))
    elif not is_plain_name(sentence.id):
        found.append((f"{PLAIN_NAME}, as id", f"{sentence.id!r:.80}"))
    try:
        equation = read_equation(equation) if isinstance(equation, str) else equation
    except EqparseError as error:
        return None, [*found, ("a valid equation", str(error))]
    found += _label_complaints(equation, variables)
    if equation is not None:
        found += _equation_complaints(equation, text)
    try:
        return Example(sentence.id, text, equation, variables, sentence.kind), found
    except DataError as error:
        return None, found or [("a consistent sentence", str(error))]


def missing_numbers(equation: Equation, text: str) -> list[float]:
    """The numbers of the equation that no quantity of the text matches, each quantity used once; ascending."""
    values = sorted(quantity.value for quantity in find_quantities(text))
    missing = []
    # both in ascending order: taking the smallest quantity that fits a number leaves the larger ones for later numbers
    for number in sorted(leaf.value for leaf in equation.leaves() if isinstance(leaf, Number)):
        while values and number - values[0] >= TOLERANCE:
            del values[0]
        if values and abs(values[0] - number) < TOLERANCE:
            del values[0]
        else:
            missing.append(number)
    return missing


def _text_complaints(text: str) -> Iterator[Complaint]:
    if not text.strip():
        yield "a sentence", f"the text {text!r:.60}"
    if _LINE_END.search(text):
        yield "a text of one line", f"a line end in {text!r:.60}"


def _span_complaints(text: str, variables: dict[Any, Any]) -> Iterator[Complaint]:
    within = {at for word in _WORD.finditer(text) for at in range(word.start() + 1, word.end())}
    for label, spans in variables.items():
        seen = []
        for span in spans:
            try:
                start, end = checked_span(span, len(text), where=str(label))
            except DataError:
                yield f"a span [start, end] with 0 <= start < end <= {len(text)}", f"{label} {span!r:.60}"
                continue
            shown = f"{label} [{start}, {end}] {text[start:end]!r}"
            if text[start].isspace() or text[end - 1].isspace():
                yield "a span that does not begin or end in white space", shown
            if start in within or end in within:
                yield "a span of whole words", shown
            if (start, end) in seen:
                yield "each span once under a label", shown
            seen.append((start, end))


def _label_complaints(equation: Equation | None, variables: dict[Any, Any]) -> Iterator[Complaint]:
    used = () if equation is None else equation.variables
    for name in used:
        if name not in variables:
            yield f"a span for {name} of {equation}", f"spans for {list(variables)}"
    for label in variables:
        if label not in used:
            what = "no spans where there is no equation" if equation is None else f"labels of {equation}"
            yield what, f"spans for {label!r:.60}"


def _equation_complaints(equation: Equation, text: str) -> Iterator[Complaint]:
    if not equation.variables:
        yield "an equation with a variable", str(equation)
    if len(equation.variables) > MAX_VARIABLES:
        yield f"at most {MAX_VARIABLES} variables", f"{len(equation.variables)} in {equation}"
    for number in missing_numbers(equation, text):
        seen = ", ".join(str(Number(quantity.value)) for quantity in find_quantities(text)) or "none"
        yield f"{Number(number)} of {equation} among the quantities of the text, each used once", seen


def _sentences(path: Path) -> Iterator[Read]:
    """Each sentence of the corpus, with what is wrong with its form."""
    files = jsonl_files(path)
    count = 0
    for file in files:
        for line, content in numbered_lines(file):
            count += 1
            yield Read(str(file), line, *_read_line(content))
    if not files:
        for name in brat_names(path):
            count += 1
            file = str(path / f"{name}.txt")
            try:
                sentence = read_brat_sentence(path, name)
                yield Read(file, 0, name, sentence, list(_quotation_complaints(sentence)))
            except DataError as error:
                yield Read(file, 0, name, None, [_unreadable(error)])
    if not count:
        raise DataError(f"{path}: expected sentences, found none")


def _quotation_complaints(sentence: Example) -> Iterator[Complaint]:
    for (line, label, start, end, quoted), text in misquotations(sentence):
        yield f"the text of {label} [{start}, {end}], {text!r}, quoted on line {line} of the .ann file", f"{quoted!r}"


def _read_line(line: bytes) -> tuple[str, SentenceRecord | None, list[Complaint]]:
    """The id and the sentence on a line of JSON, and what is wrong with its form."""
    try:
        data = parse_object(line, where="")
    except DataError as error:
        return "", None, [_unreadable(error)]
    name = data["id"] if isinstance(data.get("id"), str) else ""
    try:
        return name, SentenceRecord.model_validate(data), []
    except ValidationError as error:
        return name, None, complaints(error, SentenceRecord)


def _unreadable(error: DataError) -> Complaint:
    return "a readable sentence", f"one that is not: {str(error).removeprefix(': ')}"
