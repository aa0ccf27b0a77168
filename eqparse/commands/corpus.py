"""`eqparse corpus check`, `agreement` and `folds`; `eqparse.corpus` and `eqparse.analysis` do the work."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from eqparse.commands import paths
from eqparse.commands.output_file import check_not_read, is_standard_output, leads_to, open_output, write_text
from eqparse.errors import DataError
from eqparse.files import files_in
from eqparse.plain import printable, write_json

if TYPE_CHECKING:
    from eqparse.corpus import Example
    from eqparse.text.mentions import Mentions

Json = Annotated[bool, typer.Option("--json", help="write one JSON object in place of tables")]
Corpus = Annotated[str, paths.argument("a .jsonl file, or a folder of .jsonl or brat files")]
Parts = Annotated[
    list[str], paths.argument("a .jsonl file, or a folder of .jsonl or brat files; several are checked as one corpus")
]
First = Annotated[str, paths.argument("a .jsonl file, or a folder of .jsonl or brat files", "FIRST")]
Second = Annotated[str, paths.argument("the same sentences, or some of them, annotated again", "SECOND")]
Against = Annotated[str | None, paths.option("list the sentences that are near-duplicates of one there", "PATH")]
Disagreements = Annotated[
    str | None,
    paths.option(
        "write the sentences to settle there, as .jsonl; - for standard output (the tables then go to standard error)"
    ),
]
FoldsFile = Annotated[
    str | None,
    paths.option("the file to write, - for standard output (default: folds.json beside the sentences)"),
]

app = typer.Typer(rich_markup_mode=None, help="Check annotated sentences, compare two annotations, or make folds.")


@app.command()
def check(path: Parts, against: Against = None, as_json: Json = False) -> None:
    """Report problems with annotated sentences, and statistics on them.

    No id and no text may be in two of the files.

    \f
    Raises DataError for a path without sentences, and, so that the command fails, if there is any problem, after all of
    them have been printed.
    """
    from eqparse.corpus import read_examples
    from eqparse.corpus.check import Problem, Seen, check_corpus, check_folds
    from eqparse.corpus.folds import folds_file

    problems: list[Problem] = []
    beside: dict[Path, list[Example]] = {}  # a file of folds -> the sentences beside it
    seen = Seen({}, {})
    for part in path:
        found, more = check_corpus(part, seen=seen)
        problems += more
        beside.setdefault(folds_file(part), []).extend(found)
    for file, sentences in beside.items():
        problems += check_folds(file, sentences)
    examples = [example for sentences in beside.values() for example in sentences]
    others = read_examples(against) if against is not None else []
    from eqparse.analysis.corpus_statistics import corpus_statistics  # takes seconds
    from eqparse.analysis.language_statistics import language_statistics
    from eqparse.commands.run_display import progress_bars

    with progress_bars() as show:
        mentions = annotate(examples, lambda done: show("annotate", {"done": done, "total": len(examples)}))
        show("count", {"done": len(examples)})
        statistics = corpus_statistics(examples, mentions, against=others)
        statistics["language"] = language_statistics(examples, mentions)
    if against is not None:
        statistics.setdefault("near_the_other_set", [])
    if as_json:
        print(write_json({"problems": [vars(p) for p in problems], "statistics": statistics}))
    else:
        from eqparse.commands.corpus_tables import show_tables, statistics_tables

        for problem in problems:
            print(printable(str(problem)))
        show_tables(statistics_tables(statistics))
    if problems:
        raise DataError(f"{', '.join(path)}: expected no problem, found {len(problems)}; they are listed above")


@app.command()
def agreement(
    first: First, second: Second, disagreements: Disagreements = None, as_json: Json = False
) -> None:
    """Report how far two annotations of the same sentences agree."""
    if disagreements is not None:
        check_not_read("--disagreements", disagreements, [*files_in(first), *files_in(second)])
    with nullcontext() if disagreements is None else open_output(disagreements) as to:
        from eqparse.corpus.jsonl import dumps

        figures, settle = compare(first, second)
        if to is not None:
            to.write("".join(f"{dumps(record)}\n" for record in settle))
    with apart_from(disagreements):
        if as_json:
            print(write_json(figures | {"to_settle": len(settle)}))
        else:
            from eqparse.commands.corpus_tables import agreement_tables, show_tables

            show_tables(agreement_tables(figures) + [("to settle", [("sentences", str(len(settle)))])])


def compare(first: str, second: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """How far two annotations agree, and the sentences to settle. Raises DataError, which names both."""
    from eqparse.corpus import read_examples

    annotations = read_examples(first), read_examples(second)
    from eqparse.analysis import agreement as analysis

    try:
        matched = analysis.match_annotations(*annotations)
    except DataError as error:
        raise DataError(f"{first} and {second}: {error}") from error
    mentions = annotate([a for a, _ in matched])
    return analysis.agreement(matched, mentions), analysis.disagreements(matched, mentions)


@app.command()
def folds(
    path: Corpus,
    output: FoldsFile = None,
    method: Annotated[Literal["random", "grouped"], typer.Option(help="grouped keeps near-duplicates together")]
    = "grouped",
    seed: Annotated[int, typer.Option(help="seed of the random numbers")] = 0,
) -> None:
    """Divide annotated sentences into five folds, for data.folds=fixed."""
    from eqparse.corpus import assign_folds, folds_as_json, folds_file, read_examples

    output = output if output is not None else str(folds_file(path))
    place = leads_to(output)
    if isinstance(place, Path) and place.is_file():
        raise DataError(
            f"{output}: expected no file there, found one; keep folds that have been used, so name another file "
            "with --output, or remove it"
        )
    examples = read_examples(path)
    try:
        assigned = assign_folds(examples, method=method, seed=seed)
    except DataError as error:
        raise DataError(f"{path}: {error}") from error
    write_text(folds_as_json(examples, assigned), output)
    with apart_from(output):
        print(f"{output}: {', '.join(f'{assigned.count(fold)} sentences in fold {fold}' for fold in range(5))}")


def apart_from(output: str | None) -> AbstractContextManager:
    """Send what is printed to standard error if standard output is the file that was written."""
    return redirect_stdout(sys.stderr) if output is not None and is_standard_output(output) else nullcontext()


def annotate(examples: list[Example], progress: Callable[[int], None] | None = None) -> list[Mentions]:
    """The mentions of each sentence. progress: called with the number of sentences annotated."""
    from eqparse.corpus import annotated

    return annotated.annotate([example.text for example in examples], progress=progress)[0]
