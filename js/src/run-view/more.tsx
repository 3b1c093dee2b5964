/**
 * The row that stands for rows not shown.
 *
 * @module
 */
import type { JSX } from "preact";
import { moreWords, type Row } from "./groups";
import type { RunState } from "./state";

interface Props {
  state: RunState;
  /** What it opens. */
  open: string;
  hidden: Row[];
}

export function More({ state, open, hidden }: Props): JSX.Element {
  return (
    <li class="nba-more">
      <button
        type="button"
        class="nba-row nba-link"
        aria-expanded={false}
        onClick={({ currentTarget }) => {
          const before = currentTarget.closest("li")?.previousElementSibling;
          state.opened.set(open, true);
          requestAnimationFrame(() => rowIn(before?.nextElementSibling)?.focus());
        }}
      >
        {moreWords(hidden)}
      </button>
    </li>
  );
}

/** The first row that was hidden has the place of the button now. */
function rowIn(item: Element | null | undefined): HTMLElement | null {
  return item?.querySelector<HTMLElement>(".nba-row") ?? null;
}
