/** The view's stylesheet, put once into each document or shadow root that holds a view. */

import tokens from "../../page/tokens.css";
import adapt from "./adapt.css";
import asked from "./asked.css";
import card from "./card.css";
import data from "./data.css";
import details from "./details.css";
import prose from "./prose.css";
import rows from "./rows.css";
import tools from "./tools.css";
import waterfall from "./waterfall.css";

const MARK = "data-nba-run-view";

const CSS = [tokens, card, tools, rows, waterfall, details, asked, data, prose, adapt].join("");

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
