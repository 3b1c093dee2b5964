/** The row that stands for rows not shown. */
import type { JSX } from "preact";
import type { CallNode } from "../../tree";
import { moreWords } from "../rows";
import { type At, placed } from "./item";

interface Props extends At {
  /** What it opens. */
  open: string;
  hidden: CallNode[];
}

export function More({ open, hidden, ...at }: Props): JSX.Element {
  return (
    <li class="nba-more" {...placed(at)}>
      <button
        type="button"
        class="nba-row nba-link"
        aria-expanded={false}
        onClick={({ currentTarget }) => {
          const before = currentTarget.closest("li")?.previousElementSibling;
          at.state.opened.set(open, true);
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
