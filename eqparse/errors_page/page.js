"use strict";
// The state stands in the address (#stage=tree&kind=reversed&q=more), so that a view can be linked to.
const search = document.getElementById("search");
const chips = [...document.querySelectorAll("button[data-filter]")];
const articles = [...document.querySelectorAll("article")];
const state = { stage: "", kind: "", q: "" };

function show() {
  const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const article of articles) {
    const { stage, kinds, text } = article.dataset;
    const fits = (!state.stage || (state.stage === "wrong" ? stage !== "right" : stage === state.stage))
      && (!state.kind || kinds.split(" ").includes(state.kind))
      && words.every((word) => text.includes(word));
    article.hidden = !fits;
    count += fits;
  }
  for (const chip of chips) {
    chip.setAttribute("aria-pressed", String(state[chip.dataset.filter] === chip.dataset.value));
  }
  document.getElementById("count").textContent = `${count} of ${articles.length} sentences`;
}

function read() {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const name of Object.keys(state)) state[name] = given.get(name) || "";
  search.value = state.q;
  show();
}

function write() {
  const set = Object.entries(state).filter(([, value]) => value);
  history.replaceState(null, "", set.length ? "#" + new URLSearchParams(set) : location.pathname);
  show();
}

for (const chip of chips) {
  chip.addEventListener("click", () => {
    const { filter, value } = chip.dataset;
    state[filter] = state[filter] === value ? "" : value;
    write();
  });
}
search.addEventListener("input", () => { state.q = search.value; write(); });
document.getElementById("filters").addEventListener("submit", (event) => event.preventDefault());
document.getElementById("reset").addEventListener("click", () => {
  for (const name of Object.keys(state)) state[name] = "";
  search.value = "";
  write();
});
addEventListener("hashchange", read);
read();
