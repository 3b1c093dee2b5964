/**
 * Large lists are drawn in turns, some in each frame, so that the page always answers.
 *
 * @module
 */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

const TURNS_A_FRAME = 6;
const FIRST_ROWS = 40;
const ROWS_A_TURN = 20;

const waiting = new Set<() => void>();
let frame = 0;

/** Have something drawn when its turn comes; gives what takes it out of the queue. */
function takeTurn(draw: () => void): () => void {
  waiting.add(draw);
  if (!frame) frame = requestAnimationFrame(work);
  return () => waiting.delete(draw);
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

/** How many of so many rows are drawn: some at once, more with each turn, at last all. */
export function useGrowing(many: number): number {
  const drawn = useSignal(FIRST_ROWS);
  const isWhole = drawn.value >= many;
  useEffect(() => {
    if (isWhole) return;
    return takeTurn(() => {
      drawn.value += ROWS_A_TURN;
    });
  });
  return Math.min(many, drawn.value);
}

interface LaterProps {
  /** Whether somebody is waiting for it. */
  now: boolean;
  children: () => ComponentChildren;
}

/** Contents that are made at once, or when their turn comes. */
export function Later({ now, children }: LaterProps): ComponentChildren {
  const isReady = useSignal(now);
  useEffect(() => {
    if (isReady.value) return;
    return takeTurn(() => {
      isReady.value = true;
    });
  }, [isReady]);
  return isReady.value ? children() : null;
}
