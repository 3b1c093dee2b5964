/**
 * What the model saw at each step: the messages and the tools, and what is new in them.
 *
 * An event says only what no other one does, so the requests are put together again from it, the
 * answers, and the results of calls.
 */

import { jsonText } from "../../numbers";
import type { ShownMessage, ShownTool } from "../../tree";
import { type CallNode, callsOf, type RunNode } from "../../tree";

export interface SeenStep {
  step: number;
  /** All messages of the request. */
  messages: ShownMessage[];
  /** The place of the first one that the step before had not. */
  newFrom: number;
  /** How many there were as sent: more than are known, where a saved run was cut. */
  sent: number;
  tools: ShownTool[];
  changes: ToolChanges;
  /** Of messages and tools. */
  characters: number;
}

/** Names of tools. */
interface ToolChanges {
  added: string[];
  removed: string[];
  changed: string[];
}

/** About how many characters one token has, in English. */
const TOKEN_CHARACTERS = 4;

/** What each step of a run saw, in order. */
export function seenSteps(run: RunNode): SeenStep[] {
  const messages: ShownMessage[] = [];
  const calls = callsOf(run);
  let tools: ShownTool[] = [];
  let characters = 0;
  return run.requests.map(({ step, message_count, messages: told, schemas }, at) => {
    const newFrom = at === 0 ? 0 : messages.length;
    const before = run.requests[at - 1];
    if (before) messages.push(...answered(run, before.step, calls));
    messages.push(...told);
    characters += messages.slice(newFrom).reduce((total, one) => total + messageSize(one), 0);
    const offered = schemas ?? tools;
    const changes = toolChanges(tools, offered, at === 0);
    tools = offered;
    return {
      step,
      messages: messages.slice(),
      newFrom,
      sent: message_count,
      tools,
      changes,
      characters: characters + toolsSize(tools),
    };
  });
}

/** What a step added to the conversation: the answer, and the result of each call it asked for. */
function answered(run: RunNode, step: number, calls: CallNode[]): ShownMessage[] {
  const said = run.items.find((item) => item.type === "text" && item.step === step);
  const text = said && "text" in said ? said.text : "";
  const asked = calls.filter((call) => call.step === step);
  if (!text && !asked.length) return [];
  const made = asked.map((call) => ({
    id: call.id,
    name: call.name,
    arguments: typeof call.arguments === "string" ? call.arguments : jsonText(call.arguments ?? {}),
  }));
  const answer: ShownMessage = { role: "assistant", text, parts: [], calls: made, call_id: null };
  const results = asked.flatMap(({ id, content }): ShownMessage[] =>
    content // a call that the provider made itself has none
      ? [{ role: "tool", text: content, parts: [], calls: [], call_id: id }]
      : [],
  );
  return [answer, ...results];
}

/** What differs between the tools of two steps; of the first step nothing does. */
export function toolChanges(before: ShownTool[], now: ShownTool[], isFirst = false): ToolChanges {
  if (isFirst || before === now) return { added: [], removed: [], changed: [] };
  const known = new Map(before.map((tool) => [tool.name, JSON.stringify(tool)]));
  const left = new Set(now.map(({ name }) => name));
  return {
    added: now.filter(({ name }) => !known.has(name)).map(({ name }) => name),
    removed: before.filter(({ name }) => !left.has(name)).map(({ name }) => name),
    changed: now
      .filter((tool) => (known.get(tool.name) ?? JSON.stringify(tool)) !== JSON.stringify(tool))
      .map(({ name }) => name),
  };
}

export function messageSize({ text, parts, calls }: ShownMessage): number {
  const written = calls.reduce((total, one) => total + one.name.length + one.arguments.length, 0);
  return text.length + parts.join("").length + written;
}

export function toolsSize(tools: ShownTool[]): number {
  return tools.length ? JSON.stringify(tools).length : 0;
}

/** About how many tokens so many characters are. */
export function aboutTokens(characters: number): number {
  return Math.ceil(characters / TOKEN_CHARACTERS);
}

/** A step as text, a line for each thing, so that two can be compared. */
export function seenText({ calls: made }: RunNode, { messages, tools }: SeenStep): string {
  const named = (id: string | null) => (id === null ? "" : ` of ${made[id]?.name ?? id}`);
  const told = messages.flatMap(({ role, text, parts, calls, call_id }) => [
    `[${role === "tool" ? "result" : role}${named(call_id)}]`,
    ...(text ? [text] : []),
    ...parts,
    ...calls.map(({ name, arguments: given }) => `${name}(${given})`),
    "",
  ]);
  const offered = tools.flatMap(({ name, description, parameters }) => [
    `[offered ${name}]`,
    description,
    jsonText(parameters, "  "),
    "",
  ]);
  return [...told, ...offered].join("\n");
}
