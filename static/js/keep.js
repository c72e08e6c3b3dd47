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
    rememberFocus(before);
  });
}

function markNewCards(before, after) {
  const known = new Set([...before.querySelectorAll("[data-card]")].map((card) => card.dataset.card));
  const live = before.closest("[data-turn]")?.hasAttribute("data-running");
  for (const card of after.querySelectorAll("[data-card]")) {
    if (live && !known.has(card.dataset.card)) card.classList.add("is-new");
  }
}

function rememberFocus(before) {
  const focused = document.activeElement;
  if (!focused || focused === document.body || !before.contains(focused)) return;
  const way = focused.id ? `#${CSS.escape(focused.id)}` : wayTo(focused);
  queueMicrotask(() => { if (!document.contains(focused)) document.querySelector(way)?.focus({ preventScroll: true }); });
}

/* A summary is found again by what it opens; anything else by the turn it is in. */
function wayTo(element) {
  const details = element.closest("details[data-keep]");
  if (details) return `details[data-keep="${CSS.escape(details.dataset.keep)}"] > summary`;
  const turn = element.closest("[data-turn]");
  return turn ? `#turn-${CSS.escape(turn.dataset.turn)} button` : "#message";
}
