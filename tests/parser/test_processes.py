"""A loaded parser in forked children, in spawned workers, in threads, pickled and copied."""

from __future__ import annotations

import os

import pytest
from programs import run

pytestmark = [pytest.mark.pipeline, pytest.mark.slow]

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")


@needs_fork
@pytest.mark.parametrize("before", ["pass", "parser.parse_batch(TEXTS)"], ids=["loaded", "parsed"])
def test_forked_workers_parse(tmp_path, before):
    run(tmp_path, f"""
        parser = kept = eqparse.load()
        {before}
        fork = multiprocessing.get_context("fork")
        with fork.Pool(2) as pool:
            assert equations(pool.map_async(parse, TEXTS).get(60)) == RIGHT
        with ProcessPoolExecutor(2, mp_context=fork) as pool:
            assert equations(pool.map(parse, TEXTS, timeout=60)) == RIGHT
        assert torch.get_num_threads() == 4
        assert equations(parser.parse_batch(TEXTS)) == RIGHT
    """)


@needs_fork
def test_a_server_that_forks_its_workers_before_it_serves(tmp_path):
    run(tmp_path, """
        parser = eqparse.load()
        parser.parse_batch(TEXTS)
        workers = []
        for _ in range(3):
            if (child := os.fork()) == 0:
                with ThreadPoolExecutor(2) as threads:
                    good = equations(threads.map(parser, TEXTS)) == RIGHT
                parser = eqparse.load()  # and one that loads its own
                os._exit(0 if good and equations(parser.parse_batch(TEXTS)) == RIGHT else 1)
            workers.append(child)
        assert [os.waitpid(child, 0)[1] for child in workers] == [0, 0, 0]
    """)


@needs_fork
def test_a_fork_while_another_thread_parses(tmp_path):
    run(tmp_path, """
        parser = eqparse.load()
        done = threading.Event()
        counts = []

        def keep_parsing():
            while not done.is_set():
                counts.append(equations(parser.parse_batch(TEXTS)) == RIGHT)

        thread = threading.Thread(target=keep_parsing)
        thread.start()
        for _ in range(10):
            if (child := os.fork()) == 0:
                words = len(parser.annotator.nlp.vocab.strings)
                good = equations(parser.parse_batch([text.replace("feet", f"zq{n}") for n, text in enumerate(TEXTS)]))
                os._exit(0 if len(good) == 6 and len(parser.annotator.nlp.vocab.strings) == words else 1)
            assert os.waitpid(child, 0)[1] == 0
        done.set()
        thread.join()
        assert counts and all(counts)
    """)


def test_spawned_workers_parse(tmp_path):
    run(tmp_path, """
        parser = eqparse.load()
        spawn = multiprocessing.get_context("spawn")
        with spawn.Pool(2, initializer=start, initargs=(parser,)) as pool:
            assert equations(pool.map(parse, TEXTS)) == RIGHT
        with ProcessPoolExecutor(1, mp_context=spawn) as pool:  # the parser with each text
            parses = list(pool.map(parser, TEXTS))
        assert parses == parser.parse_batch(TEXTS) and equations(parses) == RIGHT
    """)


def test_threads_share_a_parser(tmp_path):
    run(tmp_path, """
        parser = eqparse.load()
        with ThreadPoolExecutor(8) as pool:
            for parses in pool.map(parser.parse_batch, [TEXTS] * 40):
                assert equations(parses) == RIGHT
    """)


def test_a_parser_is_pickled_and_copied_without_its_pipeline(tmp_path):
    run(tmp_path, """
        parser = eqparse.load("fast")
        parses = parser.parse_batch(TEXTS)
        data = pickle.dumps(parser)
        weights = sum(w.nbytes for w in parser.equation_parser.parameters())
        assert weights < len(data) < weights + 200_000
        for other in (pickle.loads(data), copy.deepcopy(parser), copy.copy(parser)):
            assert other.parse_batch(TEXTS) == parses and equations(parses) == RIGHT
            assert other.annotator.version == parser.annotator.version
        assert pickle.loads(data).annotator.nlp is pickle.loads(data).annotator.nlp
        assert pickle.loads(pickle.dumps(parses)) == copy.deepcopy(parses) == parses
    """)
