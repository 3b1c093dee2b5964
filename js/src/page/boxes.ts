/**
 * The boxes that views are drawn in: one for a view outside of a run, one with a stylesheet of its own, and
 * one that does not shrink while it changes, so that what stands below it stays where it is.
 */
import { render as draw, type RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { addSheet } from "./sheet";
import { keepShortcutsAway } from "./shortcuts";
import tokens from "./tokens.css";
import { watchSize } from "./watching";

const ALONE = "nba-alone";

/** The colours, fonts and resets of a run for what stands outside of one. */
const ALONE_TOKENS = tokens.replaceAll(".nba-run", `.${ALONE}`);

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

/**
 * Keep a box as high as it was, for as long as it changes, and then until the pointer has left the
 * part of the page that it is in.
 */
export function useKeptHeight(box: RefObject<HTMLElement | null>, changes: boolean): void {
  useLayoutEffect(() => {
    const el = box.current;
    if (!el || !changes) return;
    return watchSize([el], ([grown]) => {
      const height = grown?.borderBoxSize[0]?.blockSize ?? 0;
      if (height > (Number.parseFloat(el.style.minHeight) || 0)) el.style.minHeight = `${height}px`;
    });
  }, [box, changes]);
  useLayoutEffect(() => {
    const el = box.current;
    if (!el || changes) return;
    const home = el.parentElement;
    const free = () => {
      el.style.minHeight = "";
    };
    if (!home?.matches(":hover")) return free();
    home.addEventListener("pointerleave", free, { once: true });
    return () => home.removeEventListener("pointerleave", free);
  }, [box, changes]);
}
