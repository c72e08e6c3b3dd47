/* Before the first paint: the colours this person chose, or those of their system. */
(() => {
  const root = document.documentElement;
  const kept = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
  const apply = (theme) => { if (theme) root.dataset.theme = theme; else delete root.dataset.theme; };
  apply(kept());
  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("[data-theme-switch]")) return;
    const dark = getComputedStyle(root).colorScheme === "dark"
      || (root.dataset.theme === undefined && matchMedia("(prefers-color-scheme: dark)").matches);
    apply(dark ? "light" : "dark");
    try { localStorage.setItem("theme", root.dataset.theme); } catch { /* private windows keep nothing: fine */ }
  });
})();
