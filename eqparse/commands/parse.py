"""`eqparse parse`: parses sentences into equations."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Literal

import typer

from eqparse.commands import paths
from eqparse.commands.ending import say
from eqparse.commands.loading import uncollected
from eqparse.commands.output_file import check_not_read, format_of, is_folder, open_output
from eqparse.errors import ConfigError
from eqparse.files import files_in
from eqparse.integrations import input_file, input_files
from eqparse.integrations.rows import Row
from eqparse.scoring.devices import check_device_name
from eqparse.systems.folder import DEFAULT, check_folder, find_checkpoint

Sentences = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SENTENCE", show_default=False,
        help="sentences to parse, after -- if one begins with -; if there are none, --input or standard input is read",
    ),
]
Input = Annotated[
    list[str] | None,
    paths.option(
        ".txt with one sentence a line, .csv or .tsv with names of columns, .jsonl or .json with a text and perhaps an "
        "id, or one of these and .gz or .zst; .parquet for a folder; - for standard input. Several files: once for "
        "each, or a folder, or a pattern in quotes"
    ),
]
Format = Annotated[
    Literal["text", "jsonl", "csv", "parquet"] | None,
    typer.Option(
        "--format", "--output-format", show_default=False,
        help="default: by the suffix of the output, else text; in a folder, the format of the input, jsonl for text",
    ),
]
InputFormat = Annotated[
    Literal["text", "csv", "tsv", "jsonl", "json", "parquet"] | None,
    typer.Option(show_default=False, help="default: by the suffix of the input, else text"),
]
Checkpoint = Annotated[str, paths.option(paths.CHECKPOINT, "FOLDER")]
Precision = Annotated[
    Literal["auto", "float32", "bfloat16"],
    typer.Option(help="of an encoder; auto: bfloat16 on a processor that has instructions for it"),
]
Alternatives = Annotated[
    int, typer.Option(metavar="N", min=0, help="name up to N relations that a sentence may state, with probabilities")
]
MinConfidence = Annotated[
    float | None,
    typer.Option(metavar="P", min=0, max=1, show_default=False, help="withhold answers with less confidence"),
]
Prevalence = Annotated[
    float | None,
    typer.Option(
        metavar="P", show_default=False,
        help="the share of the texts that states an equation, above 0 and below 1, if you know it",
    ),
]
Solve = Annotated[
    bool, typer.Option("--solve", help="add the value of the unknown, with its unit, or why it has none")
]
Output = Annotated[
    str,
    paths.option(
        "where to write, whole or not at all, compressed into .gz and .zst; a folder (with / at its end) for shards of "
        "any number of rows, which an interrupted run goes on with; - for standard output"
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, show_default=False, help="processes that parse into a folder, by default one"),
]
ShardRows = Annotated[
    int | None, typer.Option(metavar="N", min=1, show_default=False, help="rows in each file of a folder")
]
TextColumn = Annotated[str, typer.Option(metavar="NAME", help="the column or field of the input that has the sentence")]


def parse(
    sentences: Sentences = None,
    input: Input = None,
    output: Output = "-",
    format: Format = None,
    input_format: InputFormat = None,
    text_column: TextColumn = "text",
    checkpoint: Checkpoint = DEFAULT,
    device: Annotated[str, typer.Option(help="cpu, cuda, cuda:N, or auto for a GPU where there is one")] = "cpu",
    precision: Precision = "auto",
    batch_size: Annotated[int, typer.Option(metavar="N", min=1, max=1_000_000, help="sentences at a time")] = 128,
    alternatives: Alternatives = 0,
    min_confidence: MinConfidence = None,
    prevalence: Prevalence = None,
    solve: Solve = False,
    workers: Workers = None,
    shard_rows: ShardRows = None,
) -> None:
    """Parse sentences into equations.

    Columns and fields beside the sentence are kept, in CSV and JSON; one whose name the output uses itself comes after
    "input_".
    """
    if sentences and input:
        raise ConfigError(
            "eqparse parse: expected sentences or --input, found both; leave one out, or give several files by --input "
            "before each of them, or by a pattern in quotes"
        )
    if sentences and input_format:
        raise ConfigError(f"--input-format {input_format}: expected --input or piped text beside it, found sentences")
    if not sentences and not input:
        if sys.stdin is None or sys.stdin.isatty():
            raise ConfigError("eqparse parse: expected a sentence in quotes, --input FILE or piped text; found none")
        input = ["-"]
    given = {name: n for name, n in {"workers": workers, "shard_rows": shard_rows}.items() if n is not None}
    if input and (workers is not None or is_folder(output)):
        if solve:
            raise ConfigError("--solve: expected one file of output or none, found a folder; leave one out")
        if output == "-":
            raise ConfigError("--workers: expected a folder to write to; give --output FOLDER/")
        from eqparse.commands.parse_shards import parse_shards

        parse_shards(
            input, output, text_column=text_column, input_format=input_format, output_format=format,
            checkpoint=checkpoint, device=device, precision=precision, alternatives=alternatives,
            min_confidence=min_confidence, prevalence=prevalence, batch_size=batch_size, **given,
        )
        return
    if given:
        raise ConfigError(f"--{[*given][0].replace('_', '-')}: expected --input FILE and --output FOLDER/ beside it")
    if not format and input_file.uncompressed(output.lower()).endswith(".parquet"):
        format = "parquet"
    format = format or format_of(output, {".jsonl": "jsonl", ".csv": "csv"}, plain="text")
    several = not sentences and input_files.is_several(input)
    files = input_files.find_files(input, form=input_format) if several else input or []
    forms = {"text"} if sentences else {input_format or input_file.input_format(file) for file in files}
    if "parquet" in (*forms, format):
        raise ConfigError(
            f"--output {output}: expected a folder, into which alone parquet is read and written; give --input FILE "
            "--output FOLDER/ --format parquet (or jsonl, or csv)"
        )
    check_device_name(device)
    folder = find_checkpoint(checkpoint)
    check_folder(folder)
    read = files_in(folder)
    check_not_read("--output", output, [*read, *(0 if file == "-" else file for file in files)])
    if forms == {"text"} and text_column != "text":
        raise ConfigError(f"--text-column {text_column}: expected csv, tsv, jsonl or json to read, found plain text")
    if sentences:
        rows = input_file.Input(Row(str(number), text) for number, text in enumerate(sentences, start=1))
    elif several:
        rows = input_files.open_files(files, form=input_format, text_column=text_column)
    else:
        rows = input_file.open_input(files[0], form=forms.pop(), text_column=text_column)
    with open_output(output) as to:
        with uncollected():
            import torch  # takes seconds, so only once the files are known to exist

            from eqparse.commands.write_parses import summary, write_parses
            from eqparse.systems.load import load

            torch.set_num_threads(1)  # the tensors are so small that more threads are slower
            parser = load(
                folder, device=device, precision=precision, min_confidence=min_confidence, prevalence=prevalence
            )
        brief = bool(sentences) and len(sentences) == 1
        codes = write_parses(
            parser, rows, to, form=format, batch_size=batch_size, brief=brief, alternatives=alternatives, solve=solve
        )
    if not sentences and codes.total() != 1:
        say(f"eqparse: {summary(codes)}")
    for file in filter(os.path.exists, sentences or ()):
        say(f"eqparse: {file} was parsed as a sentence, but is the name of a file; --input reads it")
