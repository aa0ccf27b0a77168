"""Requests that cannot be answered: each gets a status and one line of JSON, and harms no other."""

from __future__ import annotations

import gzip
import json
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi.testclient import TestClient
from hostile_requests import GOOD, HOSTILE, JSON, LIMITS
from service import service

from eqparse.integrations.service.schema import TEXT


def refusal(answer):
    """Its status and its reason; it holds nothing else."""
    [line] = answer.text.splitlines()
    [(key, reason)] = json.loads(line).items()
    assert key == "detail" and len(reason) < 400
    return answer.status_code, reason


@pytest.fixture(autouse=True)
def usual_depth():
    """As deep a stack as a process of its own has: mypy, which other tests run, allows itself a deeper one."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.parametrize("body", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_body_gets_a_status_and_a_line(body):
    _, app = service(**LIMITS)
    with TestClient(app) as client:
        status, reason = refusal(client.post("/parse", content=body, headers=JSON))
    assert (status, HOSTILE[body][1] in reason) == (HOSTILE[body][0], True), reason


def test_hostile_headers_paths_and_methods_get_a_status_and_a_line():
    _, app = service(**LIMITS)
    bomb = gzip.compress(b"0" * 1_000_000)
    with TestClient(app) as client:
        for path in "/parse", "/parse/batch":
            zipped = client.post(path, content=bomb, headers={**JSON, "Content-Encoding": "gzip"})
            assert refusal(zipped) == (415, "expected a body without Content-Encoding; compressed ones are not read")
            form = client.post(path, files={"file": GOOD})
            assert refusal(form)[0] == 415 and "found a form" in refusal(form)[1]
            for charset in "latin-1", '"UTF-16"', "", "\xe9":
                said = {"Content-Type": f"application/json; charset={charset}".encode("latin-1")}
                status, reason = refusal(client.post(path, content=GOOD, headers=said))
                assert status == 415 and "expected charset=utf-8 or none, found" in reason
            for charset in "utf-8", '"UTF-8"', "utf8":
                said = {"Content-Type": f"application/json; charset={charset}"}
                assert client.post(path, content=GOOD, headers=said).status_code == 200
        assert refusal(client.post("/parse", content=GOOD, headers={"Content-Type": "text/plain"}))[0] == 415
        assert refusal(client.post("/parse", content=GOOD))[0] == 415
        assert refusal(client.post("/parse", content=iter([b"x" * 15_000] * 2), headers=JSON))[0] == 413
        assert refusal(client.post("/parse", content=b"", headers={**JSON, "Content-Length": "9" * 30}))[0] == 413
        assert refusal(client.get("/parse")) == (405, "expected POST here, found GET")
        assert refusal(client.get("/%00"))[0] == refusal(client.get("/../../etc/passwd"))[0] == 404
        for query in (
            "alternatives=x", "alternatives=9", "min_confidence=nan", "explain=perhaps", "alternatives=1_0",
            "alternatives=%201", "alternatives=%2B1", "alternatives=%D9%A1", "alternatives=1.0", "alternatives=",
            "alternatives=" + "9" * 5000, "min_confidence=0_0", "min_confidence=0,5", "min_confidence=80%25",
            "min_confidence=%200.5", "explain", "explain=%201",
        ):
            status, reason = refusal(client.post(f"/parse/batch?{query}", content=b""))
            expected = "" if "999" in query else "expected "
            assert status == 422 and reason.startswith(f"{query.split('=')[0]}: {expected}")
        for path, known in ("/parse", "nothing"), ("/parse/batch", "alternatives, min_confidence, explain"):
            status, reason = refusal(client.post(f"{path}?explian=1", content=GOOD, headers=JSON))
            assert (status, reason) == (422, f"the query: expected {known}, found 'explian'")
        status, reason = refusal(client.post("/parse/batch?alternatives=1&alternatives=2", content=b""))
        assert (status, reason) == (422, "alternatives: expected once in the query, found 2 times")


def test_what_is_no_character_is_a_reason_and_not_an_error():
    _, app = service()
    with TestClient(app) as client:
        answer = client.post("/parse", content=b'{"text":"\\ud800"}', headers=JSON)
    assert answer.status_code == 200 and answer.json()["text"] == "\ud800" and answer.text.isascii()


def test_a_bug_costs_only_the_text_at_fault(caplog):
    parser, app = service(wait_ms=200)
    with TestClient(app) as client, ThreadPoolExecutor(2) as threads:
        bad, good = threads.map(lambda text: client.post("/parse", json={"text": text}), ["bug", TEXT])
        line, other = client.post("/parse/batch", content=b'{"text":"bug"}\n' + GOOD).text.splitlines()
    assert refusal(bad) == (500, "answering this request failed (RuntimeError); this is a bug in eqparse")
    assert good.json()["equation"] and json.loads(other)["equation"] and "a bug in eqparse" in line
    assert "holds a bug" not in caplog.text
