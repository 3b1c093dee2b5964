/** Whether the page around a view is light or dark. */

/** The colours behind an element: JupyterLab's own word, else how bright the text is. */
export function themeOf(el: Element): "light" | "dark" {
  const said = el.closest("[data-jp-theme-light]")?.getAttribute("data-jp-theme-light");
  if (said) return said === "true" ? "light" : "dark";
  const [red = 0, green = 0, blue = 0] = (getComputedStyle(el).color.match(/\d+/g) ?? []).map(
    Number,
  );
  return 0.299 * red + 0.587 * green + 0.114 * blue > 140 ? "dark" : "light";
}
