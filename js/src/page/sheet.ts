/**
 * A stylesheet of a part that several modules draw, once in each document or shadow root; and the
 * box, with its sheet, of a view that stands outside of a run.
 */
import { render as draw, type RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { keepShortcutsAway } from "./shortcuts";
import tokens from "./tokens.css";

const ALONE = "nba-alone";

/** The colours, fonts and resets of a run for what stands outside of one. */
const ALONE_TOKENS = tokens.replaceAll(".nba-run", `.${ALONE}`);

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

/** What is drawn here has a stylesheet of its own. */
export function useSheet<T extends Element>(name: string, css: string): RefObject<T | null> {
  const box = useRef<T>(null);
  useLayoutEffect(() => {
    if (box.current) addSheet(box.current, name, css);
  }, []);
  return box;
}

/** A box at the end of `el` for a view by itself; with `signal` it goes, and what is drawn in it. */
export function boxAlone(el: HTMLElement, signal: AbortSignal, name = "", css = ""): HTMLElement {
  const box = document.createElement("div");
  box.className = ALONE;
  el.append(box);
  addSheet(box, "alone", ALONE_TOKENS);
  if (css) addSheet(box, name, css);
  keepShortcutsAway(box, signal);
  signal.addEventListener("abort", () => {
    draw(null, box);
    box.remove();
  });
  return box;
}
