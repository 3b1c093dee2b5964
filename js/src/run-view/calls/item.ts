/** An item of the flat list: where it stands, which is told by how far in it begins. */
import type { RunState } from "../state";

/** What each item of the list is given. */
export interface At {
  state: RunState;
  id: string;
  /** The `id` of the row that holds it, or nothing. */
  above: string;
  depth: number;
}

/** An item's place, as its attributes: sight has the indent, and those who listen the level. */
export function placed({ id, above, depth }: At) {
  return { "data-id": id, "data-above": above, "aria-level": depth + 1, style: indent(depth) };
}

export function indent(depth: number): string {
  return `--nba-depth:${depth}`;
}
