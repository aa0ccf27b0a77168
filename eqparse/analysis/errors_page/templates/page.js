"use strict";
// The state stands in the address (#stage=tree&kind=reversed&q=more), so that a view can be linked to.
const search = document.getElementById("search");
const chips = [...document.querySelectorAll("button[data-filter]")];
const articles = [...document.querySelectorAll("article")];
const state = { stage: "", kind: "", q: "" };
const titles = { stage: "Stage", kind: "Kind", q: "Search" };
const names = JSON.parse(document.getElementById("filters").dataset.names);
const reset = document.getElementById("reset");

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
  document.getElementById("none").hidden = count > 0;
  document.getElementById("active").replaceChildren(...Object.keys(state).filter((name) => state[name]).map(remover));
}

// A button for each filter, since one from the address may have no chip here.
function remover(name) {
  const button = document.createElement("button");
  const value = state[name];
  button.type = "button";
  button.textContent = `${titles[name]}: ${names[name]?.[value] ?? value} ×`;
  button.setAttribute("aria-label", `Remove the filter ${button.textContent.slice(0, -2)}`);
  button.addEventListener("click", () => {
    state[name] = "";
    search.value = state.q;
    write();
    reset.focus(); // the button is gone
  });
  return button;
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
reset.addEventListener("click", () => {
  for (const name of Object.keys(state)) state[name] = "";
  search.value = "";
  write();
});
addEventListener("hashchange", read);
read();
