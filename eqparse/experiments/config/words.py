"""The words of a command line, KEY=VALUE: what Hydra would act on or complain about before any option is checked."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.errors import HydraException

from eqparse.errors import ConfigError
from eqparse.experiments.config.checks import check_path

RENAMED = {
    "score": "optimized_metric=METRIC",
    "data.extra": "data.auxiliary=PATH",
    "solver.planes": "solver.working_set=NUMBER",
    "features": "preset=paper or preset=full",
    "experiment=full": "experiment=pipeline",
}
"""Options of earlier versions -> what to give instead."""
FOLDERS_OF_HYDRA = ("hydra.run", "hydra.sweep", "hydra.output_subdir", "hydra.job.chdir")
"""Hydra's options for where a job works and writes."""


def check_words(words: Sequence[str]) -> None:
    """Raise ConfigError for words that cannot mean what the user wants.

    Those are an option of an earlier version, which gets the name of the new one; an empty `outputs`, where a sweep
    would write to the current folder; Hydra's own options for folders, where it would make one that stays empty; and a
    value that Hydra cannot read without quotes.
    """
    sweep = any(word == "-m" or (len(word) > 3 and "--multirun".startswith(word)) for word in words)
    for word in words:
        name, _, given = word.lstrip("+~").partition("=")
        for old in (name, *(f"{name}={value}" for value in given.split(","))):
            if old in RENAMED:
                raise ConfigError(f"{old}: an option of an earlier version; give {RENAMED[old]}")
        if any(name == option or name.startswith(f"{option}.") for option in FOLDERS_OF_HYDRA):
            raise ConfigError(
                f"{name}: expected our own options for folders, found one of Hydra's, which has no effect on a run; "
                "give outputs=FOLDER for the folder of all runs, or run=PATH for this one's within it"
            )
        if name == "outputs":
            check_path(name, given.strip("'\""))
        if "=" in word and not word.startswith("-"):
            check_value(word, sweep=sweep)


def check_value(word: str, *, sweep: bool) -> None:
    """Raise ConfigError for KEY=VALUE that Hydra cannot read, or reads as several values where it is no sweep."""
    name, _, given = word.partition("=")
    override = read_word(word)
    if override is not None and (sweep or not override.is_sweep_override()):
        return
    if override is not None:
        problem = f"{name}: expected one value, found several, {given}; add -m for a run with each of them"
    else:
        problem = (
            f"{name}: the value {given} wants quotes, as do all with = ( [ {{ ~ # & !, a comma, a quote or a letter "
            "beyond ASCII, which Hydra reads as more than text"
        )
    quoted = in_quotes(name, given)
    if quoted is None:
        raise ConfigError(f"{word}: expected KEY=VALUE, with the name of an option as KEY; found another form")
    raise ConfigError(f"{problem}; for this very text, type {shlex.quote(quoted)} in the shell")


def read_word(word: str) -> Override | None:
    """What Hydra reads in KEY=VALUE, None where it cannot."""
    try:
        return OverridesParser.create().parse_override(word)
    except HydraException:
        return None


def in_quotes(name: str, value: str) -> str | None:
    """KEY="VALUE", which Hydra reads as this very text; None where there is no such word."""
    for quote in ('"', "'"):
        word = f"{name}={quote}{value.replace(quote, chr(92) + quote)}{quote}"
        override = read_word(word)
        if override is not None and override.value() == value:
            return word
    return None
