/**
 * A stylesheet of a part that several modules draw, once in each document or shadow root.
 *
 * @module
 */
import tokens from "./run-view/styles/tokens.css";

/** The class of the outermost element of a view that stands outside of a run. */
export const ALONE = "nba-alone";

/** The colours, fonts and resets of a run for what stands outside of one. */
export const ALONE_TOKENS = tokens.replaceAll(".nba-run", `.${ALONE}`);

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
