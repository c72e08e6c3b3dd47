/* The panel of what is being filled in: folded on a phone, its fields edited in place. */

export function worksheets() {
  document.addEventListener("click", (event) => {
    const bar = event.target.closest("[data-sheets]");
    if (bar) unfold(!document.documentElement.classList.contains("sheets-open"));
    const edit = event.target.closest("[data-edit]");
    if (edit) openEditor(edit.dataset.edit);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target.closest(".edit__form");
    if (form) setTimeout(() => { form.closest("details").open = false; form.reset(); });
  });
  document.addEventListener("toggle", (event) => {
    if (event.target.matches?.(".edit[open]")) event.target.querySelector("select, input:not([type=hidden])").focus();
  }, true);
  document.addEventListener("htmx:oobAfterSwap", tellState);
}

function unfold(open) {
  document.documentElement.classList.toggle("sheets-open", open);
  tellState();
}

function tellState() {
  const open = document.documentElement.classList.contains("sheets-open");
  document.querySelector("[data-sheets]")?.setAttribute("aria-expanded", String(open));
}

function openEditor(id) {
  const editor = document.getElementById(id);
  if (!editor) return;
  unfold(true);
  editor.open = true;
  editor.scrollIntoView({ block: "center" });
}
