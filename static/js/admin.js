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
