// The equation tree as a drawing: the root above, the leaves below in the order of the equation.

import { figure, styleOf, svg } from "./dom.js";

const LEVEL = 58, RADIUS = 17, GAP = 18, EDGE = 2, SMALLEST = 0.7; // smaller letters could not be read
const SIGNS = { "*": "×", "/": "÷", "-": "−" };
const WORDS = { "=": "equals", "+": "plus", "-": "minus", "*": "times", "/": "divided by" };

export const leaves = (node) => (isLeaf(node) ? [node] : [...leaves(node.left), ...leaves(node.right)]);
const isLeaf = (node) => node.op === undefined;
export const leafName = (leaf) => leaf.variable ?? figure(leaf.exact ?? leaf.number);

// "V1 equals (2 times V2) minus 14"
export function spoken(node) {
  if (isLeaf(node)) return leafName(node);
  const side = (child) => (isLeaf(child) || node.op === "=" ? spoken(child) : `(${spoken(child)})`);
  return `${side(node.left)} ${WORDS[node.op]} ${side(node.right)}`;
}

export function drawing(tree) {
  const lines = [], nodes = [];
  let right = EDGE, bottom = 0;

  function place(node, depth) {
    const y = EDGE + RADIUS + depth * LEVEL;
    if (isLeaf(node)) {
      const name = leafName(node);
      const width = Math.max(2 * RADIUS, 10 * name.length + 18);
      const x = right + width / 2;
      right += width + GAP;
      bottom = Math.max(bottom, y + RADIUS + EDGE);
      const style = node.variable ? styleOf(node.variable) : "number";
      nodes.push(svg("g", { class: style },
        svg("rect", { x: x - width / 2, y: y - RADIUS, width, height: 2 * RADIUS, rx: 9 }), letters(x, y, name)));
      return [x, y];
    }
    const ends = [place(node.left, depth + 1), place(node.right, depth + 1)];
    const x = (ends[0][0] + ends[1][0]) / 2;
    for (const [x2, y2] of ends) lines.push(svg("path", { d: `M${x} ${y}C${x} ${y + 30} ${x2} ${y2 - 40} ${x2} ${y2}` }));
    nodes.push(svg("g", { class: "op" }, svg("circle", { cx: x, cy: y, r: RADIUS }), letters(x, y, SIGNS[node.op] ?? node.op)));
    return [x, y];
  }

  place(tree, 0);
  const width = right - GAP + EDGE;
  const drawn = svg("svg", { class: "tree", role: "img", "aria-label": `Tree: ${spoken(tree)}`, width, height: bottom,
    viewBox: `0 0 ${width} ${bottom}` }, lines, nodes);
  drawn.style.minWidth = `${SMALLEST * width}px`;
  return drawn;
}

const letters = (x, y, text) => svg("text", { x, y: y + 6 }, text);
