"""`eqparse corpus check`, `agreement` and `folds`: options and tables; `eqparse.corpus` does the work."""

from __future__ import annotations

import argparse
import io
import json
import sys
from contextlib import AbstractContextManager, nullcontext, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eqparse.commands.arguments import some_path
from eqparse.errors import DataError
from eqparse.files import check_not_read, files_in, is_standard_output, leads_to, open_output

if TYPE_CHECKING:
    from eqparse.corpus import Example
    from eqparse.text.mentions import Mentions

Row = tuple[str, str]


def add_corpus_options(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(dest="corpus_command", required=True, metavar="COMMAND")
    what = "say what is wrong with annotated sentences, and what they hold"
    check = commands.add_parser("check", help=what, description=what, allow_abbrev=False)
    check.add_argument("path", type=some_path, help="a .jsonl file, or a folder of .jsonl or brat files")
    what = "list the sentences that are near-duplicates of one there"
    check.add_argument("--against", type=some_path, metavar="PATH", help=what)
    check.set_defaults(corpus_run=run_check)
    what = "say how far two annotations of the same sentences agree"
    compare = commands.add_parser("agreement", help=what, description=what, allow_abbrev=False)
    compare.add_argument("first", type=some_path, help="a .jsonl file, or a folder of .jsonl or brat files")
    compare.add_argument("second", type=some_path, help="the same sentences, or some of them, annotated again")
    compare.add_argument("--disagreements", type=some_path, metavar="FILE", help="write the sentences to settle there, "
                         "as .jsonl; - for standard output, and the tables then go to standard error")
    compare.set_defaults(corpus_run=run_agreement)
    what = "deal annotated sentences to folds, for data.folds=fixed"
    folds = commands.add_parser("folds", help=what, description=what, allow_abbrev=False)
    folds.add_argument("path", type=some_path, help="a .jsonl file, or a folder of .jsonl or brat files")
    folds.add_argument("--output", type=some_path, metavar="FILE", help="the file to write, - for standard output "
                       "(default: folds.json beside the sentences)")
    folds.add_argument("--method", choices=("random", "grouped"), default="grouped", help="(default: grouped)")
    folds.add_argument("--seed", type=int, default=0, help="of what is drawn (default: 0)")
    folds.set_defaults(corpus_run=run_folds)
    for command in (check, compare):
        command.add_argument("--json", action="store_true", help="write one JSON object in place of tables")


def run_corpus(arguments: argparse.Namespace) -> None:
    """Run the corpus command that was asked for."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # ids and texts hold any characters
    arguments.corpus_run(arguments)


def run_check(arguments: argparse.Namespace) -> None:
    """Print the problems, a line each, and counts over the sentences that can be read.

    Raises:
        DataError: any problem, so that the command fails; or a path without sentences.
    """
    from eqparse.analysis.corpus_statistics import corpus_statistics
    from eqparse.corpus import read_examples
    from eqparse.corpus.check import check_corpus, check_folds

    examples, problems = check_corpus(arguments.path)
    problems += check_folds(arguments.path, examples)
    others = read_examples(arguments.against) if arguments.against is not None else []
    statistics = corpus_statistics(examples, annotate(examples), against=others)
    if arguments.against is not None:
        statistics.setdefault("near_the_other_set", [])
    if arguments.json:
        print(json.dumps({"problems": [vars(p) for p in problems], "statistics": statistics}))
    else:
        for problem in problems:
            print(problem)
        show_tables(statistics_tables(statistics))
    if problems:
        raise DataError(f"{arguments.path}: expected no problem, found {len(problems)}; they are listed above")


def run_agreement(arguments: argparse.Namespace) -> None:
    """Print how far two annotations agree."""
    from eqparse.analysis.agreement import agreement, disagreements, match_annotations
    from eqparse.corpus import read_examples
    from eqparse.corpus.jsonl import dumps

    output = arguments.disagreements
    if output is not None:
        read = [file for path in (arguments.first, arguments.second) for file in files_in(path)]
        check_not_read("--disagreements", output, read)
    first, second = read_examples(arguments.first), read_examples(arguments.second)
    try:
        matched = match_annotations(first, second)
    except DataError as error:
        raise DataError(f"{arguments.first} and {arguments.second}: {error}") from error
    mentions = annotate([a for a, _ in matched])
    result, settle = agreement(matched, mentions), disagreements(matched, mentions)
    if output is not None:
        with open_output(output) as (file, _):
            file.write("".join(f"{dumps(record)}\n" for record in settle).encode("utf-8"))
    with apart_from(output):
        if arguments.json:
            print(json.dumps(result | {"to_settle": len(settle)}))
        else:
            show_tables(agreement_tables(result) + [("to settle", [("sentences", str(len(settle)))])])


def run_folds(arguments: argparse.Namespace) -> None:
    """Deal the sentences to five folds, write them and say how many are in each."""
    from eqparse.corpus import assign_folds, folds_as_json, folds_file, read_examples

    output = arguments.output if arguments.output is not None else str(folds_file(arguments.path))
    place = leads_to(output)
    if isinstance(place, Path) and place.is_file():
        raise DataError(f"{output}: expected no file there, found one; folds that were used are worth keeping: name "
                        "another with --output, or remove it")
    examples = read_examples(arguments.path)
    folds = assign_folds(examples, method=arguments.method, seed=arguments.seed)
    with open_output(output) as (file, _):
        file.write(folds_as_json(examples, folds).encode("utf-8"))
    with apart_from(output):
        print(f"{output}: {', '.join(f'{folds.count(fold)} sentences in fold {fold}' for fold in range(5))}")


def apart_from(output: str | None) -> AbstractContextManager:
    """Let what is printed go to standard error where standard output is the file that was written."""
    return redirect_stdout(sys.stderr) if output is not None and is_standard_output(output) else nullcontext()


def annotate(examples: list[Example]) -> list[Mentions]:
    """The mentions of each sentence."""
    from eqparse.text.annotate import Annotator
    from eqparse.text.mentions import find_mentions

    return [find_mentions(sentence) for sentence in Annotator()([e.text for e in examples])]


def share(pair: list[int]) -> str:
    """A share [part, of how many] as text."""
    part, whole = pair
    return f"{part} of {whole} ({100 * part / whole:.1f} %)" if whole else "0 of 0"


def show_tables(tables: list[tuple[str, list[Row]]]) -> None:
    """Print tables of two columns, each under its title."""
    from rich.console import Console
    from rich.table import Table

    console = Console(markup=False, highlight=False, emoji=False)
    for title, rows in tables:
        table = Table(show_header=False)
        table.add_column(overflow="fold")
        table.add_column(justify="right", overflow="fold")
        for row in rows:
            table.add_row(*row)
        console.print(f"{title}:", table, sep="\n")


def statistics_tables(s: dict[str, Any]) -> list[tuple[str, list[Row]]]:
    """What `corpus_statistics` says, as titles and rows."""
    total = s["with_equation"]
    near = [("to another one", share(s["near_duplicates"])), ("largest group", str(s["largest_group"]))]
    if "near_the_other_set" in s:
        ids = {ours for ours, _ in s["near_the_other_set"]}
        near.append(("to one of the other set", share([len(ids), s["sentences"]])))
        near += [(f"  {ours}", theirs) for ours, theirs in s["near_the_other_set"]]
    unreachable = [(f"  {reason}", f"{len(ids)}: {' '.join(ids)}") for reason, ids in s["unreachable"].items()]
    return [
        (
            "sentences",
            [
                ("with an equation", share([total, s["sentences"]])),
                ("without", share([s["without_equation"], s["sentences"]])),
            ],
        ),
        ("kinds (with an equation + without)", [(k or "(none)", f"{a} + {b}") for k, (a, b) in s["kinds"].items()]),
        (
            "shapes",
            [
                ("distinct", str(s["shapes"])),
                ("with the order of operands", str(s["shapes_in_order"])),
                *((form, str(count)) for form, count in s["frequent_shapes"].items()),
            ],
        ),
        (
            "operators (lr: the first operand stands first in the text)",
            [(op, str(count)) for op, count in s["operators"].items()],
        ),
        ("leaves", [(n, share([count, total])) for n, count in s["leaves"].items()]),
        (
            "variables",
            [
                *((name, share([count, total])) for name, count in s["variables"].items()),
                ("annotated mentions a sentence", f"{s['annotated_mentions'] / total:.2f}" if total else "none"),
            ],
        ),
        (
            "language",
            [
                ("quantities that do not belong", share(s["extra_quantities"])),
                ("no lexicon phrase", share(s["no_lexicon_phrase"])),
                ("against the syntactic parse", share(s["against_syntax"])),
            ],
        ),
        ("near-duplicates", near),
        (
            "within the parser's reach",
            [
                ("projective", share(s["projective"])),
                ("a span of each variable is a candidate", share(s["spans_found"])),
                ("a gold tree", share(s["reachable"])),
                *unreachable,
            ],
        ),
    ]


def agreement_tables(r: dict[str, Any]) -> list[tuple[str, list[Row]]]:
    """What `agreement` says, as titles and rows."""

    def corrected(value: float | None) -> str:
        return "undefined" if value is None else f"{value:.3f}"

    def line(entry: dict[str, Any]) -> str:
        return f"{share(entry['agreed'])}, kappa {corrected(entry['kappa'])}"

    none, equation, variables = r["no_equation"], r["equation"], r["variables"]
    return [
        ("kappa on the groundings", [("noun phrases annotated as variables", corrected(r["groundings"]["kappa"]))]),
        (
            "does the sentence state an equation?",
            [
                ("sentences", str(r["sentences"])),
                ("agreed", line(none)),
                ("none by both", str(none["both_none"])),
                ("none by the first alone, by the second alone", f"{none['first_alone']}, {none['second_alone']}"),
            ],
        ),
        (
            "the equation, where both state one",
            [
                ("same form", share(equation["same_form"])),
                ("same form, variables used alike", share(equation["same_form_strict"])),
                ("same relation", share(equation["equivalent"])),
                ("same form, and a common phrase for every variable", share(equation["grounded"])),
            ],
        ),
        (
            "groundings, where both state an equation",
            [("phrases", line(r["groundings"])), ("head words of phrases", line(r["heads"]))],
        ),
        (
            "variables, where the equations have one form",
            [
                ("a phrase in common", line(variables["common"])),
                ("phrases that overlap by half", line(variables["overlap"])),
                ("each accepts the other's first phrase", line(variables["first"])),
            ],
        ),
    ]
