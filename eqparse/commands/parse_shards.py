"""`eqparse parse` of a file into a folder of shards, and what it shows meanwhile."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from eqparse.commands.ending import say
from eqparse.commands.write_parses import summary
from eqparse.errors import ConfigError
from eqparse.integrations.bulk import parse_file
from eqparse.integrations.bulk.manifest import NAME
from eqparse.integrations.bulk.reading import open_source
from eqparse.integrations.bulk.run import Progress, form_of
from eqparse.integrations.input_files import find_files, is_several

EVERY = 60  # seconds between two lines where there is no terminal


def parse_shards(input: Sequence[str], output: str, **options: Any) -> None:
    """Parse a file's rows into a folder, or those of several files into a folder each within it, named like the file.

    The options are those of `parse_file`. Raises what that does; ConfigError for two files of one name.
    """
    if not is_several(input):
        with shown() as show:
            codes = parse_file(input[0], output, progress=show, **options)
        say(f"eqparse: {summary(codes)}")
        return
    form, text_column = options["input_format"], options["text_column"]
    folders: dict[str, tuple[str, dict[str, Any]]] = {}  # one for each file -> the file, and its options
    for file in find_files(input, form=form):
        folder = str(Path(output) / Path(file).name)
        if os.path.realpath(folder) == os.path.realpath(file):
            raise ConfigError(
                f"--output {output}: expected another folder than that of {file}, which is read; choose another one"
            )
        if folder in folders:
            raise ConfigError(
                f"--input {file}: expected files of different names, each of which names a folder in {output}; found "
                f"{folders[folder][0]} before it; parse one of them into another --output"
            )
        own = options if form_of(file, form) != "text" else options | {"text_column": "text"}
        open_source(file, form=form_of(file, form), text_column=own["text_column"], shard_rows=1)  # refused at once
        folders[folder] = file, own
    if (Path(output) / NAME).exists():
        raise ConfigError(
            f"--output {output}: expected a folder for the folders of several files, found the shards of one; choose "
            "another one"
        )
    if text_column != "text" and all(own is not options for _, own in folders.values()):
        raise ConfigError(f"--text-column {text_column}: expected a table or JSON to read, found plain text alone")
    total: Counter[str] = Counter()
    for number, (folder, (file, own)) in enumerate(folders.items(), start=1):
        with shown() as show:
            codes = parse_file(file, folder, progress=show, **own)
        say(f"eqparse: file {number} of {len(folders)}, {file}: {summary(codes)}")
        total.update(codes)
    say(f"eqparse: {summary(total)}")


@contextmanager
def shown() -> Iterator[Callable[[Progress], None]]:
    """A bar on standard error, or a line a minute if that is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TextColumn
    from rich.progress import Progress as Bars

    console = Console(stderr=True)
    last = 0.0

    def tell(progress: Progress) -> None:
        nonlocal last
        if progress.seconds - last >= EVERY:
            last = progress.seconds
            say(f"eqparse: {in_words(progress)}")

    if not console.is_terminal:
        yield tell
        return
    with Bars(SpinnerColumn(), BarColumn(), TextColumn("{task.description}"), console=console, transient=True) as bars:
        task = bars.add_task("loading the model", total=None)
        yield lambda progress: bars.update(
            task, completed=progress.done, total=progress.total, description=in_words(progress)
        )


def in_words(progress: Progress) -> str:
    """`120,000 of 1,000,000 rows, 118 a second, 2:04:18 left`."""
    left = "" if progress.left is None else f", {timedelta(seconds=round(progress.left))} left"
    return f"{progress.done:,} of {progress.total:,} rows, {progress.rate:,.0f} a second{left}"
