/** What a long list draws, some rows in each turn, and takes away in turns. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useGrowing, whenQuiet } from "../../page";
import type { Row } from "../rows";

/** Of rows that other words take away this many go at once, more in turns: each has much to let go. */
const MOST_AT_ONCE = 60;

type Drawn = readonly [key: string, item: JSX.Element];

export interface Elements {
  rows: readonly Drawn[];
  /** What is no longer listed and still to be taken away: nobody is to see it. */
  leaving: readonly Drawn[];
}

interface Kept {
  of: string;
  rows: Row[];
  /** How many of the rows were looked at. */
  upTo: number;
  made: Drawn[];
  leaving: readonly Drawn[];
}

/**
 * The elements of so many rows as are drawn. Each is made once for a list, and is the same as in the list
 * before where it says the same: of what it knows Preact draws nothing anew.
 *
 * @param of What was looked for: other words show another list, which begins anew.
 */
export function useElements(
  rows: Row[],
  of: string,
  draw: (row: Row) => JSX.Element | null,
): Elements {
  const drawn = useGrowing(rows.length, of);
  const gone = useSignal(0);
  const kept = useRef<Kept>({ of, rows: [], upTo: 0, made: [], leaving: [] });
  const before = kept.current;
  const isSame = before.rows === rows && before.upTo <= drawn && before.of === of;
  const made = isSame ? [...before.made] : [];
  const known = new Map(isSame ? before.leaving : [...before.made, ...before.leaving]);
  for (const row of rows.slice(isSame ? before.upTo : 0, drawn)) {
    const item = draw(row);
    const last = known.get(row.key);
    if (item) made.push([row.key, last && isAlike(last, item) ? last : item]);
  }
  const leaving = leavingOf(before, of, made);
  kept.current = { of, rows, upTo: drawn, made, leaving };
  const isIdle = leaving.length === 0 || drawn < rows.length;
  useEffect(() => {
    if (isIdle) return;
    return whenQuiet(() => {
      kept.current = { ...kept.current, leaving: kept.current.leaving.slice(0, -MOST_AT_ONCE) };
      gone.value += 1;
    });
  }, [isIdle, of, gone.value]);
  return { rows: made, leaving };
}

/** What was drawn and is no more: few go at once. */
function leavingOf(before: Kept, of: string, made: readonly Drawn[]): readonly Drawn[] {
  const all = before.of === of ? before.leaving : [...before.made, ...before.leaving];
  if (!all.length) return all;
  const here = new Set(made.map(([key]) => key));
  const left = all.filter(([key]) => !here.has(key));
  return before.of === of || left.length > MOST_AT_ONCE ? left : [];
}

/** Whether two elements say the same. */
function isAlike(known: JSX.Element, item: JSX.Element): boolean {
  const was: Readonly<Record<string, unknown>> = known.props;
  const now = Object.entries(item.props);
  const isAsMuch = Object.keys(was).length === now.length;
  return known.type === item.type && isAsMuch && now.every(([name, value]) => was[name] === value);
}
