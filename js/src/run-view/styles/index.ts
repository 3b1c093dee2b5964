/** The view's stylesheet, put once into each document or shadow root that holds a view. */
import { addSheet } from "../../page";
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

const CSS = [tokens, card, tools, rows, waterfall, details, asked, data, prose, adapt].join("");

export function addStyles(el: HTMLElement): void {
  addSheet(el, "run-view", CSS);
}
