/* Small comforts of the page: the composer, the drawer, menus, copying, what a screen reader hears. */

import { keepDraft } from "./drafts.js";
import { identifier } from "./socket.js";

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/* Progress is told in a region of its own, at most every few seconds, so that nobody is talked over. */
export function announceStatus() {
  const region = document.getElementById("heard-status");
  if (!region) return;
  const PAUSE = 4000;
  let last = 0;
  document.addEventListener("htmx:wsAfterMessage", () => {
    const words = [...document.querySelectorAll(".turn:last-child [data-words]")].at(-1)?.textContent ?? "";
    if (!words || words === region.textContent || Date.now() - last < PAUSE) return;
    last = Date.now();
    region.textContent = words;
  });
}

/* Enter sends, Shift+Enter begins a new line, wherever a field says that its Enter key sends. */
export function sendByEnter() {
  document.addEventListener("keydown", (event) => {
    const field = event.target;
    const composing = event.isComposing || event.keyCode === 229; // Safari ends a composition before it says so
    if (event.key !== "Enter" || event.shiftKey || composing || !field.matches("textarea[enterkeyhint]")) return;
    event.preventDefault();
    if (field.value.trim()) field.form.requestSubmit(field.form.querySelector(".send[type=submit]") ?? undefined);
  });
}

export function composer() {
  const field = document.getElementById("message");
  if (!field) return;
  if (takeMark()) field.focus({ preventScroll: true });
  if (!CSS.supports("field-sizing", "content")) field.addEventListener("input", () => grow(field));
  const turns = document.getElementById("turns");
  if (!turns) return;
  new MutationObserver((changes) => {
    for (const turn of changes.flatMap((change) => [...change.addedNodes])) if (isNew(turn)) show(turn);
  }).observe(turns, { childList: true });
  document.querySelector(".turn:last-child:not(:first-child)")?.scrollIntoView({ block: "start" });
}

const seen = new Set([...document.querySelectorAll("[data-turn]")].map((turn) => turn.id));

function isNew(turn) {
  if (!(turn instanceof Element) || !turn.id || seen.has(turn.id)) return false;
  seen.add(turn.id);
  return true;
}

function show(turn) {
  const yes = turn.querySelector(".check__actions");
  turn.scrollIntoView({ block: "start", behavior: calm() || yes ? "auto" : "smooth" });
  yes?.scrollIntoView({ block: "nearest" });
}

/* The page that comes next begins in its composer: whoever asked, or gave a conversation up, writes on. */
const MARK = "begin-in-composer";

function leaveMark() {
  try { sessionStorage.setItem(MARK, "yes"); } catch { /* private windows keep nothing: fine */ }
}

function takeMark() {
  try {
    const left = sessionStorage.getItem(MARK);
    sessionStorage.removeItem(MARK);
    return Boolean(left);
  } catch { return false; }
}

function grow(field) {
  field.style.height = "auto";
  field.style.height = `${Math.min(field.scrollHeight, 192)}px`;
}

export function startForm() {
  const form = document.querySelector("[data-start]");
  if (!form) return;
  const chosen = () => {
    const one = form.querySelector("[name=assistant]:checked");
    if (!one) return;
    document.getElementById("message").placeholder = one.dataset.placeholder || "Ask in your own words";
    for (const section of form.querySelectorAll("[data-examples]")) section.hidden = section.dataset.examples !== one.value;
  };
  form.addEventListener("change", chosen);
  chosen(); // a browser that comes back keeps what was chosen
  const narrow = form.querySelector("[data-narrow]");
  narrow?.addEventListener("input", () => {
    const words = narrow.value.toLowerCase().split(/\s+/);
    for (const choice of form.querySelectorAll(".choice")) {
      choice.hidden = !words.every((word) => choice.textContent.toLowerCase().includes(word));
    }
  });
  narrow?.addEventListener("keydown", (event) => { if (event.key === "Enter") event.preventDefault(); });
  form.addEventListener("htmx:beforeOnLoad", ({ detail }) => {
    const asked = detail.requestConfig.parameters.message === document.getElementById("message").value;
    if (detail.xhr.getResponseHeader("HX-Redirect") && asked) keepDraft("");
  });
  window.addEventListener("pageshow", () => { form.elements.uuid.value = identifier(); });
}

export function drawer() {
  const root = document.documentElement;
  const opener = document.querySelector("[data-drawer=open]");
  const rail = document.getElementById("rail");
  const talk = document.querySelector(".talk");
  const set = (open) => {
    if (root.classList.contains("drawer-open") === open) return;
    root.classList.toggle("drawer-open", open);
    opener?.setAttribute("aria-expanded", String(open));
    if (talk) talk.inert = open;
    (open ? rail.querySelector("[data-drawer=close]") : opener)?.focus();
  };
  document.addEventListener("click", (event) => {
    const control = event.target.closest("[data-drawer]");
    if (control) set(control.dataset.drawer === "open");
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && !event.defaultPrevented) set(false); });
  matchMedia("(min-width: 901px)").addEventListener("change", () => set(false));
}

/* One menu at a time; Escape and a click elsewhere close it. In the search of the list, Escape empties the field. */
export function menus() {
  const close = (except) => {
    for (const menu of document.querySelectorAll("details[data-menu][open]")) if (menu !== except) menu.open = false;
  };
  document.addEventListener("click", (event) => close(event.target.closest("details[data-menu]")));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const search = event.target.closest("input[type=search]");
    const menu = document.activeElement?.closest("details[data-menu][open]");
    if (search?.value || menu) event.preventDefault();
    if (search?.value) {
      search.value = "";
      search.dispatchEvent(new Event("search", { bubbles: true }));
    }
    close(null);
    menu?.querySelector("summary").focus();
  });
}

export function copying() {
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const label = button.querySelector("span");
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      label.textContent = "Copied";
    } catch {
      label.textContent = "Copying is not allowed";
    }
    setTimeout(() => { label.textContent = "Copy"; }, 2000);
  });
}

/* A list that was fetched anew does not know which conversation is open here. */
export function history() {
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    if (event.detail.xhr.getResponseHeader("HX-Redirect")) leaveMark(); // a conversation was begun, or the open one deleted
  });
  document.addEventListener("htmx:afterSettle", () => {
    for (const link of document.querySelectorAll("#history .entry__link")) {
      const here = new URL(link.href).pathname === location.pathname;
      link.parentElement.classList.toggle("entry--here", here);
      if (here) link.setAttribute("aria-current", "page");
    }
    const here = document.querySelector("#history [aria-current]");
    const title = document.getElementById("conversation-title");
    if (here && title) {
      title.textContent = here.textContent;
      document.title = `${here.textContent} – hybridchat`;
    }
  });
}
