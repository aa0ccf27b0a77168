// A sentence with its phrases and numbers marked, one mark inside another where they nest.
// The service counts characters as Python does, in code points; a JavaScript string is made of UTF-16 units.

import { figure, html, styleOf } from "./dom.js";
import { leafName, leaves } from "./tree.js";

const bare = (number) => number.replace(/[,' ]/g, "");
const apart = (a, b) => a.end <= b.start || b.end <= a.start;
const nested = (a, b) => (a.start <= b.start && b.end <= a.end) || (b.start <= a.start && a.end <= b.end);

// What to mark, outer spans first. Of two that merely overlap the one that a variable names first is kept.
function marks(answer) {
  const phrases = new Map();
  for (const [name, spans] of Object.entries(answer.variables)) {
    spans.forEach(([start, end], rank) => {
      const known = phrases.get(`${start} ${end}`);
      if (known) known.label += `, ${name}`;
      else phrases.set(`${start} ${end}`, { start, end, rank, label: name, style: styleOf(name) });
    });
  }
  const exact = new Map((answer.tree ? leaves(answer.tree) : []).map((leaf) => [`${leaf.start} ${leaf.end}`, leafName(leaf)]));
  const numbers = answer.quantities.map(({ value, span: [start, end] }) =>
    ({ start, end, label: exact.get(`${start} ${end}`) ?? figure(value), style: "number" }));
  const kept = [];
  for (const mark of [...[...phrases.values()].sort((a, b) => a.rank - b.rank), ...numbers]) {
    if (kept.every((other) => apart(mark, other) || nested(mark, other))) kept.push(mark);
  }
  return kept.sort((a, b) => a.start - b.start || b.end - a.end);
}

export function markedSentence(answer) {
  const points = Array.from(answer.text);
  const text = (start, end) => points.slice(start, end).join("");
  const rest = marks(answer);

  function cut(at, end) {
    const pieces = [];
    while (rest.length && rest[0].start < end) {
      const mark = rest.shift();
      pieces.push(text(at, mark.start));
      const inner = cut(mark.start, mark.end);
      const repeated = bare(mark.label) === bare(text(mark.start, mark.end));
      const label = repeated ? null : html("b", {}, mark.label);
      pieces.push(html("mark", { class: mark.style }, inner, label && "\u00a0", label));
      at = mark.end;
    }
    return [...pieces, text(at, end)];
  }

  return cut(0, points.length);
}
