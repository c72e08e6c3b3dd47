/* Keys of the annotator's bench. A part's keys go to the first part that is not judged yet, or to the one in focus. */
"use strict";

const form = document.getElementById("answers");
const parts = form ? [...form.querySelectorAll(".part")] : [];

function judged(part) { return part.querySelector("input:checked") !== null; }

function current() {
  const focused = document.activeElement ? document.activeElement.closest(".part") : null;
  return focused || parts.find((part) => !judged(part)) || null;
}

function mark() {
  const now = current();
  parts.forEach((part) => part.classList.toggle("part--now", part === now));
}

function inText(target) {
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === "number");
}

function press(key, target) {
  const found = form.querySelector(`button[data-key="${CSS.escape(key)}"]`);
  if (found) {
    if (key === "Enter" && target instanceof HTMLElement && target.closest("button, summary, a")) return false;
    form.requestSubmit(found);
    return true;
  }
  const now = current();
  const judge = now && now.querySelector(`input[data-key="${CSS.escape(key)}"]`);
  const input = judge || form.querySelector(`.asked:not([data-kind="judge"]) input[data-key="${CSS.escape(key)}"], .flag input[data-key="${CSS.escape(key)}"]`);
  if (!input) return false;
  if (input.type === "checkbox") input.checked = !input.checked;
  else input.checked = true;
  if (judge) {
    document.activeElement.blur();
    const next = current();
    if (next) next.scrollIntoView({ block: "nearest" });
  }
  mark();
  return true;
}

if (form) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || inText(event.target)) return;
    if (press(event.key, event.target)) event.preventDefault();
  });
  form.addEventListener("change", mark);
  form.addEventListener("focusin", mark);
  mark();
  const now = document.querySelector(".bench__turn--now");
  if (now) now.scrollIntoView({ block: "start" });
}
