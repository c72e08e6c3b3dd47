/* The panel of what is being filled in: folded on a phone, its fields edited in place. */

let unfoldedFor = null; // the button of the card that opened the panel for one value: with that value it folds again

export function worksheets() {
  document.addEventListener("click", (event) => {
    const bar = event.target.closest("[data-sheets]");
    if (bar) unfoldedFor = null;
    if (bar) unfold(!document.documentElement.classList.contains("sheets-open"));
    const edit = event.target.closest("[data-edit]");
    if (edit) openEditor(edit);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target.closest(".edit__form");
    if (form) setTimeout(() => { form.closest("details").open = false; form.reset(); });
  });
  document.addEventListener("toggle", (event) => {
    if (!event.target.matches?.(".edit")) return;
    if (event.target.open) event.target.querySelector("select, input:not([type=hidden])").focus();
    else if (unfoldedFor?.dataset.edit === event.target.id) foldAgain();
  }, true);
  document.addEventListener("unsent", ({ detail }) => {
    const editor = document.getElementById(`edit-${detail.instance}-${detail.field}`);
    const field = editor?.querySelector("[name=value]");
    if (!field || detail.value === undefined) return;
    unfold(true);
    editor.open = true;
    field.value = detail.value;
  });
  document.addEventListener("htmx:oobAfterSwap", tellState);
}

function unfold(open) {
  document.documentElement.classList.toggle("sheets-open", open);
  tellState();
}

/* On a phone the panel lies over the card whose value was edited. */
function foldAgain() {
  const button = unfoldedFor;
  unfoldedFor = null;
  unfold(false);
  if (!button.isConnected) return;
  button.focus({ preventScroll: true });
  button.closest(".check")?.querySelector(".check__actions")?.scrollIntoView({ block: "nearest" });
}

function tellState() {
  const open = document.documentElement.classList.contains("sheets-open");
  document.querySelector("[data-sheets]")?.setAttribute("aria-expanded", String(open));
}

function openEditor(button) {
  const editor = document.getElementById(button.dataset.edit);
  if (!editor) return;
  if (!document.documentElement.classList.contains("sheets-open")) unfoldedFor = button;
  unfold(true);
  editor.open = true;
  editor.scrollIntoView({ block: "center" });
}
