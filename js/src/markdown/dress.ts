/**
 * What a page adds to safe nodes: code with its language, colours and a button, tables that scroll,
 * formulas for a typesetter, and to each block its own direction of reading.
 */
import type { Colours, ProseOptions } from "../bridge";
import { TEX, TEX_BLOCK } from "./grammar";
import { isTame } from "./maths";
import { TEX_ATTRIBUTE } from "./patch";

type Ways = Pick<ProseOptions, "colours" | "wantColours">;

const LANGUAGE_CHARACTERS = 30;
const BOXES = /^\s*[☐☑] /;

export function dress(nodes: DocumentFragment, ways: Ways): Node[] {
  for (const pre of nodes.querySelectorAll("pre")) dressCode(pre, ways);
  for (const table of nodes.querySelectorAll("table")) table.replaceWith(scrolling(table));
  for (const tex of nodes.querySelectorAll(`${TEX},${TEX_BLOCK}`)) tex.replaceWith(formula(tex));
  for (const item of nodes.querySelectorAll("li"))
    if (BOXES.test(item.textContent ?? "")) item.className = "nba-task";
  const shown = [...nodes.childNodes].filter((node) => node.textContent?.trim() || isDrawn(node));
  for (const one of shown) if (one instanceof Element && !one.hasAttribute("dir")) turn(one);
  return shown;
}

function isDrawn(node: Node): boolean {
  return node instanceof Element && (/^(HR|IMG)$/.test(node.tagName) || !!node.children.length);
}

function turn(block: Element): void {
  block.setAttribute("dir", "auto");
}

function made(tag: string, name: string): HTMLElement {
  const el = document.createElement(tag);
  el.className = name;
  return el;
}

function dressCode(pre: HTMLPreElement, { colours, wantColours }: Ways): void {
  const code = pre.querySelector("code");
  const language = (code?.getAttribute("title") ?? "").slice(0, LANGUAGE_CHARACTERS);
  code?.removeAttribute("title");
  const box = made("div", "nba-prose-code");
  box.dir = "ltr";
  const head = made("div", "nba-prose-code-head");
  const said = made("span", "nba-small");
  said.textContent = language;
  const copy = made("button", "nba-link nba-copy");
  copy.setAttribute("type", "button");
  copy.setAttribute("aria-label", "Copy the code");
  copy.textContent = "Copy";
  head.append(said, copy);
  pre.replaceWith(box);
  pre.tabIndex = 0; // it may scroll
  box.append(head, pre);
  if (!code || !language) return;
  if (colours) colour(code, colours(code.textContent ?? "", language));
  else wantColours();
}

function colour(code: Element, pieces: ReturnType<Colours>): void {
  if (!pieces) return;
  const coloured = pieces.map(([text, scope]) => {
    if (!scope) return text;
    const piece = made("span", `nba-hl-${scope}`);
    piece.textContent = text;
    return piece;
  });
  code.replaceChildren(...coloured);
}

function scrolling(table: HTMLTableElement): HTMLElement {
  const box = made("div", "nba-prose-table");
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", "Table");
  box.append(table.cloneNode(true));
  return box;
}

/** A formula as it was written, which a typesetter may draw later. */
function formula(tex: Element): HTMLElement {
  const source = tex.textContent ?? "";
  const isBlock = tex.localName === TEX_BLOCK;
  const el = made("span", isBlock ? "nba-math nba-math-block" : "nba-math");
  el.dir = "ltr";
  if (isTame(source)) {
    el.setAttribute("role", "math");
    el.setAttribute("aria-label", source);
  }
  el.setAttribute(TEX_ATTRIBUTE, source);
  const code = document.createElement("code");
  code.textContent = source;
  el.append(code);
  return el;
}
