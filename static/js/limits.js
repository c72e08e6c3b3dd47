/* A text over its limit is kept whole and not sent: the field says how much has to go. */

export function limits() {
  document.addEventListener("input", (event) => { if (event.target.matches?.("[data-limit]")) measure(event.target); });
  for (const field of document.querySelectorAll("[data-limit]")) if (field.value) measure(field);
}

function measure(field) {
  const limit = Number(field.dataset.limit);
  const length = [...field.value.trim()].length; // code points, as the server counts
  const words = length > limit
    ? `This has ${length.toLocaleString("en")} characters; the limit is ${limit.toLocaleString("en")}. Please remove ${(length - limit).toLocaleString("en")}.`
    : "";
  if (words === field.validationMessage) return;
  field.setCustomValidity(words);
  field.setAttribute("aria-invalid", String(Boolean(words)));
  const box = field.closest(".composer, .comment__row, .edit__form") ?? field;
  const notice = box.nextElementSibling?.matches(".over-limit") ? box.nextElementSibling : null;
  if (!words) return void notice?.remove();
  const shown = notice ?? document.createElement("p");
  shown.className = "over-limit";
  shown.setAttribute("role", "status");
  shown.textContent = words;
  if (!notice) box.after(shown);
}
