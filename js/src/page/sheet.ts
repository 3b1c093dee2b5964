/** A stylesheet of a part that several modules draw, once in each document or shadow root. */

/** Put a stylesheet where `el` stands, unless it is there; `name` tells sheets apart. */
export function addSheet(el: Element, name: string, css: string): void {
  const node = el.getRootNode();
  const home = node instanceof ShadowRoot ? node : document.head;
  const mark = `data-nba-${name}`;
  const known = [...home.querySelectorAll(`style[${mark}]`)];
  if (known.some((style) => style.textContent === css)) return; // another build has its own
  const style = document.createElement("style");
  style.setAttribute(mark, "");
  style.textContent = css;
  home.append(style);
}
