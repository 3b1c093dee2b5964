/** Whether the page around a view is light or dark, and when that changes. */

/** The colours behind an element: JupyterLab's own word, else how bright the text is. */
export function themeOf(el: Element): "light" | "dark" {
  const said = el.closest("[data-jp-theme-light]")?.getAttribute("data-jp-theme-light");
  if (said) return said === "true" ? "light" : "dark";
  const [red = 0, green = 0, blue = 0] = (getComputedStyle(el).color.match(/\d+/g) ?? []).map(
    Number,
  );
  return 0.299 * red + 0.587 * green + 0.114 * blue > 140 ? "dark" : "light";
}

/** Hear until the signal that the page, or the system, may have other colours. */
export function watchTheme(changed: () => void, signal: AbortSignal): void {
  const watcher = new MutationObserver(changed);
  const attributeFilter = ["data-jp-theme-light", "data-jp-theme-name", "data-theme", "class"];
  for (const el of [document.body, document.documentElement])
    watcher.observe(el, { attributes: true, attributeFilter });
  signal.addEventListener("abort", () => watcher.disconnect());
  // A host that says nothing of its theme has that of the system.
  const system = globalThis.matchMedia?.("(prefers-color-scheme: dark)");
  system?.addEventListener("change", changed, { signal });
}
