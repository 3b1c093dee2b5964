/** Which calls hold some words: by name, arguments, result and state. */
import { jsonText } from "../../numbers";
import { type CallNode, callsOf, entry, once, type Tree } from "../../tree";
import { CALL_WORDS } from "../../words";
import { callKey } from "./open-rows";

/** Of a long result only the beginning is looked through. */
const MOST_CHARACTERS = 20_000;

export interface Found {
  /** The rows to show: those that match, and those that hold one that does. */
  keys: ReadonlySet<string>;
  /** The rows that hold one that matches. */
  above: ReadonlySet<string>;
  matching: number;
  all: number;
  /** Of how many calls only the beginning of the result was looked through. */
  cut: number;
}

/** The calls of the tree that hold all words of the query. */
export function find(tree: Tree, query: string): Found {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const keys = new Set<string>();
  const above = new Set<string>();
  const seen = new Set<string>();
  let matching = 0;
  let all = 0;
  let cut = 0;
  const search = (run_id: string): boolean => {
    const run = entry(tree.runs, run_id);
    if (!run || seen.has(run_id)) return false;
    seen.add(run_id);
    let isAny = false;
    for (const call of callsOf(run)) {
      const key = callKey(run_id, call.id);
      const isMatch = words.every((word) => textOf(call).includes(word));
      const isAbove = call.child_run_ids.map(search).some(Boolean);
      all += 1;
      if ((call.content?.length ?? 0) > MOST_CHARACTERS) cut += 1;
      if (isMatch) matching += 1;
      if (isAbove) for (const one of [key, ...call.child_run_ids]) above.add(one);
      if (isMatch || isAbove) keys.add(key);
      isAny ||= isMatch || isAbove;
    }
    return isAny;
  };
  for (const id of tree.root_ids) search(id);
  return { keys, above, matching, all, cut };
}

/** How many calls there are, in all runs. */
export function callCount(tree: Tree): number {
  return Object.values(tree.runs).reduce((total, run) => total + callsOf(run).length, 0);
}

const texts = new WeakMap<CallNode, string>();

function textOf(call: CallNode): string {
  return once(texts, call, () => {
    const { name, hint, content, preview, failure } = call;
    const said = [name, hint, CALL_WORDS[call.status], preview, failure?.message, content];
    const all = [jsonText(call.arguments), ...said];
    const text = all.map((one) => one?.slice(0, MOST_CHARACTERS) ?? "").join("\n");
    return text.toLowerCase();
  });
}
