// The page: the box, the address, the examples, and the answers as they come.
// The text stands behind the # of the address, which browsers do not send: no log of a server holds it.

import { answerItem, inWords } from "./answer.js";
import { copyButton, say } from "./copy.js";
import { html } from "./dom.js";
import { ask, AT_ONCE, Problem } from "./service.js";

const [form, box, submit, clear, section, title, progress, whole, list, problem] =
  ["form", "text", "submit", "clear", "answers", "answers-title", "progress", "whole", "list", "problem"]
    .map((id) => document.getElementById(id));
const LONGEST_LINK = 32_000; // characters; other programs cut longer ones
const coarse = matchMedia("(pointer: coarse)");
let running = new AbortController();

const linesOf = (text) => text.split(/[\r\n]+/).map((line) => line.trim()).filter(Boolean);
const fragment = (text) => `#${new URLSearchParams({ text })}`;
const address = (text) => new URL(fragment(text), location.href).href;
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

// Shows a text in the box and the address, and reads it. focus: moves the focus to the answers.
function go(text, { focus = false } = {}) {
  const lines = linesOf(text);
  box.value = text;
  clear.hidden = !text;
  document.title = lines.length ? `${lines[0].slice(0, 60)} · eqparse` : "eqparse: from a sentence to its equation";
  const hash = lines.length && fragment(text).length <= LONGEST_LINK ? fragment(text) : "";
  if (hash !== location.hash) history.pushState(null, "", hash || location.pathname + location.search);
  running.abort();
  running = new AbortController();
  section.hidden = !lines.length;
  list.replaceChildren();
  problem.replaceChildren();
  whole.replaceChildren();
  if (lines.length) read(lines, [], running.signal, focus);
  else busy(false);
}

// Reads what is left of the lines, a request at a time. done: the answers that are there.
async function read(lines, done, signal, focus) {
  const single = lines.length === 1;
  busy(true);
  problem.replaceChildren();
  title.textContent = single ? "Answer" : "Answers";
  try {
    while (done.length < lines.length) {
      progress.textContent = single ? "" : `${done.length} of ${lines.length}`;
      const texts = lines.slice(done.length, done.length + AT_ONCE);
      const answers = await ask(texts, { explain: single, signal });
      done.push(...answers);
      list.append(...answers.map((answer, place) => answerItem(answer, {
        link: address(texts[place]), open: single, explain: async () => (await ask([texts[place]], { explain: true }))[0],
      })));
    }
    summarise(lines, done);
  } catch (error) {
    if (signal.aborted) return;
    show(error, () => read(lines, done, signal, true));
    progress.textContent = single ? "" : `${done.length} of ${lines.length}`;
  }
  busy(false);
  if (focus) section.focus({ preventScroll: true });
  else if (coarse.matches) box.blur(); // the keyboard on the screen covers the answer
  if (focus || coarse.matches || section.getBoundingClientRect().top > 0.7 * innerHeight) section.scrollIntoView();
}

function summarise(lines, done) {
  const stated = done.filter((answer) => answer.equation).length;
  const counts = `${stated} with an equation, ${done.length - stated} without`;
  progress.textContent = done.length === 1 ? "" : counts;
  say(done.length === 1 ? inWords(done[0]) : `${plural(done.length, "answer")}: ${counts}.`);
  if (done.length === 1) return;
  const link = address(lines.join("\n"));
  whole.replaceChildren(
    copyButton("All as JSON lines", () => done.map((answer) => JSON.stringify(answer)).join("\n"), "Copy all as JSON lines"),
    ...(link.length <= LONGEST_LINK ? [copyButton("Link to all", () => link, "Copy a link to all")] : []));
}

function show(error, again) {
  const { message, advice } = error instanceof Problem ? error
    : new Problem("This page cannot show the answer.", `Reload it. It met: ${error.message}.`);
  problem.replaceChildren(html("div", { class: "notice", role: "alert" },
    html("p", {}, html("strong", {}, message)), html("p", {}, advice),
    html("button", { type: "button", click: again }, "Try again")));
}

function busy(is) {
  section.setAttribute("aria-busy", is);
  submit.toggleAttribute("data-busy", is);
  submit.textContent = is ? "Reading …" : "Find the equation";
}

const written = () => new URLSearchParams(location.hash.slice(1)).get("text") ?? "";

form.addEventListener("submit", (event) => {
  event.preventDefault();
  go(box.value);
});
box.addEventListener("input", () => {
  clear.hidden = !box.value;
  box.setCustomValidity(box.value && !box.value.trim() ? "Type a sentence." : "");
});
box.addEventListener("keydown", (event) => {
  const plain = !event.shiftKey && !event.altKey && !event.isComposing;
  if (event.key !== "Enter" || !plain || (coarse.matches && !event.ctrlKey && !event.metaKey)) return;
  event.preventDefault();
  form.requestSubmit();
});
clear.addEventListener("click", () => {
  go("");
  box.focus();
});
const examples = [...document.querySelectorAll("#examples a")];
const together = document.getElementById("together");
for (const example of [...examples, together]) {
  const text = example === together ? examples.map((one) => one.textContent).join("\n") : example.textContent;
  example.href = fragment(text);
  example.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // in a tab or window of its own
    event.preventDefault();
    go(text, { focus: true });
  });
}
addEventListener("hashchange", () => go(written()));
if (coarse.matches) document.getElementById("keys").hidden = true;
if (written()) go(written());
