/** Large lists are drawn in turns, some in each frame, so that the page always answers. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { sets } from "./controls";

const TURNS_A_FRAME = 6;
const FIRST_ROWS = 40;
const ROWS_A_TURN = 20;
/** So long after a key another may follow. */
const TYPING_MS = 200;

const waiting = new Set<() => void>();
let frame = 0;

/** Have something drawn when its turn comes; gives what takes it out of the queue. */
function takeTurn(draw: () => void): () => void {
  waiting.add(draw);
  if (!frame) frame = requestAnimationFrame(work);
  return () => {
    waiting.delete(draw);
  };
}

function work(): void {
  frame = 0;
  let left = TURNS_A_FRAME;
  for (const draw of waiting) {
    if (left-- === 0) break;
    waiting.delete(draw);
    draw();
  }
  if (waiting.size) frame = requestAnimationFrame(work);
}

/**
 * How many of so many rows are drawn: some at once, more with each turn, at last all.
 *
 * @param of What they are rows of. With other words that were typed it begins anew, and goes on once
 *   nobody types.
 */
export function useGrowing(many: number, of = ""): number {
  const drawn = useSignal(FIRST_ROWS);
  const last = useRef(of);
  if (last.current !== of) {
    last.current = of;
    drawn.value = FIRST_ROWS;
  }
  const isWhole = drawn.value >= many;
  const isTyped = of !== "" && drawn.value === FIRST_ROWS;
  useEffect(() => {
    if (isWhole) return;
    const grow = () => {
      drawn.value += ROWS_A_TURN;
    };
    if (!isTyped) return takeTurn(grow);
    return whenQuiet(grow);
  });
  return Math.min(many, drawn.value);
}

/** Have something done in its turn once nobody types; gives what calls it off. */
export function whenQuiet(work: () => void): () => void {
  let callOff = (): void => {};
  const pause = setTimeout(() => {
    callOff = takeTurn(work);
  }, TYPING_MS);
  return () => {
    clearTimeout(pause);
    callOff();
  };
}

interface LaterProps {
  /** Whether somebody is waiting for it. */
  now: boolean;
  children: () => ComponentChildren;
}

/** Contents that are made at once, or when their turn comes. */
export function Later({ now, children }: LaterProps): ComponentChildren {
  const isReady = useSignal(now);
  useEffect(() => (isReady.value ? undefined : takeTurn(sets(isReady, true))), [isReady]);
  return isReady.value ? children() : null;
}
