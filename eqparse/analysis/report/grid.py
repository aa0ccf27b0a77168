"""Groups runs: a row holds all folds and seeds of one experiment with one feature set on one set of sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import mean, stdev
from typing import Any

from eqparse.analysis.report.finished_runs import FRACTIONS, Run
from eqparse.analysis.report.verdicts import Verdicts, counts, sentence_verdicts
from eqparse.errors import DataError

FOLDS = tuple(range(5))


@dataclass(frozen=True)
class Block:
    """What runs in the same table share: the sentences, their split into folds, and the feature set.

    auxiliary: further sentences that all of them were trained on.
    tested: the folds that any of the runs is of; figures are of these.
    """

    name: str
    folds: str
    limit: int | None
    auxiliary: str | None
    features: str
    tested: tuple[int, ...] = FOLDS

    def __str__(self) -> str:
        limit = f", {self.limit} of the sentences" if self.limit is not None else ""
        auxiliary = f", trained on {self.auxiliary} too" if self.auxiliary is not None else ""
        several = "s" if len(self.tested) > 1 else ""
        alone = f" (fold{several} {', '.join(map(str, self.tested))} alone)" if self.tested != FOLDS else ""
        return f"{self.name}{limit}{auxiliary}, {self.folds} folds{alone}, features {self.features}"


@dataclass(frozen=True)
class Score:
    """A figure of a row, in percent: its mean and standard deviation over seeds.

    For each seed the right sentences of all folds are counted together, so each fold counts by its number of sentences.

    spread: over seeds; None if there is only one.
    fold_spread: over the folds of all seeds; None if there is only one.
    """

    mean: float
    spread: float | None
    fold_spread: float | None
    seeds: tuple[int, ...]
    sentences: int


@dataclass(frozen=True, eq=False)
class Row:
    """The runs of one experiment by (seed, fold).

    options: those that differ from other rows of the experiment. name: of the runs, where others differ in it alone,
        otherwise "". folds: those that the block has any run of.
    """

    experiment: str
    options: str
    name: str
    fraction: float | None
    runs: dict[tuple[int, int], Run]
    folds: tuple[int, ...]

    @property
    def variant(self) -> str:
        """What tells the row from others of the experiment; "" where nothing does."""
        return variant(self.options, self.name)

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds that have every fold of the block, no sentence in two of them; only these are reported on."""
        return tuple(s for s in sorted({s for s, _ in self.runs}) if s not in self.gaps and s not in self.repeated)

    @property
    def gaps(self) -> dict[int, list[int]]:
        """Seed -> the folds that it lacks, for seeds that have only some of them."""
        lacks = {s: [f for f in self.folds if (s, f) not in self.runs] for s in sorted({s for s, _ in self.runs})}
        return {seed: folds for seed, folds in lacks.items() if folds}

    @cached_property
    def repeated(self) -> dict[int, int]:
        """Seed -> how many sentences were tested in several folds, if any; such folds do not belong together."""
        times = {seed: Counter() for seed, _ in self.runs}
        for (seed, _), run in self.runs.items():
            times[seed].update(run.texts.keys())
        several = {seed: sum(count > 1 for count in times[seed].values()) for seed in sorted(times)}
        return {seed: count for seed, count in several.items() if count}

    def score(self, figure: str, seeds: Sequence[int] | None = None) -> Score | None:
        """The figure over these seeds, by default all complete ones; None without a seed, or if a run lacks it."""
        seeds = self.seeds if seeds is None else tuple(seeds)
        cells = {(s, f): counts(self.runs[s, f], figure) for s in seeds for f in self.folds}
        if not cells or None in cells.values():
            return None
        totals = [[sum(column) for column in zip(*(cells[s, f] for f in self.folds), strict=True)] for s in seeds]
        shares, in_folds = ([100 * right / all_ for right, all_ in pairs] for pairs in (totals, cells.values()))
        return Score(mean(shares), spread(shares), spread(in_folds), seeds, totals[0][1])

    def times_right(self, figure: str, seeds: Sequence[int]) -> dict[str, int] | None:
        """id -> for how many of these seeds the sentence was right; None if that is not known for all of them."""
        right: dict[str, int] = {}
        for seed in seeds:
            for fold in self.folds:
                verdicts = self.verdicts[seed, fold].get(figure)
                if verdicts is None:
                    return None
                for sentence, verdict in verdicts.items():
                    right[sentence] = right.get(sentence, 0) + verdict
        return right

    @cached_property
    def verdicts(self) -> dict[tuple[int, int], Verdicts]:
        """The verdicts of each run."""
        return {cell: sentence_verdicts(run) for cell, run in self.runs.items()}


def spread(shares: Sequence[float]) -> float | None:
    """The standard deviation of several figures; None of one."""
    return stdev(shares) if len(shares) > 1 else None


def grid(runs: Iterable[Run]) -> dict[Block, list[Row]]:
    """Runs by block and row, both sorted; runs of one name with different options get rows of their own.

    Raises DataError for two runs of one fold, seed and name, and for runs of one block that were tested on other
    sentences.
    """
    groups: dict[Block, dict[str, list[Run]]] = {}
    tested: dict[tuple, Run] = {}
    for run in runs:
        first = tested.setdefault((run.data[:3], run.seed, run.fold), run)
        if first.texts != run.texts:
            raise DataError(
                f"{run.folder}: expected the test sentences of {first.folder}, since both say data.name={run.data[0]}, "
                f"seed {run.seed} and fold {run.fold}; found others. Report on them apart, or name one data otherwise"
            )
        groups.setdefault(Block(*run.data, run.features), {}).setdefault(run.experiment, []).append(run)
    order = sorted(groups, key=lambda b: (b.name, b.folds, b.limit or 0, b.auxiliary or "", b.features))
    rows = {}
    for block in order:
        tested = tuple(sorted({run.fold for runs in groups[block].values() for run in runs}))
        rows[replace(block, tested=tested)] = [
            row for name in sorted(groups[block]) for row in experiment_rows(name, groups[block][name], tested)
        ]
    return rows


def experiment_rows(experiment: str, runs: Sequence[Run], folds: tuple[int, ...]) -> list[Row]:
    """The rows of one experiment, one for each setting of the options in which its runs differ; see `by_name`.

    folds: those of the block.
    """
    values: dict[str, set] = {}
    for run in runs:
        for name, value in run.options.items():
            values.setdefault(name, set()).add(value)
    # an option that only newer runs have is not a difference in itself
    differ = sorted(name for name, found in values.items() if len(found) > 1)
    settings: dict[tuple, list[Run]] = {}
    for run in runs:
        settings.setdefault(tuple((name, run.options.get(name)) for name in differ), []).append(run)
    rows = []
    for setting, alike in sorted(settings.items(), key=lambda item: str(item[0])):
        options = ", ".join(f"{k}={shown(v)}" for k, v in setting if k not in FRACTIONS)
        for name, cells in sorted(by_name(experiment, alike).items()):
            rows.append(Row(experiment, options, name, fraction(cells), cells, folds))
    return rows


def variant(options: str, name: str) -> str:
    """The label of a row or curve among others of one experiment."""
    return ", ".join(filter(None, [options, f"name={name}" if name else ""]))


def by_name(experiment: str, runs: Sequence[Run]) -> dict[str, dict[tuple[int, int], Run]]:
    """Name -> runs by (seed, fold), of runs with the same options.

    All are under "", whatever their names, unless two are of one seed and fold. Raises DataError where two of these
    have one name as well.
    """
    rows: dict[str, dict[tuple[int, int], Run]] = {}
    apart = len({(run.seed, run.fold) for run in runs}) < len(runs)
    for run in runs:
        cells = rows.setdefault(run.name if apart else "", {})
        if (other := cells.setdefault((run.seed, run.fold), run)) is not run:
            raise DataError(
                f"{run.folder}: expected one run of {experiment}, seed {run.seed}, fold {run.fold} with these options "
                f"and this name; {other.folder} is another. Keep one of the two elsewhere, or name the folders to "
                "report on"
            )
    return rows


def fraction(runs: dict[tuple[int, int], Run]) -> float | None:
    """The fraction of the training sentences that the runs used; None if the options do not say."""
    options = next(iter(runs.values())).options
    return next((options[name] for name in FRACTIONS if options.get(name) is not None), None)


def shown(value: Any) -> str:
    """An option's value for people."""
    return "[" + ",".join(value) + "]" if isinstance(value, tuple) else str(value)
