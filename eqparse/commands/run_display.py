"""What a run shows on the terminal: progress bars, and at the end a small table, or one line in a sweep."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from time import perf_counter
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from eqparse.commands.ending import say
from eqparse.training.metrics import CRITERIA

STAGES = ("quantity_list", "variable_list", "tree")
HEADLINES = ("equation", "grounded", "equation_equivalent", "grounded_equivalent")
EXPLAINED = "docs/reporting.md"
SHOWN = ("done", "total", "round", "epoch", "step", "steps", "loss", "objective", "gap")
HEARTBEAT = 30.0  # seconds between two lines about one phase
CONFIDENCE = {
    "calibration_error": "calibration error", "calibration_error_by_chance": "calibration error by chance",
    "answered_at_90": "answered at 90 % precision", "answered_at_95": "answered at 95 % precision",
}


@contextmanager
def progress_bars() -> Iterator[Callable[[str, dict[str, float]], None]]:
    """A progress bar for each phase and stage on standard error; nothing if that is not a terminal."""
    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[note]}"))
    bars = Progress(*columns, TimeElapsedColumn(), console=console, disable=not console.is_terminal, transient=True)
    tasks: dict[str, Any] = {}

    def show(phase: str, entry: dict[str, float]) -> None:
        if phase not in tasks:
            for done in tasks.values():
                bars.update(done, total=1, completed=1)
            tasks[phase] = bars.add_task(phase, total=entry.get("total"), note="")
        if "epoch" in entry:
            bars.update(tasks[phase], note=figures(entry))
        elif "done" in entry:
            bars.update(tasks[phase], completed=entry["done"], note=f"{entry['done']:,.0f}")

    with bars:
        yield show


def figures(entry: Mapping[str, float]) -> str:
    """How far a phase is: "done 640, total 24,478", "epoch 2, step 340, steps 2,745, loss 0.8125"."""
    known = {name: entry[name] for name in SHOWN if entry.get(name) is not None}
    return ", ".join(f"{name} {value:{',' if isinstance(value, int) else '.4g'}}" for name, value in known.items())


def stage_lines() -> Callable[[str, dict[str, float]], None]:
    """What writes lines to standard error, each with the seconds until then: when a phase or stage begins, and how far
    it is now and then."""
    begun = told = perf_counter()
    current = ""

    def show(phase: str, entry: dict[str, float]) -> None:
        nonlocal told, current
        now = perf_counter()
        if phase != current or now - told >= HEARTBEAT:
            told, current = now, phase
            say(f"{now - begun:.0f} s: {', '.join(filter(None, [phase, figures(entry)]))}")

    return show


def run_progress() -> AbstractContextManager[Callable[[str, dict[str, float]], None]]:
    """What shows the progress of a run: bars on a terminal, else a line for each stage."""
    return progress_bars() if Console(stderr=True).is_terminal else nullcontext(stage_lines())


def metrics_table(metrics: dict[str, Any], folder: Path) -> str:
    """A run's figures as a table, followed by the place of their explanation and by the run's folder."""
    table = Table(title=f"fold {metrics['fold']}, seed {metrics['seed']}", show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for name in (*STAGES, *CRITERIA):
        if metrics.get(name) is not None:
            table.add_row(name.replace("_", " "), f"{metrics[name]:.1f} %")
        if name == STAGES[-1]:
            table.add_section()
    table.add_section()
    table.add_row("sentences tested", str(metrics["sentences"]))
    for name in ("train_sentences", "seen_in_training"):
        if metrics.get(name) is not None:
            table.add_row(name.replace("_", " "), str(metrics[name]))
    if metrics.get("without_equation"):
        table.add_row("stating no equation", f"{metrics['without_equation']}, {metrics['refused']:.0f} % refused")
    for name, title in CONFIDENCE.items():
        if metrics.get(name) is not None:
            table.add_row(title, f"{metrics[name]:.1f} %")
    if metrics.get("unreachable"):
        table.add_row("unreachable", str(sum(metrics["unreachable"].values())))
    table.add_row("seconds", f"{metrics['seconds']['total']:.1f}")
    console = Console()
    with console.capture() as captured:  # rich would end the process on a broken pipe
        console.print(table)
    return f"{captured.get()}what each figure means: {EXPLAINED}\n{folder}"


def metrics_line(metrics: dict[str, Any], folder: Path) -> str:
    """One line for a job of a sweep: its folder and main figures."""
    names = (name for name in (*STAGES, *HEADLINES) if metrics.get(name) is not None)
    figures = ", ".join(f"{name.replace('_', ' ')} {metrics[name]:.1f}" for name in names)
    figures = figures or f"trained on {metrics['train_sentences']} sentences"
    return f"{folder}: {figures} ({metrics['seconds']['total']:.1f} s)"
