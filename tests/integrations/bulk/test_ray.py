"""Datasets of a local Ray."""

from __future__ import annotations

import os
import sys

import pytest
from bulk_parsers import Canned
from tiny import ROOT

import eqparse
from eqparse.errors import CheckpointError, ConfigError, DataError
from eqparse.integrations.bulk import parse_file
from eqparse.integrations.fields import COLUMNS

ROWS = [{"row": n, "said": None if n % 10 == 7 else f"{n} birches"} for n in range(60)]


@pytest.fixture(scope="module")
def ray():
    ray = pytest.importorskip("ray")
    pytest.importorskip("ray.data")
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests" / "helpers")])
    ray.init(
        num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=80_000_000,
        runtime_env={"env_vars": {"PYTHONPATH": paths}},
    )
    ray.data.DataContext.get_current().enable_progress_bars = False
    ray.data.DataContext.get_current().execution_options.preserve_order = True
    yield ray
    ray.shutdown()


@pytest.mark.slow
def test_two_workers_give_what_a_file_does(ray, tmp_path):
    import pyarrow
    from pyarrow import parquet

    dataset = ray.data.from_items(ROWS, override_num_blocks=4)
    options = {"text_column": "said", "batch_size": 16, "num_cpus": 0.5}
    parsed = eqparse.bulk.parse_dataset(dataset, workers=2, load=Canned, **options)
    table = pyarrow.concat_tables(ray.get(parsed.to_arrow_refs()))
    parquet.write_table(pyarrow.Table.from_pylist(ROWS), tmp_path / "a.parquet")
    parse_file(tmp_path / "a.parquet", tmp_path / "out", text_column="said", load=Canned)
    expected = parquet.read_table(tmp_path / "out")
    assert table.column_names == ["row", "said", *COLUMNS] == expected.column_names
    assert table.to_pylist() == expected.to_pylist() and table.schema.types == expected.schema.types


@pytest.mark.slow
def test_what_cannot_be_parsed_is_refused_at_once(ray):
    dataset = ray.data.from_items(ROWS)
    with pytest.raises(DataError, match="the dataset: expected a column 'text', found 'row', 'said'"):
        eqparse.bulk.parse_dataset(dataset)
    with pytest.raises(DataError, match="expected strings in the column 'row', found int64"):
        eqparse.bulk.parse_dataset(dataset, text_column="row")
    with pytest.raises(CheckpointError, match="nothing there"):
        eqparse.bulk.parse_dataset(dataset, text_column="said", checkpoint="nowhere")


def test_ray_that_is_not_installed_is_named_with_its_extra(monkeypatch):
    for name in ("ray", "ray.data"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ConfigError, match=r"parse_dataset: expected the package ray.*\(pip install -e '\.\[ray\]'\)"):
        eqparse.bulk.parse_dataset(None)
