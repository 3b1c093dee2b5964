/**
 * What somebody has written where a run waits in step mode, kept for as long as the page's tab lives: also
 * where the page is loaded again, or the notebook closed and opened.
 */
import { effect } from "@preact/signals";
import type { Question } from "../state";

/** A run waits at one step at a time: what is kept of an earlier one gives way. */
const keyOf = ({ run }: Question) => `nbagents.step.${run.id}`;

/** Have what was written here before, and keep what is written from now on, as JSON can say it. */
export function keepDrafts<Kept>(
  question: Question,
  written: () => Kept,
  restore: (kept: Kept) => void,
): void {
  const { id, pause } = question.node;
  // a run that is repeated may have the same ids, and be told something else
  const about = `${id} ${JSON.stringify(pause).length} `;
  const first = JSON.stringify(written());
  keep(() => {
    const found = sessionStorage.getItem(keyOf(question));
    if (found?.startsWith(about)) restore(JSON.parse(found.slice(about.length)));
  });
  effect(() => {
    const now = JSON.stringify(written());
    if (now === first) forgetDrafts(question);
    else keep(() => sessionStorage.setItem(keyOf(question), about + now));
  });
}

/** They were sent. */
export function forgetDrafts(question: Question): void {
  keep(() => sessionStorage.removeItem(keyOf(question)));
}

/** A page may forbid it, be full, or hold something else there: then drafts live as long as the page. */
function keep(work: () => void): void {
  try {
    work();
  } catch {}
}
