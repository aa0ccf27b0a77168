"""`parse_dataset`: the rows of a Ray dataset with their parses, by as many machines as a cluster has."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from eqparse.integrations.bulk.workers import load_parser
from eqparse.integrations.extras import need
from eqparse.systems.folder import DEFAULT, check_folder, find_checkpoint

if TYPE_CHECKING:
    import pyarrow
    import ray.data

RAY_BATCH = 1024


class ParseTables:
    """What a worker of Ray does: it loads a parser once, and adds the columns of parses to tables of Arrow."""

    def __init__(self, load: Callable[[], Any], text_column: str, alternatives: int) -> None:
        self.parser, self.text_column, self.alternatives = load(), text_column, alternatives

    def __call__(self, table: pyarrow.Table) -> pyarrow.Table:
        from eqparse.integrations.bulk.parquet import check_texts, texts_of
        from eqparse.integrations.bulk.tables import with_parses

        check_texts(table.schema, self.text_column, where="the dataset")
        texts = texts_of(table, self.text_column)
        return with_parses(table, self.parser.stream(texts, alternatives=self.alternatives))


def parse_dataset(
    dataset: ray.data.Dataset, *, text_column: str = "text", checkpoint: str = DEFAULT, device: str = "cpu",
    precision: str = "auto", alternatives: int = 0, min_confidence: float | None = None,
    prevalence: float | None = None, workers: int = 1, batch_size: int = RAY_BATCH,
    load: Callable[[], Any] | None = None, **resources: Any,
) -> ray.data.Dataset:
    """A dataset with the parses of a column's texts in the columns of `fields.COLUMNS`, as `parse_file` writes them.

    Nothing is parsed before the dataset is used. A checkpoint of yours is a path that each machine has.

    dataset: of Ray. workers: how many processes parse, each with a model of its own. batch_size: rows that a worker
    takes at a time. resources: of a worker, as for `Dataset.map_batches`: `num_cpus=1`, `num_gpus=1` with
    device="cuda". The others are those of `parse_file`.

    Raises ConfigError if Ray is not installed, CheckpointError for a checkpoint that is not there, DataError if the
    dataset lacks the column or it holds no strings; later, in the workers, what `eqparse.load` does.
    """
    data = need("ray.data", extra="ray", what="parse_dataset")
    from eqparse.integrations.bulk.parquet import check_texts

    folder = find_checkpoint(checkpoint)
    check_folder(folder)
    schema = dataset.schema()
    if schema is not None:
        import pyarrow

        if isinstance(schema.base_schema, pyarrow.Schema):  # else it is looked at in the workers
            check_texts(schema.base_schema, text_column, where="the dataset")
    if load is None:  # a shipped model by its name: another machine may have it elsewhere
        load = partial(
            load_parser, checkpoint, device=device, precision=precision, min_confidence=min_confidence,
            prevalence=prevalence,
        )
    return dataset.map_batches(
        ParseTables, fn_constructor_args=(load, text_column, alternatives), batch_format="pyarrow",
        batch_size=batch_size, compute=data.ActorPoolStrategy(size=workers), **resources,
    )
