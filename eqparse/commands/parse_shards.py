"""`eqparse parse` of a file into a folder of shards, and what it shows meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from eqparse.commands.ending import say
from eqparse.commands.write_parses import summary
from eqparse.integrations.bulk import parse_file
from eqparse.integrations.bulk.run import Progress

EVERY = 60  # seconds between two lines where there is no terminal


def parse_shards(input: str, output: str, **options: Any) -> None:
    """Parse a file's rows into a folder; the options are those of `parse_file`."""
    with shown() as show:
        codes = parse_file(input, output, progress=show, **options)
    say(f"eqparse: {summary(codes)}")


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
