/* The server replaces whole regions. What a person opened, wrote or focused in them stays as it was. */

export function keepWhatIsOpen() {
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const before = event.detail.target;
    const after = event.detail.fragment;
    if (!(before instanceof Element) || !after) return;
    if (before.id === "history" && document.getElementById("history-search").value) {
      event.detail.shouldSwap = false; // what was searched for stays; the whole list comes with the next search
      return;
    }
    for (const details of after.querySelectorAll("details[data-keep]")) {
      const old = before.querySelector(`details[data-keep="${CSS.escape(details.dataset.keep)}"]`);
      if (old) details.open = old.open;
    }
    for (const field of before.querySelectorAll("textarea[id], input[id]")) {
      const fresh = after.querySelector(`#${CSS.escape(field.id)}`);
      if (fresh && field.value !== field.defaultValue) fresh.value = field.value;
    }
    markNewCards(before, after);
    showWhatAsks(before, after);
    rememberFocus(before);
  });
  document.addEventListener("submit", (event) => {
    if (event.target.matches(".comment__form")) event.target.dataset.sent = "yes"; // the focus then goes to the thanks
  });
}

function markNewCards(before, after) {
  const known = new Set([...before.querySelectorAll("[data-card]")].map((card) => card.dataset.card));
  const live = before.closest("[data-turn]")?.hasAttribute("data-running");
  for (const card of after.querySelectorAll("[data-card]")) {
    if (live && !known.has(card.dataset.card)) card.classList.add("is-new");
  }
}

/* What now waits for an answer comes into view: a card for its yes, a thumb for its comment. */
function showWhatAsks(before, after) {
  const asks = ".check__actions :enabled, .comment__form :enabled";
  if (before.id === "turns" || before.querySelector(asks) || !after.querySelector(asks)) return;
  const region = before.id;
  queueMicrotask(() => {
    const waits = document.getElementById(region)?.querySelector(asks)?.closest(".check__actions, .comment");
    waits?.scrollIntoView({ block: "nearest" });
  });
}

function rememberFocus(before) {
  const focused = document.activeElement;
  if (!focused || focused === document.body || !before.contains(focused)) return;
  const ways = waysTo(focused, `#${CSS.escape(before.id)}`);
  queueMicrotask(() => { if (!document.contains(focused)) focusFirst(ways); });
}

/* What was sent is found as its thanks, a summary by what it opens, a button by what it says. Never just any button: it
   may search anew at the next Enter. */
function waysTo(element, region) {
  if (element.closest("[data-sent]")) return [`${region} .comment__thanks`, `${region} [aria-pressed=true]`];
  if (element.id) return [`#${CSS.escape(element.id)}`];
  const details = element.closest("details[data-keep]");
  if (details) return [`details[data-keep="${CSS.escape(details.dataset.keep)}"] > summary`];
  const sends = element.getAttribute("hx-vals");
  return sends ? [`${region} [hx-vals="${CSS.escape(sends)}"]`, "#message"] : ["#message"];
}

function focusFirst(ways) {
  for (const way of ways) {
    const found = document.querySelector(way);
    found?.focus({ preventScroll: true });
    if (found && document.activeElement === found) return;
  }
}

/* After renaming or deleting a conversation one is at its entry, at the next one, or at the way to a new one. */
export function keepPlaceInHistory() {
  document.addEventListener("htmx:beforeSwap", (event) => {
    const entry = document.activeElement?.closest("#history .entry");
    if (event.detail.target.id !== "history" || !entry) return;
    const entries = [...document.querySelectorAll("#history .entry")];
    const place = entries.indexOf(entry);
    const near = [entry, entries[place + 1], entries[place - 1]].filter(Boolean);
    const ways = near.map((one) => `#history [href="${one.querySelector(".entry__link").getAttribute("href")}"]`);
    queueMicrotask(() => focusFirst([...ways, ".rail__new"]));
  });
}
