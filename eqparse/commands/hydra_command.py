"""`train.py` and `evaluate.py` at the command line: run, show the results, and report a failure in one line."""

from __future__ import annotations

import logging
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from hydra._internal.utils import get_args_parser
from hydra.errors import HydraException, MissingConfigException
from omegaconf import DictConfig
from omegaconf.errors import OmegaConfBaseException

from eqparse.commands import early
from eqparse.commands.ending import INTERRUPTED, READER_GONE, Stopped, exit_status, say, system_error, with_notes
from eqparse.commands.run_display import metrics_line, metrics_table, progress_bars, run_progress
from eqparse.errors import ConfigError, EqparseError
from eqparse.experiments.config import EvaluateConfig, TrainConfig, check_words, checked, unknown_key
from eqparse.experiments.sweeps import failed_jobs, in_sweep, job_words
from eqparse.files import naming

FULL_ERROR = os.environ.get("HYDRA_FULL_ERROR", "0") not in ("", "0")
NOISE = ("full_key:", "object_type=", "reference_type=", "To append to your")  # of OmegaConf and Hydra
OF_SWEEPS = {  # installed by the extra `sweeps`
    "hydra/launcher/joblib", "hydra/launcher/submitit_local", "hydra/launcher/submitit_slurm", "hydra/sweeper/optuna",
}
LAUNCHING = ("hydra", "submitit")  # packages that start jobs; their errors come from what the user asked for
OF_USE = (ValueError, HydraException, OmegaConfBaseException)  # EqparseError is a ValueError, as is Hydra's of flags
REPORTED = (EqparseError, HydraException, OmegaConfBaseException, OSError)


def run_and_show(run: Callable[..., dict[str, Any]], config: DictConfig) -> dict[str, Any]:
    """Run and show the progress, print the table of results and the folder, and return the metrics.

    In a sweep each job prints one line, when it is done. An error is reported at once and then left to Hydra, so that
    other jobs go on.
    """
    try:
        options = checked(config)
        with telling_what_is_left(options):
            with progress_bars() if in_sweep() else run_progress() as show:
                metrics = run(options, progress=show)
            with naming("standard output"):
                print((metrics_line if in_sweep() else metrics_table)(metrics, options.folder), flush=True)
    except BrokenPipeError:
        sys.exit(READER_GONE)  # ends a sweep as well; Hydra would go on with the next job
    except Exception as error:
        if not in_sweep():
            sys.exit(report_error(error))  # exit here, since Hydra would add a line
        say(f"{job_words()}: failed: {one_line(error)}")
        if not isinstance(error, REPORTED):
            traceback.print_exception(error)
        raise
    return metrics


@contextmanager
def telling_what_is_left(options: TrainConfig | EvaluateConfig) -> Iterator[None]:
    """Let a signal that stops a run in the block say whether its results were written."""

    def written() -> list[tuple[int, int] | None]:
        places = (options.folder, options.checkpoint)
        return [None if place is None else stamp(Path(place) / "metrics.json") for place in places]

    before = written()
    try:
        yield
    except (KeyboardInterrupt, Stopped) as stop:
        now = written()
        stop.add_note("the results were written" if now[0] and now != before else "no results were written")
        raise


def stamp(file: Path) -> tuple[int, int] | None:
    """What a file has that no other one had in its place; None where there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def run_command(main: Callable[[], None]) -> NoReturn:
    """Run a Hydra command and exit. A user's mistake is reported in one line on standard error.

    The exit status is that of `eqparse` (see `commands.main`): 2 for an option, file or checkpoint that cannot be used,
    1 if the system refuses an operation, and if a job of a sweep failed. At the end of a sweep the failed jobs are
    listed. HYDRA_FULL_ERROR=1 shows tracebacks.
    """
    # argparse does not accept overrides on both sides of a flag
    sys.argv[1:] = sorted(sys.argv[1:], key=lambda word: word not in ("-m", "--multirun"))
    logging.raiseExceptions = FULL_ERROR  # else logging to a closed pipe prints a traceback for each line
    os.environ["HYDRA_FULL_ERROR"] = "1"  # else Hydra prints its own abridged traceback, over many lines

    def command() -> None:
        check_forms(sys.argv[1:])
        check_words(sys.argv[1:])
        main()

    early.ready()
    sys.exit(exit_status(command, refused=report_error))


def check_forms(words: Sequence[str]) -> None:
    """Raise ConfigError for a flag that Hydra does not have, whose usage would fill the screen, and for a bare word."""
    parser = get_args_parser()

    def error(message: str) -> NoReturn:
        raise ConfigError(f"{message}; options are KEY=VALUE, as in fold=3, and --hydra-help lists the flags")

    parser.error = error
    for word in parser.parse_args(words).overrides:
        if "=" not in word and not word.startswith("~"):
            raise ConfigError(f"{word}: expected KEY=VALUE, as in fold=3; found no =")


def report_error(error: BaseException) -> int:
    """Report an error and return the exit status; re-raise it if the user is not at fault or asked for tracebacks."""
    program = os.path.basename(sys.argv[0])
    failed = failed_jobs()
    for job in failed:
        say(f"failed: {job['job']}: {job['error']}")
    if failed:
        say(f"{program}: {len(failed)} of the sweep's jobs failed, see above")
    if isinstance(error, KeyboardInterrupt):
        say(f"{program}: {with_notes(error)}")
        return INTERRUPTED
    if not FULL_ERROR:
        early.end_if_memory_is_short(error)
    if FULL_ERROR or not (failed or isinstance(error, REPORTED) or raised_by_launching(error)):
        raise error
    if failed:
        return 1
    say(f"{program}: {one_line(error)}")
    return 2 if isinstance(error, OF_USE) else 1


def raised_by_launching(error: BaseException) -> bool:
    """Was it raised by Hydra or a launcher, for example over conflicting flags or because Slurm is not installed?"""
    *_, last = traceback.walk_tb(error.__traceback__)
    return last[0].f_globals.get("__name__", "").split(".")[0] in LAUNCHING


def one_line(error: BaseException) -> str:
    """An error's message on one line. Hydra's messages get their cause and advice, and lose internal details."""
    if isinstance(error, MissingConfigException) and error.missing_cfg_file in OF_SWEEPS:
        return f'{error.missing_cfg_file}: not installed; pip install -e ".[sweeps]"'
    if unknown := unknown_key(error):
        return unknown
    text = system_error(error) if isinstance(error, OSError) else str(error)
    text = text.split("Config search path:")[0]  # Hydra's error for a file that it misses is an OSError as well
    lines = [line for raw in text.splitlines() if (line := raw.strip()) and not line.startswith(NOISE)]
    if isinstance(error, HydraException) and error.__cause__ is not None:
        lines.append(one_line(error.__cause__))
    return "; ".join(dict.fromkeys(lines)).replace(":; ", ": ").replace(".; ", "; ") or type(error).__name__
