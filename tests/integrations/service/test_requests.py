"""Requests that are as they should be, and their answers."""

from __future__ import annotations

import json
import logging

import pytest
from fastapi.testclient import TestClient
from service import service
from tiny import trained

from eqparse import __version__
from eqparse.errors import ConfigError
from eqparse.integrations.service import schema
from eqparse.integrations.service.app import create_app
from eqparse.integrations.service.options import ServiceOptions
from eqparse.integrations.service.schema import TEXT


def post(client, path="/parse", **body):
    return client.post(path, json=body)


def test_a_text_and_a_list_of_texts_are_answered_in_one_shape():
    parser, app = service()
    with TestClient(app) as client:
        one = post(client, text=TEXT, alternatives=2).json()
        several = post(client, texts=["Nobody came.", TEXT], alternatives=2).json()["parses"]
    assert several[1] == one and [a["reason_code"] for a in several] == ["no_number", ""]
    assert one["equation"] == "V1 = 30 + (2 * V2)" and one["phrases"]["V2"] == ["the height of the chapel"]
    assert (one["latex"], one["sympy"]) == ("V_{1} = 30 + 2 V_{2}", "Eq(V1, 2*V2 + 30)")
    assert one["canonical"] == "V1 = (2 * V2) + 30" and one["score"] is None  # it was NaN
    assert [a["probability"] for a in one["alternatives"]] == [0.75, 0.2]
    assert one["alternatives"][1]["latex"] == "V_{1} = 30 + V_{2}"
    assert several[0]["latex"] is several[0]["canonical"] is None and "explanation" not in one
    for answer in several:
        schema.Answer.model_validate(answer)


def test_a_request_decides_on_alternatives_and_confidence_or_else_the_service():
    _, app = service(min_confidence=0.8, alternatives=1)
    with TestClient(app) as client:
        withheld = post(client, text=TEXT).json()
        given = post(client, text=TEXT, min_confidence=0.5, alternatives=0).json()
    assert withheld["reason_code"] == "low_confidence" and len(withheld["alternatives"]) == 1
    assert given["equation"] and given["alternatives"] == []


def test_lines_come_back_with_their_ids_and_fields():
    _, app = service()
    lines = [json.dumps({"id": "a", "text": TEXT, "latex": 3}), "nope", '{"text": 4}', '{"id": 7, "text": "x"}']
    with TestClient(app) as client:
        done = client.post("/parse/batch?alternatives=1", content="\ufeff" + "\r\n".join(lines))
    found = [json.loads(line) for line in done.text.splitlines()]
    assert done.headers["content-type"] == "application/x-ndjson"
    assert [one["id"] for one in found] == ["a", "2", "3", 7] and found[0]["input_latex"] == 3
    assert [one["reason_code"] for one in found] == ["", "not_json", "not_text", "no_number"]
    assert len(found[0]["alternatives"]) == 1


def test_health_version_and_description():
    _, app = service()
    with TestClient(app) as client:
        assert client.get("/health").json() == {"status": "ok", "waiting": 0}
        version = client.get("/version").json()
        described = client.get("/openapi.json").json()
    assert version["eqparse"] == __version__ and version["model"] == "canned" and version["pipeline"] == "canned-1"
    assert set(described["paths"]) == {"/parse", "/parse/batch", "/health", "/version"}
    responses = described["paths"]["/parse"]["post"]["responses"]
    assert set(responses) == {"200", "408", "413", "415", "422", "429", "503"}
    schema.Answer.model_validate(responses["200"]["content"]["application/json"]["examples"]["text"]["value"])
    for example in described["components"]["schemas"]["ParseRequest"]["examples"]:
        schema.ParseRequest.model_validate(example)


@pytest.mark.parametrize("origins, allowed", [((), None), (("https://farm.example",), "https://farm.example")])
def test_pages_of_other_origins_read_nothing_unless_allowed(origins, allowed):
    _, app = service(cors_origins=origins)
    ask = {"Origin": "https://farm.example", "Access-Control-Request-Method": "POST"}
    with TestClient(app) as client:
        before = client.options("/parse", headers=ask)
        refused = client.post("/parse", content="{", headers={"Origin": "https://farm.example"})
    for answer in before, refused:
        assert answer.headers.get("access-control-allow-origin") == allowed


def test_nothing_of_a_text_is_logged_unless_asked(caplog, monkeypatch):
    monkeypatch.setattr(logging.getLogger("eqparse.service"), "disabled", False)  # as other tests may have left it
    caplog.set_level("DEBUG")
    for log_texts in False, True:
        caplog.clear()
        _, app = service(log_texts=log_texts)
        with TestClient(app) as client:
            post(client, text=TEXT)
            post(client, text="bug")
            client.get("/tower", params={"text": "chapel"})
            client.get("/openapi.json")
            client.post("/parse/batch", content=json.dumps({"text": TEXT}))
        said = "\n".join(record.getMessage() for record in caplog.records if record.name == "eqparse.service")
        assert said.count("tower") == said.count("chapel") == (2 if log_texts else 0)
        assert "GET (no such path) 404" in said and "RuntimeError in" in said
        assert "GET /openapi.json 200" in said


@pytest.mark.pipeline
def test_an_answer_is_explained_by_the_features_that_weighed_most():
    parser = trained()
    with TestClient(create_app(parser)) as client:
        found = post(client, texts=["The oak is 12 feet taller than the birch.", "It rained."], explain=True).json()
        refused = post(client, text=TEXT, alternatives=2)
        unread = client.post("/parse/batch?explain=true", content="The oak is 12 feet taller than the birch.").json()
    first, second = found["parses"]
    schema.Answer.model_validate(first)
    stages = {one["stage"]: one for one in first["explanation"]}
    assert {"quantity", "variable", "tree"} <= set(stages) and second["explanation"] == []
    weights = [abs(feature["weight"]) for feature in stages["variable"]["features"]]
    assert len(weights) > 3 and weights == sorted(weights, reverse=True)
    assert all(" → " in feature["name"] for feature in stages["quantity"]["features"])
    assert {**first, **json.loads(json.dumps(parser(first["text"]).to_dict()))} == first
    assert unread["reason_code"] == "not_json" and unread["explanation"] == []
    assert refused.status_code == 422 and "calibration" in refused.json()["detail"]
    with pytest.raises(ConfigError, match="calibration"):
        create_app(parser, options=ServiceOptions(alternatives=1))


@pytest.mark.parametrize("options", [
    {"batch_size": 0}, {"queue": 63}, {"timeout": float("nan")}, {"min_confidence": 2}, {"alternatives": 21},
    {"wait_ms": -1}, {"max_body": 0},
])
def test_options_out_of_range_are_named(options):
    with pytest.raises(ConfigError, match=f"--{next(iter(options)).replace('_', '-')}: expected a value"):
        ServiceOptions(**options)


@pytest.mark.parametrize("origin", [
    "x", "", "https://farm.example/", "https://farm.example/page", "farm.example", "https://", "HTTPS://farm.example",
    "https://Farm.example", "https://a@b", "https://*.example", "null", "https://farm.example:x",
    "https://farm .example",
])
def test_what_is_no_origin_is_refused(origin):
    with pytest.raises(ConfigError, match=r"^--cors-origin: expected \* or an origin"):
        ServiceOptions(cors_origins=(origin,))


@pytest.mark.parametrize("origin", [
    "*", "https://farm.example", "http://localhost:3000", "http://[::1]:8080", "chrome-extension://abcdefgh",
])
def test_origins_as_browsers_send_them(origin):
    assert ServiceOptions(cors_origins=(origin,)).cors_origins == (origin,)
