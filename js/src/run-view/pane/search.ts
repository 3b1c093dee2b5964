/**
 * Search through everything that the page has of a run: also what calls gave, showed and printed.
 */
import { isRecord } from "../../bridge";
import { jsonText } from "../../numbers";
import {
  type CallNode,
  callsOf,
  entry,
  type JsonValue,
  once,
  type PayloadNode,
  runsOf,
  type Tree,
} from "../../tree";
import { argumentWords, CALL_WORDS } from "../../words";
import { callKey } from "../state";

/** The keys of the calls that hold all words. */
export function search(tree: Tree, query: string): Set<string> {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = new Set<string>();
  for (const run of Object.values(tree.runs)) {
    for (const call of callsOf(run)) {
      const texts = [textOf(call), ...agentTexts(tree, call)];
      if (words.every((word) => texts.some((text) => text.includes(word))))
        found.add(callKey(run.id, call.id));
    }
  }
  return found;
}

/** The same keys, with those of the calls above them: without these nobody sees where they stand. */
export function withHolders(tree: Tree, keys: Iterable<string>): Set<string> {
  const all = new Set<string>();
  for (const key of keys) {
    let at: string | null = key;
    while (at !== null && !all.has(at)) {
      all.add(at);
      at = holderOf(tree, at);
    }
  }
  return all;
}

function holderOf(tree: Tree, key: string): string | null {
  const run = entry(tree.runs, key.slice(0, key.indexOf("/")));
  if (!run || run.parent_run_id === null || run.parent_tool_call_id === null) return null;
  return callKey(run.parent_run_id, run.parent_tool_call_id);
}

/** What an agent was asked, and what it answered. */
function agentTexts(tree: Tree, call: CallNode): string[] {
  return runsOf(tree, call).map(({ prompt, text }) => `${prompt}\n${text}`.toLowerCase());
}

const texts = new WeakMap<CallNode, string>();

function textOf(call: CallNode): string {
  return once(texts, call, () => {
    const { name, hint, content, preview, failure, output, payloads } = call;
    const why = [failure?.message, failure?.debug_message];
    const said = [name, hint, CALL_WORDS[call.status], preview, content, ...why];
    const given = argumentWords({ arguments: call.arguments }, String);
    const shown = payloads.flatMap(({ payload }) => written(payload.value));
    const printed = output.map((one) => one.text);
    const all = [...written(call.arguments), ...given, ...said, ...printed, ...shown];
    return all.filter(Boolean).join("\n").toLowerCase();
  });
}

/** A value as JSON, and with the quotes and backslashes in its texts as they are read. */
function written(value: JsonValue): string[] {
  const text = jsonText(value);
  return [text, text.replaceAll('\\"', '"').replaceAll("\\\\", "\\")];
}

/** How many tables have rows that the page was not sent: those are not looked through. */
export function partialTables({ runs }: Tree): number {
  const all = Object.values(runs).flatMap(callsOf);
  const tables = all.flatMap(({ payloads }) => payloads.filter(({ payload }) => isPart(payload)));
  return tables.length;
}

function isPart({ kind, value }: PayloadNode["payload"]): boolean {
  if (kind !== "table" || !isRecord(value)) return false;
  const { total, rows } = value;
  return typeof total === "number" && Array.isArray(rows) && rows.length < total;
}
