"""The service's page in a browser, with the fast model behind it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe
from browser import CHROMIUM, in_chromium
from playwright.sync_api import Browser, Page, expect, sync_playwright

import eqparse
from eqparse.integrations.service.app import create_app

pytestmark = [*in_chromium, pytest.mark.pipeline]

expect.set_options(timeout=60_000)  # a busy machine is no failure
SENTENCE = "The well is 20 metres deeper than twice the depth of the ditch."
REFUSED = "The library opens at 9 and closes at 5."
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "device_scale_factor": 2}
NARROW = {"viewport": {"width": 320, "height": 640}}
ODD = [
    "😀 The naïve 🏰 tower is 30 metres taller than the e\u0301lan.",
    "برج is 3 metres taller than the قلعة.",
    "The " + "pneumono" * 40 + " is 3 times as long as the word.",
    "The sum of " + "9" * 120 + " and a number is 12345678901234567890.",
    "<b>The barn</b> is 10 metres longer than <img src=x onerror=alert(1)> the shed.",
    "10",
]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Of a running service."""
    config = uvicorn.Config(create_app(eqparse.load("fast")), host="127.0.0.1", port=0, log_level="warning")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.05)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/"
    server.should_exit = True
    thread.join(timeout=30)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium, address):
    """Open the page, with a text in its address and options of a context; it must be quiet and load nothing else."""
    contexts, noise, asked = [], [], []

    def open_page(text: str = "", **options) -> Page:
        contexts.append(chromium.new_context(**options))
        page = contexts[-1].new_page()
        page.set_default_timeout(60_000)
        page.on("console", lambda message: noise.append(message.text))
        page.on("pageerror", lambda error: noise.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(address + (f"#{urlencode({'text': text})}" if text else ""))
        return answered(page) if text else page

    yield open_page
    for context in contexts:
        context.close()
    assert [line for line in noise if "Failed to load resource" not in line] == []  # that is Chromium's own word
    assert {url.split("#")[0].removeprefix(address).split("/")[0] for url in asked} <= {"", "assets", "parse"}


def answered(page: Page) -> Page:
    expect(page.locator("#answers")).to_have_attribute("aria-busy", "false")
    return page


def shown(page: Page) -> list[str]:
    """The sentences of the answers, without the labels of the marks."""
    return page.evaluate("""[...document.querySelectorAll('.sentence')].map((one) => {
        const copy = one.cloneNode(true);
        copy.querySelectorAll('b').forEach((label) => { label.previousSibling.remove(); label.remove(); });
        return copy.textContent; })""")


def test_a_sentence_typed_is_answered(visit):
    page = visit()
    expect(page.get_by_label("A sentence, or several")).to_be_focused()
    page.keyboard.type(SENTENCE)
    page.keyboard.press("Enter")
    answered(page)
    assert shown(page) == [SENTENCE]
    marks = page.locator("mark").evaluate_all("all => all.map((one) => [one.className, one.innerText])")
    assert marks == [
        ["v1", "The well\xa0V1"], ["number", "20"], ["number", "twice\xa02"], ["v2", "the depth of the ditch\xa0V2"],
    ]
    math = page.locator(".equation math").evaluate("one => one.textContent.replaceAll('\\u2062', '')")
    assert math == "V1=20+2V2"
    assert page.locator(".unknowns").first.inner_text().split() == "V1 The well V2 the depth of the ditch".split()
    assert page.get_by_role("img").get_attribute("aria-label") == "Tree: V1 equals 20 plus (2 times V2)"
    assert 1 <= page.locator(".readings li").count() <= 3
    assert page.locator(".why tbody tr").count() == 10
    assert "V1 equals 20 plus (2 times V2). Confidence" in page.get_by_role("status").inner_text()
    assert page.url.endswith(f"#{urlencode({'text': SENTENCE})}")


def test_every_example_is_answered_as_it_says(visit):
    page = visit()
    kinds = page.locator("#examples dt").all_inner_texts()
    page.get_by_text("All of them at once").click()
    answered(page)
    assert shown(page) == page.locator("#examples a").all_inner_texts()
    cards = page.locator("article").evaluate_all("all => all.map((one) => one.className)")
    assert cards == ["refused" if kind in ("No equation", "Not read") else "stated" for kind in kinds]


@pytest.mark.parametrize("text, reason", [
    (REFUSED, "The text states no equation."), ("Nobody came.", "The text has no number."),
    ("The mast is 4 to 6 metres longer than the boom.", "The text gives an interval where"),
])
def test_a_refusal_gives_its_reason(visit, text, reason):
    page = visit(text)
    assert page.locator(".none").inner_text() == "No equation"
    assert page.locator(".reason").inner_text().startswith(reason)
    assert page.locator(".why caption").all_inner_texts() == [
        "The 10 features that spoke loudest, for an equation (+) or against it (−)"
    ] * (text == REFUSED)
    assert "No equation: " in page.get_by_role("status").inner_text()


def test_odd_texts_come_out_as_they_went_in_and_no_page_is_wider_than_a_phone(visit):
    page = visit("\n".join(ODD), **NARROW)
    assert shown(page) == ODD
    assert page.locator("article img, article b b, article script").count() == 0
    first = page.locator("article").first.locator("mark").all_inner_texts()
    assert [mark.split("\xa0")[0] for mark in first] == ["tower", "30", "the e\u0301lan"]
    for summary in page.locator("summary").all():
        summary.click()
    expect(page.locator(".why table")).to_have_count(len(ODD) - 1)  # the last is refused by a rule
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    wide = page.locator("article").nth(3).locator(".equation")
    assert [len(mark) for mark in page.locator("article").nth(3).locator("mark.number").all_inner_texts()] == [120, 20]
    assert wide.evaluate("one => one.scrollWidth > one.clientWidth && one.tabIndex") == 0


def test_marks_nest(visit):
    """A number inside a phrase, a phrase inside another's, and one that merely overlaps a better one."""
    answer = {
        "text": "😀 the 7 tall elms of the park row", "quantities": [{"value": 7.0, "span": [6, 7]}], "tree": None,
        "variables": {"V1": [[2, 29], [25, 33]], "V2": [[25, 29]]},
    }
    found = visit().evaluate("""async (answer) => {
        const { markedSentence } = await import("/assets/sentence.js");
        const all = document.createElement("p");
        all.append(...markedSentence(answer));
        const inner = (one) => [...one.querySelectorAll(":scope > mark")];
        const list = (one) => inner(one).map((mark) => [mark.className, mark.textContent, list(mark)]);
        return list(all); }""", answer)
    inner = [["number", "7", []], ["v2", "park\xa0V2", []]]
    assert found == [["v1", "the 7 tall elms of the park\xa0V2\xa0V1", inner]]


def test_hundreds_of_sentences_appear_in_order_and_each_opens(visit):
    lines = [f"The barn is {number} metres longer than the shed." for number in range(1, 131)]
    page = visit()
    page.locator("#text").fill("\n\n".join(lines))
    page.get_by_role("button", name="Find the equation").click()
    answered(page)
    assert shown(page) == lines
    assert page.locator("#progress").inner_text() == "130 with an equation, 0 without"
    assert page.get_by_role("status").inner_text() == "130 answers: 130 with an equation, 0 without."
    last = page.locator("article").last
    last.locator("summary").click()
    expect(last.get_by_role("img")).to_be_visible()
    expect(last.locator(".why tbody tr")).to_have_count(10)


def test_a_link_carries_the_sentence_and_back_goes_back(visit):
    page = visit(SENTENCE)
    assert page.locator("#text").input_value() == SENTENCE
    page.get_by_text("4 pears and 3 figs").click()
    answered(page)
    assert page.evaluate("document.activeElement.id") == "answers"
    assert page.title().startswith("4 pears and 3 figs")
    page.go_back()
    expect(page.locator(".sentence")).to_contain_text("The well")
    page.get_by_role("button", name="Clear").click()
    assert page.locator("article").count() == 0 and page.evaluate("location.hash") == ""
    expect(page.locator("#text")).to_be_focused()


def test_copies(visit):
    page = visit(SENTENCE, permissions=["clipboard-read", "clipboard-write"])
    got = {}
    for name in ("LaTeX", "SymPy", "JSON", "Link"):
        page.get_by_role("button", name=f"Copy {name}").click()
        expect(page.get_by_role("status")).to_have_text(f"{name} copied")
        got[name] = page.evaluate("navigator.clipboard.readText()")
    assert got["LaTeX"] == "V_{1} = 20 + 2 V_{2}" and got["SymPy"] == "Eq(V1, 2*V2 + 20)"
    assert json.loads(got["JSON"])["equation"] == "V1 = 20 + (2 * V2)" and got["Link"] == page.url


def test_what_cannot_be_copied_is_selected(visit):
    page = visit(SENTENCE)
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }")
    page.get_by_role("button", name="Copy LaTeX").click()
    assert page.evaluate("getSelection().toString()") == "V_{1} = 20 + 2 V_{2}"


@pytest.mark.parametrize("status, headers, words", [
    (422, {}, ["does not take this request", "It says: texts: too odd."]),
    (429, {"Retry-After": "7"}, ["too much to do", "Try again in 7 seconds."]),
    (500, {}, ["The service failed"]),
    (503, {"Retry-After": "1"}, ["not ready", "Try again in a second."]),
    (418, {}, ["the error 418"]),
    (200, {}, ["What answered is not this service"]),
    (None, {}, ["The service does not answer", "Your text is kept here"]),
])
def test_an_error_of_the_service_is_said_in_words_and_can_be_tried_again(visit, status, headers, words):
    page = visit()
    answer = {"status": status, "headers": headers, "body": json.dumps({"detail": "texts: too odd"})}
    page.route("**/parse", lambda route: route.fulfill(**answer) if status else route.abort())
    page.locator("#text").fill(SENTENCE)
    page.keyboard.press("Enter")
    said = page.get_by_role("alert").inner_text()
    assert [word for word in words if word not in said] == []
    page.unroute("**/parse")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".equation")).to_be_visible()
    assert page.get_by_role("alert").count() == 0 and page.locator("#text").input_value() == SENTENCE


def test_a_text_that_is_too_long_does_not_stop_the_others(visit):
    page = visit()
    page.locator("#text").fill("\n".join([SENTENCE, "The barn is " + "very " * 2000 + "long.", REFUSED]))
    page.keyboard.press("Enter")
    answered(page)
    assert [one.split()[0] for one in shown(page)] == ["The", "The", "The"]
    said = "The service does not take so long a text: expected at most 4000 characters, found 10017."
    assert page.locator("article").nth(1).locator(".reason").inner_text() == said


def test_everything_is_reached_by_keyboard_and_the_focus_is_seen(visit):
    page = visit(SENTENCE)
    seen = []
    for _ in range(24):
        seen.append(page.evaluate("document.activeElement.textContent.trim() || document.activeElement.id"))
        outline = page.evaluate("getComputedStyle(document.activeElement).outline")
        assert "solid 3px" in outline, (seen[-1], outline)
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            break
    wanted = ["Find the equation", "Clear", "LaTeX", "SymPy", "JSON", "Link", "Tree, other readings, and why"]
    assert [one for one in seen if one in wanted] == wanted
    assert seen[-2:] == ["All of them at once", "its description"]


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    """Where the pictures are left to be looked at: by default /tmp/pytest-of-NAME/pytest-current/pictures0."""
    return tmp_path_factory.mktemp("pictures")


@pytest.mark.parametrize("kind, text", [
    ("start", ""), ("answer", SENTENCE), ("refusal", REFUSED), ("many", "\n".join([SENTENCE, *ODD])),
])
@pytest.mark.parametrize("device", ["desktop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_a_picture_is_drawn(visit, pictures, device, scheme, kind, text):
    options = PHONE if device == "phone" else {"viewport": {"width": 1200, "height": 900}}
    page = visit(text, color_scheme=scheme, reduced_motion="reduce", **options)
    picture = page.screenshot(path=pictures / f"{device}-{scheme}-{kind}.png", full_page=True)
    assert len(picture) > 20_000
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(251, 250, 247)", "dark": "rgb(21, 22, 26)"}[scheme]
    assert page.evaluate("getComputedStyle(document.getElementById('submit')).transitionDuration") == "0s"
    found = Axe().run(page)
    assert [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found.response["violations"]] == []
