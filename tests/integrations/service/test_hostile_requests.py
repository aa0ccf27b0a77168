"""Requests that cannot be answered: each gets a status and one line of JSON, and harms no other."""

from __future__ import annotations

import gzip
import json
import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi.testclient import TestClient
from service import service

from eqparse.integrations.service.schema import TEXT

JSON = {"Content-Type": "application/json"}
LIMITS = {"max_characters": 100, "max_texts": 4, "max_body": 20_000, "max_alternatives": 3}
GOOD = json.dumps({"text": TEXT}).encode()
HOSTILE = {
    b"": (422, "the body: Field required"),
    b"{": (422, "expected a body of JSON, found Expecting property name"),
    b'"a"': (422, "the body: Input should be a valid dictionary"),
    b"[" * 10_000: (422, "nested too deeply"),
    b'{"text":' + b'{"a":' * 2_000: (422, "nested too deeply"),
    b'{"texts":[' + b"[" * 500 + b"]" * 500 + b"]}": (422, "texts[0]: Input should be a valid string"),
    b"\xff\xfe\x00": (422, "expected a body of JSON"),
    b"\xe9": (422, "expected a body of JSON"),
    b"{}": (422, 'expected one of "text" and "texts"'),
    b'{"text":"a","texts":["b"]}': (422, 'expected one of "text" and "texts"'),
    b'{"text":4}': (422, "text: Input should be a valid string"),
    b'{"texts":["a",null]}': (422, "texts[1]: Input should be a valid string"),
    b'{"text":"a","x":1}': (422, "'x': Extra inputs"),
    b'{"text":"a","' + b"k" * 999 + b'":1}': (422, "...k"),
    b'{"text":"a","\\ud800":1}': (422, "unicode"),
    b'{"text":"a","min_confidence":NaN}': (422, "min_confidence: Input should be a finite number"),
    b'{"text":"a","min_confidence":1e999}': (422, "min_confidence: Input should be a finite number"),
    b'{"text":"a","min_confidence":"0.5"}': (422, "min_confidence: Input should be a valid number"),
    b'{"text":"a","alternatives":' + b"9" * 5000 + b"}": (422, "Exceeds the limit"),
    b'{"text":"a","alternatives":-1}': (422, "alternatives: "),
    b'{"text":"a","alternatives":4}': (422, "alternatives: expected at most 3, found 4"),
    b'{"text":"a","explain":1}': (422, "explain: Input should be a valid boolean"),
    b'{"text":"%s"}' % (b"a" * 101): (413, "text: expected at most 100 characters, found 101"),
    b'{"texts":["a","%s"]}' % (b"a" * 101): (413, "texts[1]: expected at most 100 characters"),
    b'{"texts":["a","a","a","a","a"]}': (413, "texts: expected at most 4, found 5"),
    b"x" * 20_001: (413, "expected a body of at most 20000 bytes, found more"),
}


def refusal(answer):
    """Its status and its reason; it holds nothing else."""
    [line] = answer.text.splitlines()
    [(key, reason)] = json.loads(line).items()
    assert key == "detail" and len(reason) < 400
    return answer.status_code, reason


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
        assert refusal(client.post("/parse", content=GOOD, headers={"Content-Type": "text/plain"}))[0] == 415
        assert refusal(client.post("/parse", content=GOOD))[0] == 415
        assert refusal(client.post("/parse", content=iter([b"x" * 15_000] * 2), headers=JSON))[0] == 413
        assert refusal(client.post("/parse", content=b"", headers={**JSON, "Content-Length": "9" * 30}))[0] == 413
        assert refusal(client.get("/parse"))[0] == 405
        assert refusal(client.get("/%00"))[0] == refusal(client.get("/../../etc/passwd"))[0] == 404
        for query in "alternatives=x", "alternatives=9", "min_confidence=nan", "explain=perhaps":
            status, reason = refusal(client.post(f"/parse/batch?{query}", content=b""))
            assert status == 422 and reason.startswith(query.split("=")[0])


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


def test_an_hour_of_good_and_hostile_requests_in_small():
    """Eight clients at once; every good request has its answer, and nothing is left behind."""
    parser, app = service(**LIMITS, queue=16, timeout=10)
    deck = [*HOSTILE, *[GOOD] * 60, json.dumps({"texts": [TEXT, "x"]}).encode()] * 4
    random.Random(0).shuffle(deck)
    with TestClient(app) as client, ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda body: client.post("/parse", content=body, headers=JSON), deck))
        assert client.get("/health").json() == {"status": "ok", "waiting": 0}
    for body, answer in zip(deck, answers, strict=True):
        if body in HOSTILE:
            assert refusal(answer)[0] == HOSTILE[body][0]
        elif answer.status_code == 429:
            assert answer.headers["retry-after"] == "1"
        else:
            found = answer.json()
            assert found.get("parses", [found])[0]["equation"] == "V1 = 30 + (2 * V2)"
    assert sum(answer.status_code == 200 for answer in answers) > 200
    assert any(len(batch) > 1 for batch in parser.batches)
