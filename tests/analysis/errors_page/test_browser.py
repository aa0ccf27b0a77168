"""The page of errors in a browser."""

from __future__ import annotations

import html
import json
import re
import subprocess
import tempfile
from pathlib import Path

import pytest
from browser import CHROMIUM, in_chromium
from page_entries import BAD, entries

from eqparse.analysis.errors_page import KINDS, STAGES
from eqparse.analysis.errors_page.page import render

pytestmark = in_chromium


def chromium(*arguments: str) -> bytes:
    """Run headless Chromium with a fresh profile and no business of its own on the network -> what it prints."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        return subprocess.run(
            [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             f"--user-data-dir={profile}", *arguments],
            capture_output=True, check=True, timeout=120,
        ).stdout


@pytest.mark.parametrize("state, shown, chips", [
    ("", {"s0", "s1", "s2", "s3", "s4", "s5", BAD.id, "silent"}, set()),
    ("#stage=wrong&q=yards&kind=operation", {"s1", "s3", "s5"}, {"wrong", "operation"}),
    ("#q=%3Cscript%3E", {BAD.id}, set()),
])
def test_the_filters_of_the_address_show_what_fits(tmp_path, state, shown, chips):
    (tmp_path / "page.html").write_text(render("t", entries()))
    dom = chromium("--dump-dom", f"file://{tmp_path}/page.html{state}").decode()
    found = re.findall(r"<article ([^>]*)>\s*<header><h2>(.*?)</h2>", dom)
    assert len(found) == 8
    assert {html.unescape(name) for attributes, name in found if "hidden" not in attributes} == shown
    assert f'aria-live="polite">{len(shown)} of 8 sentences<' in dom
    assert set(re.findall(r'data-value="([\w-]+)" aria-pressed="true"', dom)) == chips


@pytest.mark.parametrize("filters, active, shown", [
    (["stage=tree", "kind=reversed"], [f"Stage: {STAGES['tree']} ×", f"Kind: {KINDS['reversed']} ×"], (0, 4)),
    (["kind=nonsense", "q=%3Cb%3E"], ["Kind: nonsense ×", "Search: <b> ×"], (0, 0)),
    (["stage=tree"], [f"Stage: {STAGES['tree']} ×"], (4, 8)),
])
def test_active_filters_stand_on_the_page_and_can_be_removed(tmp_path, filters, active, shown):
    script = """<script>
    const now = () => [[...document.querySelectorAll("#active button")].map((b) => b.textContent),
      document.querySelectorAll("article:not([hidden])").length, document.getElementById("none").hidden, location.hash];
    const before = now();
    document.querySelector("#active button:last-child").click();
    document.title = JSON.stringify([before, now()]);
    </script></body>"""
    (tmp_path / "page.html").write_text(render("t", entries()).replace("</body>", script))
    dom = chromium("--dump-dom", f"file://{tmp_path}/page.html#{'&'.join(filters)}").decode()
    found = json.loads(html.unescape(re.search("<title>(.*?)</title>", dom).group(1)))
    addresses = [f"#{'&'.join(some)}" if some else "" for some in (filters, filters[:-1])]
    names = (active, active[:-1])
    assert found == [[names[at], shown[at], shown[at] > 0, addresses[at]] for at in (0, 1)]


def test_a_click_filters_and_show_all_shows_all(tmp_path):
    script = """<script>
    const chosen = () => [...document.querySelectorAll("article:not([hidden]) h2")].length;
    const press = (s) => { document.querySelector(s).click(); return chosen(); };
    const seen = [press('[data-value="tree"]'), press('[data-value="tree"]'), press('[data-value="refusal"]'),
      press("#reset")];
    search.value = "YARDS shed"; search.dispatchEvent(new Event("input")); seen.push(chosen());
    document.title = seen.join(" ") + " " + location.hash;
    </script></body>"""
    (tmp_path / "page.html").write_text(render("t", entries()).replace("</body>", script))
    dom = chromium("--dump-dom", f"file://{tmp_path}/page.html").decode()
    assert re.search("<title>(.*?)</title>", dom).group(1) == "4 8 1 8 6 #q=YARDS+shed"


@pytest.mark.parametrize("width", [360, 1100])
def test_the_page_is_drawn_and_no_wider_than_the_window(tmp_path, width):
    script = """<script>document.title = [document.documentElement.scrollWidth <= window.innerWidth,
      innerWidth, [...document.querySelectorAll("svg")].every((s) => s.clientHeight > 50)].join(" ");
    </script></body>"""
    # a frame, since a window has a least width
    frame = f'<iframe id="f" src="page.html" width="{width}" height="900"></iframe>'
    (tmp_path / "page.html").write_text(render("t", entries()).replace("</body>", script))
    (tmp_path / "frame.html").write_text(frame + """<script>f.onload = () => {
      document.title = f.contentDocument.title; };</script>""")
    dom = chromium("--dump-dom", "--allow-file-access-from-files", f"file://{tmp_path}/frame.html").decode()
    assert re.search("<title>(.*?)</title>", dom).group(1) == f"true {width} true"
    picture = tmp_path / "page.png"
    chromium(f"--screenshot={picture}", f"--window-size={width + 200},900", f"file://{tmp_path}/page.html")
    data = Path(picture).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) > 20_000
