// Copying to the clipboard, with a field to copy from by hand where the browser does not let a page do it.

import { html } from "./dom.js";

export function copyButtons(answer, link) {
  const stated = { LaTeX: answer.latex, SymPy: answer.sympy };
  const { explanation, ...plain } = answer;
  const all = { ...stated, JSON: JSON.stringify(plain, null, 2), Link: link };
  return html("div", { class: "copy", role: "group", "aria-label": "Copy" },
    html("span", { class: "hint", "aria-hidden": "true" }, "Copy"),
    Object.entries(all).filter(([, text]) => text).map(([name, text]) => copyButton(name, () => text, `Copy ${name}`)));
}

export function copyButton(name, text, label) {
  const button = html("button", { type: "button", "aria-label": label }, name);
  button.addEventListener("click", async () => {
    if (!(await copied(text()))) return byHand(button, text());
    say(`${name === label ? "Text" : name} copied`);
    button.classList.add("done");
    setTimeout(() => button.classList.remove("done"), 1600);
  });
  return button;
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text); // not there on plain HTTP from another machine
    return true;
  } catch {
    return false;
  }
}

function byHand(button, text) {
  const field = html("textarea", { readonly: true, rows: 3, "aria-label": "To copy by hand", class: "byhand" });
  field.value = text;
  button.parentElement.parentElement.querySelector(".byhand")?.remove();
  button.parentElement.after(field);
  field.select();
  say("The browser does not let this page copy. The text is selected; copy it yourself.");
}

// What a screen reader says next.
export function say(words) {
  document.getElementById("status").textContent = words;
}
