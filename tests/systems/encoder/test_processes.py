"""A loaded parser with an encoder in forked children and spawned workers."""

from __future__ import annotations

import os

import pytest
from checkpoints import save
from programs import run
from tiny_encoder import random_encoder_parser

pytestmark = [pytest.mark.pipeline, pytest.mark.slow]


@pytest.fixture(scope="module")
def checkpoint(tiny_base, tmp_path_factory):
    return save(tmp_path_factory.mktemp("encoder") / "model", random_encoder_parser(tiny_base))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("before", ["pass", "parser.parse_batch(TEXTS)"], ids=["loaded", "parsed"])
def test_forked_workers_parse(tmp_path, checkpoint, before):
    run(tmp_path, f"""
        parser = kept = eqparse.load({str(checkpoint)!r})
        {before}
        with multiprocessing.get_context("fork").Pool(2) as pool:
            found = pool.map_async(parse, TEXTS).get(60)
        assert found == parser.parse_batch(TEXTS) and any(one.score for one in found)
    """)


def test_spawned_workers_parse(tmp_path, checkpoint):
    run(tmp_path, f"""
        parser = eqparse.load({str(checkpoint)!r})
        with multiprocessing.get_context("spawn").Pool(2, initializer=start, initargs=(parser,)) as pool:
            assert pool.map(parse, TEXTS) == parser.parse_batch(TEXTS)
    """)
