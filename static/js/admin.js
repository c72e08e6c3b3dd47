/* The admin's rail on a small screen. */
(() => {
  const menu = document.querySelector("#header .menu");
  if (!menu) return;
  const open = (wanted) => {
    document.body.classList.toggle("menu-open", wanted);
    menu.setAttribute("aria-expanded", String(wanted));
  };
  menu.addEventListener("click", () => open(!document.body.classList.contains("menu-open")));
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") open(false); });
  document.querySelector("#rail [aria-current]")?.scrollIntoView({ block: "center" });
})();

/* On a small screen a row of a list is a card, whose lines say what the columns' heads said. */
(() => {
  const list = document.querySelector("#result_list");
  const heads = [...(list?.tHead?.rows[0]?.cells ?? [])].map((head) => head.querySelector(".text")?.textContent.trim());
  for (const row of list?.tBodies[0]?.rows ?? [])
    [...row.cells].forEach((cell, at) => { if (heads[at]) cell.dataset.label = heads[at]; });
})();
