// Elements made without markup: text from outside only ever becomes text.

const maker = (namespace) => (name, attributes = {}, ...children) => {
  const element = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child instanceof Node || typeof child === "string"));
  return element;
};

export const html = maker("http://www.w3.org/1999/xhtml");
export const math = maker("http://www.w3.org/1998/Math/MathML");
export const svg = maker("http://www.w3.org/2000/svg");

// The class of everything that belongs to a variable: its phrase, its letter, its leaf.
export const styleOf = (name) => (name === "V1" ? "v1" : name === "V2" ? "v2" : "v3");

// A box that can be scrolled by keyboard where what it holds is too wide for it.
export function scroller(label, style, ...children) {
  const box = html("div", { class: `scroller ${style}`, role: "group", "aria-label": label }, ...children);
  new ResizeObserver(() => {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }).observe(box);
  return box;
}

// A number as people write it: 1250000 -> "1,250,000". Twelve digits are as many as arithmetic leaves right.
export const figure = (number) => String(typeof number === "number" ? Number(number.toPrecision(12)) : number).replace(/^-?\d{5,}/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));

// 0.9206 -> "92 %"; only a certainty would be 100 %, and only an impossibility 0 %.
export function percent(probability) {
  const rounded = Math.round(100 * probability);
  return rounded >= 100 && probability < 1 ? "over 99 %" : rounded < 1 && probability > 0 ? "under 1 %" : `${rounded} %`;
}
