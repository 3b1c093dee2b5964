/** AnyTool's pool of candidates, read from JSON: what does not fit is no pool. */
import { isRecord, textIn } from "../bridge";
import { once } from "../tree";

export interface Pool {
  size: number;
  round: number;
  /** By category, in the order in which they came. */
  categories: [name: string, apis: Member[]][];
  count: number;
  pruned: Member[];
}

/** An API that is in the pool, or was. */
export interface Member {
  name: string;
  tool: string;
  category: string;
  /** Who put it in; empty where that is not said. */
  by: string;
  isNew: boolean;
  /** Of one that was taken out. */
  why: string;
}

export function poolFrom(value: unknown): Pool | null {
  if (!isRecord(value)) return null;
  const { size, round, apis, pruned } = value;
  if (typeof size !== "number" || typeof round !== "number") return null;
  const held = membersFrom(apis, round);
  const gone = membersFrom(pruned, round);
  if (!held || !gone) return null;
  const categories = new Map<string, Member[]>();
  for (const one of held) once(categories, one.category, () => []).push(one);
  return { size, round, categories: [...categories], count: held.length, pruned: gone };
}

function membersFrom(value: unknown, now: number): Member[] | null {
  if (!Array.isArray(value)) return null;
  const found = value.map((one) => memberFrom(one, now));
  return found.every((one) => one !== null) ? found : null;
}

function memberFrom(value: unknown, now: number): Member | null {
  if (!isRecord(value)) return null;
  const { name, tool, category, by, round, why } = value;
  if (typeof name !== "string" || typeof category !== "string") return null;
  return {
    name,
    category,
    tool: textIn(tool),
    by: textIn(by),
    isNew: now > 0 && round === now,
    why: textIn(why),
  };
}
