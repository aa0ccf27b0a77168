// One sentence's answer: its marks, the equation or the reason why there is none, and what is behind it.

import { copyButtons } from "./copy.js";
import { html, percent, scroller, styleOf } from "./dom.js";
import { typeset } from "./formula.js";
import { markedSentence } from "./sentence.js";
import { drawing, spoken } from "./tree.js";

const LOUDEST = 10;
const LEAST = 0.001; // probability of a reading that is worth showing
const DECISIONS = {
  refusal: "an equation or none", quantity: "which numbers", variable: "which phrases", coreference: "one unknown or two",
  tree: "how they are joined",
};

// explain: fetches the answer again with its explanation. open: show at once what is behind the answer.
export function answerItem(answer, { link, explain, open }) {
  return html("li", {}, html("article", { class: answer.equation ? "stated" : "refused" },
    html("h3", { class: "sentence" }, markedSentence(answer)),
    answer.equation ? equation(answer) : refusal(answer),
    open && copyButtons(answer, link),
    behind(answer, explain, open, open || copyButtons(answer, link))));
}

// The answer in a sentence, for those who hear it.
export function inWords(answer) {
  const sure = answer.confidence === null ? "" : ` Confidence ${percent(answer.confidence)}.`;
  if (!answer.equation) return `No equation: ${answer.reason}.${sure}`;
  const unknowns = Object.entries(answer.phrases).map(([name, texts]) => `${name}: ${texts.join(", ")}.`);
  return [answer.tree ? spoken(answer.tree) : answer.equation, ".", sure, " ", unknowns.join(" ")].join("");
}

function equation(answer) {
  return html("div", { class: "found" },
    scroller("Equation", "equation", typeset(answer, { block: true })),
    confidence(answer),
    html("dl", { class: "unknowns" }, unknowns(answer)));
}

function unknowns(reading) {
  return Object.entries(reading.phrases).map(([name, texts]) => html("div", {},
    html("dt", { class: styleOf(name) }, name),
    html("dd", {}, texts.flatMap((text, place) => [place ? ", " : "", html("bdi", {}, text)]))));
}

function refusal(answer) {
  const [what, ...details] = answer.reason.split(": ");
  return html("div", { class: "found" },
    html("p", { class: "none" }, "No equation"),
    confidence(answer),
    html("p", { class: "reason" }, capital(what), details.length ? ": " : ".",
      details.length ? html("bdi", {}, details.join(": ")) : null));
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);

function confidence(answer) {
  if (answer.confidence === null) return null;
  return html("p", { class: "sure" }, html("span", {}, "Confidence ", html("b", {}, percent(answer.confidence))), bar(answer.confidence));
}

function bar(share, style = "") {
  const filled = html("i");
  filled.style.width = `${100 * share}%`;
  return html("span", { class: `track ${style}`, "aria-hidden": "true" }, filled);
}

function behind(answer, explain, open, copy) {
  const why = html("section", { class: "why" });
  const summary = [answer.tree && "tree", answer.alternatives.length && "other readings", "why"].filter(Boolean).join(", ");
  const heading = html("h4", { class: summary === "why" ? "unseen" : "" }, "Why");
  const more = html("details", { class: "behind", open },
    html("summary", {}, capital(summary.replace(/, why$/, ", and why"))),
    copy, html("div", { class: "parts" }, tree(answer), readings(answer), why));
  const what = answer.equation ? "the answer" : "an equation";
  const fill = async () => {
    if (!more.open || why.firstChild) return;
    why.append(heading, html("p", { class: "hint" }, "Asking …"));
    try {
      why.replaceChildren(heading, ...reasons(answer.explanation ?? (await explain()).explanation, what));
    } catch (error) {
      why.replaceChildren(heading, html("p", {}, `${error.message} ${error.advice ?? ""}`));
    }
  };
  more.addEventListener("toggle", fill);
  fill();
  return more;
}

function tree(answer) {
  if (!answer.tree) return null;
  return html("section", {}, html("h4", {}, "Tree"), scroller("Drawing of the tree", "", drawing(answer.tree)));
}

function readings(answer) {
  const others = answer.alternatives.slice(answer.equation ? 1 : 0).filter((one) => one.probability >= LEAST);
  if (!answer.alternatives.length) return null;
  const rows = others.map((one) => html("li", {},
    scroller("Equation", "reading", typeset(one)),
    bar(one.probability),
    html("span", { class: "share" }, percent(one.probability)),
    samePhrases(one, answer) ? null : html("dl", { class: "unknowns small" }, unknowns(one))));
  return html("section", {}, html("h4", {}, answer.equation ? "Other readings" : "Readings withheld"),
    rows.length ? html("ol", { class: "readings" }, rows) : html("p", { class: "hint" }, "None that is worth a tenth of a percent."));
}

const samePhrases = (a, b) => JSON.stringify(a.variables) === JSON.stringify(b.variables);

// The features of all stages that weigh most, for the answer or against it.
function reasons(explanation, what) {
  const features = (explanation ?? [])
    .flatMap(({ stage, features }) => features.map((feature) => ({ ...feature, stage })))
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight)).slice(0, LOUDEST);
  const most = Math.abs(features[0]?.weight ?? 1);
  const rows = features.map(({ name, weight, stage }) => html("tr", {},
    html("td", { class: "figure" }, html("span", {}, `${weight < 0 ? "−" : "+"}${Math.abs(weight).toFixed(2)}`),
      bar(Math.abs(weight) / most, weight < 0 ? "against" : "")),
    html("td", { class: "decision" }, DECISIONS[stage] ?? stage),
    html("th", { scope: "row" }, html("bdi", {}, name.replace(":", ": ")))));
  if (!rows.length) return [html("p", { class: "hint" }, "A rule or a limit decided, without weighing features.")];
  return [html("table", {},
    html("caption", {}, `The ${rows.length} features that spoke loudest, for ${what} (+) or against it (−)`),
    html("thead", {}, html("tr", {}, ["Weight", "Decision", "Feature"].map((name) => html("th", { scope: "col" }, name)))),
    html("tbody", {}, rows))];
}
