"""The command `eqparse`: one subcommand for each use, one line on stderr for each error.

Exit status: 0 when the command went through, even where a sentence has no equation; 1 when a file or the machine
refuses; 2 for an option, a file or a checkpoint that cannot be used; 130 when interrupted; 141 when whoever read the
output went away (`| head -1`), as of a program that SIGPIPE ends.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from eqparse import __version__
from eqparse.commands.arguments import at_least_one, some_path
from eqparse.commands.corpus import add_corpus_options, run_corpus
from eqparse.commands.report import add_errors_options, add_report_options, run_errors, run_report
from eqparse.errors import ConfigError, EqparseError
from eqparse.files import (
    FULL,
    READER_GONE,
    check_not_read,
    files_in,
    format_of,
    give_up_standard_output,
    naming,
    open_output,
)

Arguments = argparse.Namespace


class Command(NamedTuple):
    """A subcommand: its line in the help, what adds its options, what runs it."""

    help: str
    add_options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[Arguments], None]


def add_parse_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("sentence", nargs="*", help="sentences to parse; without any, --input or standard input is read")
    add("--input", type=some_path, metavar="FILE", help="one sentence a line, or .jsonl lines with a text and perhaps "
        "an id; - for standard input")
    add("--output", type=some_path, metavar="FILE", default="-", help="where to write, whole or not at all; - for "
        "standard output")
    add("--format", choices=("text", "jsonl", "csv"), help="default: by the output's suffix, else text")
    add("--input-format", choices=("text", "jsonl"), help="default: by the input's suffix, else text")
    add("--checkpoint", type=some_path, metavar="FOLDER", help="default: the model that ships with eqparse")
    add("--device", default="cpu", help="cpu, cuda, cuda:N, or auto for a GPU where there is one (default: cpu)")
    add("--batch-size", type=at_least_one, default=128, metavar="N", help="sentences at a time (default: 128)")


def run_parse(arguments: Arguments) -> None:
    """Parse sentences, from the command line or a file, one record of output for each."""
    from eqparse.commands.records import read_records, write_parses

    if arguments.sentence and arguments.input is not None:
        raise ConfigError("eqparse parse: expected sentences or --input, found both; leave one out")
    source = arguments.input
    if not arguments.sentence and source is None:
        if sys.stdin is None or sys.stdin.isatty():
            raise ConfigError('eqparse parse: expected a sentence in quotes, --input FILE or piped text; found none')
        source = "-"
    form = arguments.format or format_of(arguments.output, {".jsonl": "jsonl", ".csv": "csv"}, plain="text")
    read = files_in(arguments.checkpoint) if arguments.checkpoint is not None else []
    if not arguments.sentence:
        read.append(0 if source == "-" else source)
    check_not_read("--output", arguments.output, read)
    if arguments.sentence:
        records = iter([(str(n), text) for n, text in enumerate(arguments.sentence, start=1)])
    else:
        by_suffix = "jsonl" if source.lower().endswith(".jsonl") else "text"
        records = read_records(source, form=arguments.input_format or by_suffix)
    with open_output(arguments.output) as output:
        import torch  # after the files are known to be there: this takes seconds

        from eqparse.systems.load import load

        torch.set_num_threads(1)  # the tensors are small: threads cost more than they bring
        parser = load(arguments.checkpoint, device=arguments.device)
        brief = len(arguments.sentence) == 1
        write_parses(parser, records, output, form=form, batch_size=arguments.batch_size, brief=brief)


def add_info_options(parser: argparse.ArgumentParser) -> None:
    what = "a checkpoint's folder; default: the model that ships"
    parser.add_argument("checkpoint", type=some_path, nargs="?", help=what)


def run_info(arguments: Arguments) -> None:
    """Say what a checkpoint holds."""
    from eqparse.systems.ccg.parser import CcgParser
    from eqparse.systems.load import SHIPPED, read_checkpoint

    folder = Path(arguments.checkpoint) if arguments.checkpoint is not None else SHIPPED
    checkpoint = read_checkpoint(folder)
    versions, parser = checkpoint.versions, checkpoint.parser
    print(f"checkpoint  {folder} ({sum(f.stat().st_size for f in folder.iterdir()) / 1e6:.2f} MB)")
    print(f"written by  eqparse {versions['eqparse']}, format {versions['format_version']}")
    print(f"annotator   {checkpoint.annotator}")
    if isinstance(parser, CcgParser):
        print(f"CCG         {sum(map(len, parser.lexicon.entries.values()))} entries, {len(parser.weights)} weights")
    else:
        print(f"features    version {versions['features']}")
        for name, stage in parser.named_children():
            weight = stage.scorer.weight
            print(f"stage       {name}: {', '.join(stage.groups)}; {int((weight != 0).sum())} weights")
        lexicon = parser.tree.lexicon
        print(f"lexicon     {0 if lexicon is None else len(lexicon.rules) + len(lexicon.guards)} rules")
    print(f"metrics     {json.dumps(checkpoint.metrics, ensure_ascii=True)}")


COMMANDS: dict[str, Command] = {
    "parse": Command("parse sentences into equations", add_parse_options, run_parse),
    "info": Command("say what a checkpoint holds", add_info_options, run_info),
    "corpus": Command("check annotated sentences, or compare two annotations", add_corpus_options, run_corpus),
    "report": Command("make tables and plots of finished runs", add_report_options, run_report),
    "errors": Command("write a page to read a run's errors on", add_errors_options, run_errors),
}


def build_argument_parser() -> argparse.ArgumentParser:
    """The options of all commands."""
    parser = argparse.ArgumentParser(
        prog="eqparse", description="From an English sentence to the equation it states.", allow_abbrev=False
    )
    parser.add_argument("--version", action="version", version=f"eqparse {__version__}")
    commands = parser.add_subparsers(title="commands", dest="command", required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        sub = commands.add_parser(name, help=command.help, description=command.help, allow_abbrev=False)
        command.add_options(sub)
        sub.set_defaults(run=command.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command -> its exit status. No error ends in a traceback, unless EQPARSE_TRACEBACK=1 asks for it."""
    if sys.stdout is None:  # closed by the caller (`>&-`), who wants no output
        sys.stdout = open(os.devnull, "w", encoding="utf-8")
    try:
        arguments = build_argument_parser().parse_args(argv)
    except SystemExit as stop:  # argparse has said what it had to say
        return int(stop.code or 0)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: complain(f"warning: {message}")
            with naming("standard output"):
                arguments.run(arguments)
                sys.stdout.flush()
        return 0
    except KeyboardInterrupt:
        complain("interrupted")
        return 130
    except (BrokenPipeError, SystemExit):  # rich makes the second of the first
        give_up_standard_output()
        return READER_GONE
    except Exception as error:
        if isinstance(error, OSError) and error.errno in FULL:
            give_up_standard_output()
        if os.environ.get("EQPARSE_TRACEBACK"):
            raise
        return explain(error)


def explain(error: Exception) -> int:
    """One line on stderr for an error -> the exit status."""
    if isinstance(error, EqparseError):
        complain(f"error: {error}")
        return 2
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename is not None else ""
        complain(f"error: {place}{error.strerror or error}")
        return 1
    complain(
        f"error: {type(error).__name__}: {error} (a fault of eqparse; EQPARSE_TRACEBACK=1 shows where it happened)"
    )
    return 1


def complain(message: str) -> None:
    """Write one line to stderr, in whatever encoding it has."""
    if sys.stderr is None:
        return
    line = " ".join(f"eqparse: {message}".split())
    encoding = sys.stderr.encoding or "utf-8"
    sys.stderr.write(line.encode(encoding, "backslashreplace").decode(encoding) + "\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
