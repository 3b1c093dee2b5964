/**
 * Order, filter and page of a table whose view gives way to another one, as at the end of a run.
 */
import { effect } from "@preact/signals";
import { sharedOnPage } from "../../bridge";
import type { TablePages } from "./pages";
import type { Arrangement } from "./questions";

/** So long after a view has gone another one of the same table goes on with it. */
const SOON_MS = 10_000;

interface Kept extends Arrangement {
  of: string;
  offset: number;
}

/** Go on as the last view of this table; and tell the next one, until the signal and for a while after it. */
export function keepArrangement(pages: TablePages, id: string, signal: AbortSignal): void {
  const all = sharedOnPage("tables", () => new Map<string, Kept>());
  const known = all.get(id);
  if (known && known.of === namesIn(pages)) pages.begin(known.offset, known);
  let now: Kept | undefined;
  const stop = effect(() => {
    const [sort, query] = [pages.sort.value, pages.query.value];
    now = { of: namesIn(pages), sort, query, offset: pages.offset.value };
    all.set(id, now);
  });
  signal.addEventListener("abort", () => {
    stop();
    setTimeout(() => {
      if (all.get(id) === now) all.delete(id);
    }, SOON_MS);
  });
}

/** The names of the columns: of others neither order nor filter says anything. */
function namesIn(pages: TablePages): string {
  return JSON.stringify(pages.table.value.columns.slice(0, 100).map((column) => column?.name));
}
