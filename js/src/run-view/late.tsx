/**
 * Stand-ins for the parts of the view that come when they are needed: a word until they are here, and
 * why where they cannot come. What arrives takes the focus over from what stood for it.
 *
 * @module
 */
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Door } from "../bridge";
import { hasFocus } from "./focus";
import { lend } from "./kit";
import { useView } from "./view-state";

export type Parts = typeof import("./parts");

/** What of a part takes the focus; a part that only says something has but its way back. */
export const FIRST = "input, textarea, select, [data-act=cancel], [data-coming]";

const parts = signal<Parts | null>(null);
const problem = signal("");

/** The parts as they came; `null`: not yet. */
export function arrive(all: Parts | null): void {
  parts.value = all;
  problem.value = "";
}

/** Have the module come, unless it has; of many that wait for it, only the first takes it in. */
export async function fetchParts(door: Pick<Door, "load">): Promise<void> {
  if (parts.peek()) return;
  try {
    const module = await door.load("run-parts");
    if (parts.peek()) return; // other components would take the place of those that are drawn
    const all = module.parts?.(lend);
    if (all) arrive(all);
  } catch (reason) {
    problem.value = reason instanceof Error ? reason.message : String(reason);
  }
}

/** A part that is drawn once its module is here. */
export function late<P extends object>(
  pick: (all: Parts) => (props: P) => JSX.Element | null,
): (props: P) => JSX.Element {
  return (props) => {
    const Part = parts.value && pick(parts.value);
    return Part ? <Part {...props} /> : <Coming />;
  };
}

function Coming(): JSX.Element {
  const { door } = useView().state;
  const box = useRef<HTMLParagraphElement>(null);
  useEffect(() => void fetchParts(door), [door]);
  useLayoutEffect(
    () => () => {
      const around = box.current?.parentElement;
      if (!around || !hasFocus(box.current)) return;
      queueMicrotask(() =>
        around.querySelector<HTMLElement>(FIRST)?.focus({ preventScroll: true }),
      );
    },
    [],
  );
  return (
    <p class="nba-small" role="status" tabIndex={-1} data-coming ref={box}>
      {problem.value ? `This part could not be loaded: ${problem.value}` : "Loading…"}
    </p>
  );
}
