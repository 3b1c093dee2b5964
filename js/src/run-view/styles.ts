/**
 * The view's stylesheet, put once into each document or shadow root that holds a view.
 *
 * @module
 */
import adapt from "./styles/adapt.css";
import asked from "./styles/asked.css";
import card from "./styles/card.css";
import data from "./styles/data.css";
import details from "./styles/details.css";
import prose from "./styles/prose.css";
import rows from "./styles/rows.css";
import tokens from "./styles/tokens.css";
import tools from "./styles/tools.css";

const MARK = "data-nba-run-view";

const CSS = [tokens, card, tools, rows, details, asked, data, prose, adapt].join("");

export function addStyles(el: HTMLElement): void {
  const node = el.getRootNode();
  const home = node instanceof ShadowRoot ? node : document.head;
  const known = [...home.querySelectorAll(`style[${MARK}]`)];
  if (known.some((style) => style.textContent === CSS)) return; // another build has its own
  const style = document.createElement("style");
  style.setAttribute(MARK, "");
  style.textContent = CSS;
  home.append(style);
}
