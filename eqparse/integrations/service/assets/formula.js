// An equation in MathML, from the LaTeX that the service writes: numbers, V_{1}, + - =, \cdot, \frac, \left( \right).

import { figure, html, math, styleOf } from "./dom.js";

const TOKEN = /\\[a-z]+|\d+(?:\.\d+)?|\S/gi;
const SIGNS = { "-": "−", "+": "+", "=": "=", "\\cdot": "⋅" };
const TIMES = "\u2062"; // invisible, for those who hear it

export function formula(latex, { block = false } = {}) {
  const tokens = latex.match(TOKEN) ?? [];
  const rest = () => tokens.shift() ?? "";

  function group() { // {...}
    rest();
    const inner = row();
    rest();
    return inner;
  }

  function item(token) {
    if (/^\d/.test(token)) return math("mn", {}, figure(token));
    if (SIGNS[token]) return math("mo", {}, SIGNS[token]);
    if (token === "\\frac") return math("mfrac", {}, group(), group());
    if (token === "\\left") {
      const open = math("mo", {}, rest());
      const inner = row();
      rest();
      return math("mrow", {}, open, inner, math("mo", {}, rest()));
    }
    if (tokens[0] !== "_") return math("mtext", {}, token);
    rest();
    rest();
    const number = rest();
    rest();
    return math("msub", { class: styleOf(token + number) }, math("mi", {}, token), math("mn", {}, number));
  }

  function row() {
    const items = [];
    while (tokens.length && tokens[0] !== "}" && tokens[0] !== "\\right") {
      const next = item(rest());
      if (items.length && next.localName !== "mo" && items.at(-1).localName !== "mo") items.push(math("mo", {}, TIMES));
      items.push(next);
    }
    return math("mrow", {}, items);
  }

  return math("math", { display: block && "block" }, row());
}

// The equation typeset, or as plain text where there is no LaTeX.
export const typeset = (answer, options) =>
  (answer.latex ? formula(answer.latex, options) : html("code", {}, answer.equation));
