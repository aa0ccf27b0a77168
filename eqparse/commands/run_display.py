"""What a run shows on the terminal: bars while it works, a small table at the end, one line where it fails."""

from __future__ import annotations

import logging
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from hydra.errors import HydraException, MissingConfigException
from omegaconf import DictConfig
from omegaconf.errors import OmegaConfBaseException
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from eqparse.commands.ending import READER_GONE, give_up_standard_output
from eqparse.errors import EqparseError
from eqparse.experiments.config import check_words, checked
from eqparse.experiments.sweeps import failed_jobs, in_sweep, job_words
from eqparse.files import FULL, naming
from eqparse.training.metrics import CRITERIA

STAGES = ("quantity_list", "variable_list", "tree")
FULL_ERROR = os.environ.get("HYDRA_FULL_ERROR", "0") not in ("", "0")
NOISE = ("full_key:", "object_type=", "reference_type=", "To append to your config")  # of OmegaConf and Hydra
OF_SWEEPS = {  # what the extra `sweeps` brings
    "hydra/launcher/joblib", "hydra/launcher/submitit_local", "hydra/launcher/submitit_slurm", "hydra/sweeper/optuna",
}
LAUNCHING = ("hydra", "submitit")  # the packages that start jobs, of which a user may ask too much
REPORTED = (EqparseError, HydraException, OmegaConfBaseException, OSError)


@contextmanager
def progress_bars() -> Iterator[Callable[[str, dict[str, float]], None]]:
    """A bar for each phase and stage, on standard error; nothing where that is no terminal."""
    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[note]}"))
    bars = Progress(*columns, TimeElapsedColumn(), console=console, disable=not console.is_terminal, transient=True)
    tasks: dict[str, Any] = {}

    def show(phase: str, entry: dict[str, float]) -> None:
        if phase not in tasks:
            for done in tasks.values():
                bars.update(done, total=1, completed=1)
            tasks[phase] = bars.add_task(phase, total=entry.get("total"), note="")
        if "epoch" not in entry:
            bars.update(tasks[phase], completed=entry["done"])
            return
        names = ("round", "epoch", "objective", "gap")
        note = "  ".join(f"{name} {entry[name]:.4g}" for name in names if entry.get(name) is not None)
        bars.update(tasks[phase], note=note)

    with bars:
        yield show


def show_metrics(metrics: dict[str, Any]) -> None:
    """Print a run's figures as a table."""
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
    if metrics.get("unreachable"):
        table.add_row("unreachable", str(sum(metrics["unreachable"].values())))
    table.add_row("seconds", f"{metrics['seconds']['total']:.1f}")
    Console().print(table)


def run_and_show(run: Callable[..., dict[str, Any]], config: DictConfig) -> dict[str, Any]:
    """Run with bars, print the table and where the files are, return the metrics.

    In a sweep a job is shown as one line, and an error is said at once and left to Hydra, so that the others go on.
    """
    try:
        options = checked(config)
        with progress_bars() as show:
            metrics = run(options, progress=show)
    except BaseException as error:
        if in_sweep() and isinstance(error, Exception):
            sys.stderr.write(f"{job_words()}: failed: {one_line(error)}\n")
            if not isinstance(error, REPORTED):
                traceback.print_exception(error)
        elif isinstance(error, REPORTED):
            fail(error)
        raise
    with printing():
        if in_sweep():
            names = (name for name in (*STAGES, "equation", "grounded") if metrics.get(name) is not None)
            figures = ", ".join(f"{name.replace('_', ' ')} {metrics[name]:.1f}" for name in names)
            figures = figures or f"trained on {metrics['train_sentences']} sentences"
            line = f"{options.folder}: {figures} ({metrics['seconds']['total']:.1f} s)"
            Console(soft_wrap=True).print(line, highlight=False)
        else:
            show_metrics(metrics)
            Console(soft_wrap=True).print(str(options.folder), highlight=False)
    return metrics


@contextmanager
def printing() -> Iterator[None]:
    """What is printed here reaches standard output; else the command ends: quietly where nobody reads any more."""
    try:
        with naming("standard output"):
            yield
            sys.stdout.flush()
    except (BrokenPipeError, SystemExit):  # rich makes the second of the first
        reader_gone()
    except OSError as error:
        if error.errno in FULL:
            give_up_standard_output()
            fail(error)
        raise


def reader_gone() -> NoReturn:
    """End as a program that SIGPIPE ends."""
    give_up_standard_output()
    sys.exit(READER_GONE)


def command(main: Callable[[], None]) -> None:
    """Run a Hydra command; what the user did wrong becomes one line on standard error and exit status 1.

    Of a sweep in which jobs failed each of them is named, at the end. HYDRA_FULL_ERROR=1 shows the traceback.
    """
    # argparse refuses overrides on both sides of a flag
    sys.argv[1:] = sorted(sys.argv[1:], key=lambda word: word not in ("-m", "--multirun"))
    logging.raiseExceptions = FULL_ERROR  # else a log that nobody reads writes a traceback for each line
    os.environ["HYDRA_FULL_ERROR"] = "1"  # else Hydra prints its own abridged traceback, over many lines
    try:
        check_words(sys.argv[1:])
        main()
        with naming("standard output"):
            sys.stdout.flush()
    except BrokenPipeError:
        reader_gone()
    except (Exception, KeyboardInterrupt) as error:
        if failed := failed_jobs():
            sys.stderr.write("".join(f"failed: {job['job']}: {job['error']}\n" for job in failed))
            sys.stderr.write(f"{os.path.basename(sys.argv[0])}: {len(failed)} of the sweep's jobs failed, see above\n")
        if isinstance(error, KeyboardInterrupt):
            sys.exit(130)
        if failed and not FULL_ERROR:
            sys.exit(1)
        if isinstance(error, REPORTED) or raised_by_launching(error):
            fail(error)
        raise


def raised_by_launching(error: BaseException) -> bool:
    """Is it Hydra or a launcher that could not go on, over flags that exclude each other or Slurm that is not there?"""
    *_, last = traceback.walk_tb(error.__traceback__)
    return last[0].f_globals.get("__name__", "").split(".")[0] in LAUNCHING


def fail(error: BaseException) -> None:
    """Say in one line what is wrong and exit with status 1; return where the user asked for the traceback."""
    if not FULL_ERROR:
        sys.stderr.write(f"{os.path.basename(sys.argv[0])}: {one_line(error)}\n")
        sys.exit(1)


def one_line(error: BaseException) -> str:
    """An error's message on one line; of Hydra's, with what caused it, what to do, and without its bearings."""
    lines: list[str] = []
    cause: BaseException | None = error
    while cause is not None:
        text = str(cause).split("Config search path:")[0]
        if isinstance(cause, OSError) and cause.strerror is not None:
            text = cause.strerror if cause.filename is None else f"{cause.filename}: {cause.strerror}"
        lines += [line for raw in text.splitlines() if (line := raw.strip()) and not line.startswith(NOISE)]
        if isinstance(cause, MissingConfigException) and cause.missing_cfg_file in OF_SWEEPS:
            lines = [f'{cause.missing_cfg_file}: not installed; pip install "eqparse[sweeps]"']
        cause = cause.__cause__ if isinstance(cause, HydraException) else None
    return "; ".join(dict.fromkeys(lines)).replace(":; ", ": ") or type(error).__name__
