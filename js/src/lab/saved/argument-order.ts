/**
 * The order of arguments: a notebook sorts the JSON that it keeps by name, so their order stands beside
 * them.
 */
import { isRecord } from "../../bridge";
import type { JsonValue } from "../../tree";
import { type AwaitNode, type CallNode, put, type Tree } from "../../tree";

/** Give the arguments of a saved tree the order in which they were written. */
export function restoreOrder(tree: Tree): void {
  for (const run of Object.values(tree.runs)) {
    for (const call of Object.values(run.calls)) {
      call.proposed = ordered(call.proposed, call.argument_names);
      restore(call);
    }
    run.awaits.forEach(restore);
  }
}

function restore(of: CallNode | AwaitNode): void {
  of.arguments = ordered(of.arguments, of.argument_names);
  delete of.argument_names;
}

function ordered(value: JsonValue, names: string[] = []): JsonValue {
  if (!names.length || !isRecord(value)) return value;
  const known = names.filter((name) => Object.hasOwn(value, name));
  const made: Record<string, JsonValue> = {};
  for (const name of new Set([...known, ...Object.keys(value)])) {
    put(made, name, value[name] ?? null);
  }
  return made;
}
