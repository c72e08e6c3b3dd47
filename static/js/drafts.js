/* What was typed and not sent survives a reload. It stays in this tab, by page, until it is sent or its writer signs out. */

const DRAFT = "draft:";
const KEPT = [DRAFT, "unsent:"]; // of socket.js: messages on their way
const PERSON = "person";

export function drafts() {
  forgetWhoSignedOut();
  const field = document.getElementById("message");
  if (!field) return;
  const kept = read();
  if (kept && !field.value) {
    field.value = kept;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  field.addEventListener("input", () => keepDraft(field.value));
}

export function keepDraft(words, page = location.pathname) {
  try {
    if (words.trim()) sessionStorage.setItem(DRAFT + page, words);
    else sessionStorage.removeItem(DRAFT + page);
  } catch { /* private windows keep nothing: fine */ }
}

function read() {
  try { return sessionStorage.getItem(DRAFT + location.pathname); } catch { return null; }
}

function forgetWhoSignedOut() {
  try {
    const person = document.body.dataset.person ?? "";
    const before = sessionStorage.getItem(PERSON);
    if (before && before !== person) {
      for (const name of Object.keys(sessionStorage)) if (KEPT.some((kind) => name.startsWith(kind))) sessionStorage.removeItem(name);
    }
    sessionStorage.setItem(PERSON, person);
  } catch { /* as above */ }
}
