"""`parse_file`: the rows of a file with their parses, as a folder of shards."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import partial
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from eqparse.errors import ConfigError, DataError
from eqparse.integrations.bulk.columns import Columns
from eqparse.integrations.bulk.identity import input_identity, model_identity, versions
from eqparse.integrations.bulk.manifest import Manifest, locked
from eqparse.integrations.bulk.reading import Source, open_source
from eqparse.integrations.bulk.shard import Shard
from eqparse.integrations.bulk.workers import Task, load_parser, make_all
from eqparse.integrations.extras import need
from eqparse.integrations.input_file import input_format
from eqparse.parser.calibration import checked_prevalence
from eqparse.scoring.devices import check_device_name
from eqparse.systems.folder import DEFAULT, check_folder, find_checkpoint

BATCH_SIZE, SHARD_ROWS = 128, 5000
MOST = 2**31 - 1
OUTPUT_FORMATS = {"parquet": "parquet", "jsonl": "jsonl", "csv": "csv", "tsv": "csv", "text": "jsonl"}
"""The format of an input -> what its shards are by default."""


class Progress(NamedTuple):
    """How far a run has come. done: rows, of which `before` were done by earlier runs. total: the number of all rows,
    estimated until they are read. seconds: since this run began."""

    done: int
    before: int
    total: int
    seconds: float

    @property
    def rate(self) -> float:
        """Rows a second."""
        return (self.done - self.before) / max(self.seconds, 1e-9)

    @property
    def left(self) -> float | None:
        """Seconds until it is done; None if nothing has been done yet."""
        return (self.total - self.done) / self.rate if self.rate else None


def parse_file(
    input: str | Path, output: str | Path, *, text_column: str = "text", input_format: str | None = None,
    output_format: str | None = None, checkpoint: str | Path = DEFAULT, device: str = "cpu", precision: str = "auto",
    alternatives: int = 0, min_confidence: float | None = None, prevalence: float | None = None,
    batch_size: int = BATCH_SIZE, shard_rows: int = SHARD_ROWS, workers: int = 1,
    progress: Callable[[Progress], None] | None = None, load: Callable[[], Any] | None = None,
) -> Counter[str]:
    """Parse the texts in a column of a file -> how many rows have each reason's code, "" for those with an equation.

    All columns of the input and those of `fields.COLUMNS` are written to the folder `output`, in the order of the
    input, `shard_rows` rows to a file. Each file is written whole or not at all, and `_manifest.json` says which are
    done. If the run is interrupted, the same call goes on, and ends with the same bytes. A row that cannot be read is a
    row with a reason. Processes are started by `spawn`: a script calls this below `if __name__ == "__main__":`.

    input_format: "parquet", "csv", "tsv", "jsonl" or "text", by default what the suffix says. output_format: "parquet",
        "jsonl" or "csv", by default the input's. text_column: of the texts.
    checkpoint, device, precision, min_confidence, prevalence: as for `eqparse.load`.
    alternatives: how many relations to name of each text, at most; as in `Parser.stream`.
    batch_size: how many texts a worker parses at once. workers: how many processes parse.
    progress: called when a shard is done. load: gives a worker its parser in place of `eqparse.load`; can be pickled.

    Raises:
        ConfigError: an option or what it needs is missing or wrong; another run writes to the folder, or it holds
            something else, or shards of another input, of other options, of another model or of other versions.
        CheckpointError: as `eqparse.load` does.
        DataError: a damaged input, one without that column, or one that was changed meanwhile; shards that were removed
            meanwhile; a shard at which workers are killed again and again.
        OSError: the system refuses, as when the disk is full.
    """
    source_path, folder = str(input), Path(output)
    need("pyarrow", extra="bulk", what=f"--output {folder}")
    form = form_of(source_path, input_format)
    to = output_format or OUTPUT_FORMATS.get(form, "jsonl")
    check_counts(workers=workers, shard_rows=shard_rows, batch_size=batch_size)
    if to not in OUTPUT_FORMATS.values():
        raise ConfigError(f"--output-format: expected parquet, jsonl or csv for a folder, found {to}")
    if form == "text" and text_column != "text":
        raise ConfigError(f"--text-column {text_column}: expected a table or JSON to read, found plain text")
    check_device_name(device)
    if prevalence is not None:
        prevalence = checked_prevalence(prevalence)
    model = find_checkpoint(checkpoint)
    check_folder(model)
    source = open_source(source_path, form=form, text_column=text_column, shard_rows=shard_rows)
    with locked(folder):
        stamp = stamp_of(source_path)
        origin = {
            "input": input_identity(source_path),
            "options": {
                "text_column": text_column, "input_format": form, "output_format": to, "shard_rows": shard_rows,
                "device": device, "precision": precision, "alternatives": alternatives,
                "min_confidence": min_confidence, "prevalence": prevalence,
            },
            "model": model_identity(model),
            "versions": versions(),
        }
        manifest = Manifest(folder, suffix=to, origin=origin)
        manifest.take_over()
        if manifest.complete:
            return manifest.reasons
        manifest.write()
        load = load or partial(
            load_parser, model, device=device, precision=precision, min_confidence=min_confidence,
            prevalence=prevalence,
        )
        how = {"batch_size": batch_size, "alternatives": alternatives}

        def check() -> None:
            if stamp_of(source_path) != stamp:
                raise DataError(f"{source_path}: expected a file that stays as it is, found it changed while it was "
                                "read; parse it again into another folder")

        run(source, manifest, how, workers=workers, load=load, check=check, progress=progress)
        manifest.check_shards()
        manifest.complete = True
        manifest.write()
    return manifest.reasons


def run(
    source: Source, manifest: Manifest, how: Mapping[str, int], *, workers: int, load: Callable[[], Any],
    check: Callable[[], None], progress: Callable[[Progress], None] | None,
) -> None:
    """Make the shards of a source that the manifest lacks. how: what `Parser.stream` is told. check: raises DataError
    if the source is no longer what it was, so that no shard counts that was read from another one.
    """
    begun, before = monotonic(), sum(shard["rows"] for shard in manifest.shards.values())
    done, read, shards, told = before, 0, 0, set[str]()

    def tasks() -> Iterator[Task]:
        nonlocal read, shards
        first = next(source.shards)
        columns = columns_for(source, first, manifest.suffix)
        for shard in chain([first], source.shards):
            read, shards = read + len(shard.texts), shards + 1
            if shard.number not in manifest.shards:
                yield Task(shard, manifest.shard_path(shard.number), manifest.suffix, columns, how)

    with closing(make_all(tasks(), workers=workers, load=load)) as all_made:
        for made in all_made:
            check()
            manifest.add(made)
            done += made.rows
            for message in set(made.warnings) - told:
                warnings.warn(message, stacklevel=3)
                told.add(message)
            if progress is not None:
                progress(Progress(done, before, round(read / source.share()), monotonic() - begun))
    check()
    if len(manifest.shards) != shards:
        raise RuntimeError(f"{manifest.folder}: expected {shards} shards, found {len(manifest.shards)}")


def columns_for(source: Source, first: Shard, to: str) -> Columns | None:
    """The columns that records need as a table, by the first shard where the rows of JSON say them."""
    if not isinstance(first.beside, list) or to == "jsonl":
        return None
    return Columns.of_records(first.beside) if source.columns is None else Columns.of_table(source.columns)


def form_of(path: str, form: str | None) -> str:
    """The format of an input, by default by its suffix. Raises ConfigError for a pipe and the like, read only once."""
    if path == "-" or (Path(path).exists() and not Path(path).is_file()):
        found = "standard input" if path == "-" else path
        raise ConfigError(f"--input: expected a file, which can be read again to go on; found {found}")
    return form or input_format(path)


def check_counts(**options: int) -> None:
    """Raise ConfigError for a number that is none of at least 1, or more than the system can count."""
    for name, value in options.items():
        if type(value) is not int or not 1 <= value <= MOST:
            raise ConfigError(f"{name}: expected an integer from 1 to {MOST}, found {value!r}")


def stamp_of(path: str) -> tuple[int, int]:
    """What changes when a file is written to."""
    found = Path(path).stat()
    return found.st_size, found.st_mtime_ns
