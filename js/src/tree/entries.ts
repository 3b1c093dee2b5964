/** What is read of a tree: the own entries of its records, and the calls in order. */
import type { AwaitNode, CallNode, RunNode, Tree } from "./nodes";

/** The own entry of a record: ids are written by models, and one may be called `constructor`. */
export function entry<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Set the own entry of a record, whatever it is called. */
export function put<T>(record: Record<string, T>, key: string, value: T): void {
  Object.defineProperty(record, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

interface Kept<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** What a map has for a key, made when first asked for. */
export function once<Key, Value>(map: Kept<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

/** The calls of a run in order of appearance. */
export function callsOf(run: RunNode): CallNode[] {
  const calls: CallNode[] = [];
  for (const item of run.items) {
    const call = item.type === "call" ? entry(run.calls, item.call_id) : undefined;
    if (call) calls.push(call);
  }
  return calls;
}

/** The runs that a call has started. */
export function runsOf(tree: Tree, { child_run_ids }: CallNode): RunNode[] {
  return child_run_ids.flatMap((id) => entry(tree.runs, id) ?? []);
}

/** The run that a call belongs to, as it stands in the tree. */
export function runWith(tree: Tree, call: CallNode): RunNode | undefined {
  return Object.values(tree.runs).find(({ calls }) => calls[call.id] === call);
}

/** The calls that wait for an answer. */
export function waitingFor({ call_id, calls }: AwaitNode): string[] {
  return call_id === null ? calls.map(({ id }) => id) : [call_id];
}
