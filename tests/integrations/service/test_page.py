"""The files of the service's page, and the headers that keep it to itself."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from eqparse.integrations.service import page

ASSETS = {file.name: file.read_text(encoding="utf-8") for file in files(page.__package__).joinpath("assets").iterdir()}
INDEX = ASSETS["index.html"]


@pytest.fixture
def client():
    app = FastAPI()
    app.include_router(page.router)
    return TestClient(app)


def test_the_page_and_all_of_its_files_come_with_a_strict_policy(client):
    named = set(re.findall(r'(?:href|src)="(assets/[^"]+)"', INDEX))
    imported = {f"assets/{name}" for text in ASSETS.values() for name in re.findall(r'from "\./([^"]+)"', text)}
    assert {f"assets/{name}" for name in ASSETS} == (named | imported | {"assets/index.html"})
    for address in ["", *named, *imported]:
        response = client.get(f"/{address}")
        assert response.status_code == 200 and response.headers["x-content-type-options"] == "nosniff"
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
    assert client.get("/").headers["content-type"] == "text/html; charset=utf-8"
    assert client.get("/assets/page.js").headers["content-type"] == "text/javascript; charset=utf-8"
    assert client.head("/").status_code == 200


def test_a_file_that_has_not_changed_is_not_sent_again(client):
    tag = client.get("/").headers["etag"]
    again = client.get("/", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("name", ["none.js", "..%2fpage.py", "%2e%2e/page.py", "", "a%00b"])
def test_no_other_file_is_given(client, name):
    assert client.get(f"/assets/{name}").status_code == 404


def test_nothing_stands_inline_or_comes_from_elsewhere():
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:|<script(?![^>]*\bsrc=)", INDEX)
    for name, text in ASSETS.items():
        assert set(re.findall(r"(?:https?:)?//\w[\w.]*", text)) <= {"http://www.w3.org"}, name
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b", text), name
