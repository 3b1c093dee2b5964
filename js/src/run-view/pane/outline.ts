/**
 * The tree at the left: the rows of the run's list that are calls and runs, with the steps between
 * them.
 */
import type { RunNode, Tree } from "../../tree";
import { type Row, rowsOf } from "../rows";
import { callPlace, type PaneNode, runPlace, stepPlace } from "./node";

export interface OutlineRow {
  place: PaneNode;
  /** 1: the run itself. */
  level: number;
  /** The key of what holds it; `null`: nothing. */
  above: string | null;
  /** `null`: it holds nothing. */
  isOpen: boolean | null;
}

interface OutlineOptions {
  /** Whether what holds others shows them. */
  isOpen(key: string): boolean;
  /** The calls to show, with those that hold them; `null`: all, and the steps. */
  found: ReadonlySet<string> | null;
}

/** The rows of the outline, from the run itself on. */
export function outlineOf(tree: Tree, root: RunNode, options: OutlineOptions): OutlineRow[] {
  const { isOpen, found } = options;
  const all = rowsOf(tree, root, {
    isOpen: (key) => found !== null || isOpen(key),
    isFolded: false,
    isWhole: () => true,
    standsAlone: () => true,
    stays: () => true,
    found,
    askedIn: () => [],
  });
  const outline = new Outline(tree, root, found === null);
  for (const row of all) outline.add(row);
  outline.addSteps(root, Number.POSITIVE_INFINITY, 2, root.id);
  return outline.rows;
}

class Outline {
  readonly rows: OutlineRow[];
  readonly #tree: Tree;
  readonly #hasSteps: boolean;
  /** How many steps of each run are there already. */
  readonly #steps = new Map<string, number>();

  constructor(tree: Tree, root: RunNode, hasSteps: boolean) {
    this.#tree = tree;
    this.#hasSteps = hasSteps;
    this.rows = [{ place: runPlace(root), level: 1, above: null, isOpen: true }];
  }

  add(row: Row): void {
    const level = row.depth + 2;
    const above = row.above ?? this.rows[0]?.place.key ?? null;
    if (row.type === "call") {
      this.addSteps(row.run, row.call.step, level, above);
      const place = callPlace(this.#tree, row.run, row.call);
      const isOpen = row.call.child_run_ids.length ? row.isOpen : null;
      this.rows.push({ place, level, above, isOpen });
    } else if (row.type === "run")
      this.rows.push({ place: runPlace(row.child), level, above, isOpen: row.isOpen });
    else if (row.type === "end") this.addSteps(row.run, Number.POSITIVE_INFINITY, level, above);
  }

  /** The steps of a run up to one, as far as they are not there. */
  addSteps(run: RunNode, upTo: number, level: number, above: string | null): void {
    if (!this.#hasSteps) return;
    const from = this.#steps.get(run.id) ?? 0;
    const rest = run.requests.slice(from);
    const end = rest.findIndex(({ step }) => step > upTo);
    const due = end < 0 ? rest : rest.slice(0, end);
    this.#steps.set(run.id, from + due.length);
    for (const { step } of due)
      this.rows.push({ place: stepPlace(run, step), level, above, isOpen: null });
  }
}

/** What a key of the keyboard leads to from a row. */
type Move = { to: string } | { open: string; isOpen: boolean };

/** Where a key leads from the selected row; `null`: nowhere. */
export function moveFrom(rows: readonly OutlineRow[], key: string, selected: string): Move | null {
  const at = rows.findIndex(({ place }) => place.key === selected);
  const row = rows[at];
  const to = (place: number): Move | null => {
    const found = rows[Math.min(Math.max(place, 0), rows.length - 1)];
    return found ? { to: found.place.key } : null;
  };
  switch (key) {
    case "ArrowDown":
      return to(at + 1);
    case "ArrowUp":
      return to(at - 1);
    case "Home":
      return to(0);
    case "End":
      return to(rows.length - 1);
    case "ArrowRight":
      if (!row || row.isOpen === null) return null;
      return row.isOpen ? to(at + 1) : { open: selected, isOpen: true };
    case "ArrowLeft":
      if (row?.isOpen && row.above !== null) return { open: selected, isOpen: false };
      return row && row.above !== null ? { to: row.above } : null;
    default:
      return null;
  }
}

/** Whose row stands for what is selected: a run that is its call's only one has none of its own. */
export function rowKeyOf(rows: readonly OutlineRow[], selected: string): string {
  const own = rows.find(({ place }) => place.key === selected);
  const asAgent = rows.find(({ place }) => place.type === "call" && place.child?.id === selected);
  return (own ?? asAgent ?? rows[0])?.place.key ?? "";
}
