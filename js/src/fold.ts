/**
 * Fold events into the tree, as `nbagents/runs/tree/folding.py` does; both pass
 * `tests/fixtures/events/*.jsonl`.
 *
 * A tree that was handed out is never changed: a batch copies the nodes it touches, once, so a node
 * that is the same object shows the same thing.
 *
 * @module
 */

import { applyAuthorization, applyAwait, keepProposed, resolveAwait } from "./awaits";
import { Draft } from "./draft";
import type {
  AnyEvent,
  AssistantTurn,
  Guardrail,
  JsonValue,
  RunStart,
  ToolData,
  ToolEnd,
  ToolUpdate,
  UsageReported,
  Workflow,
} from "./events";
import { parsedJson } from "./numbers";
import { addOutput } from "./output";
import { type CallNode, entry, type RunNode, setArguments, type TextItem, type Tree } from "./tree";

type CallEvent = Extract<AnyEvent, { tool_call_id: string; tool_name: string }>;

/** A tree in the making. The same event twice changes nothing. */
export class TreeFold {
  #tree: Tree = { version: 1, root_ids: [], runs: {} };
  readonly #seen = new Set<number>();

  get tree(): Tree {
    return this.#tree;
  }

  /** Fold a batch in. */
  take(events: Iterable<AnyEvent>): void {
    const draft = new Draft(this.#tree);
    for (const event of events) {
      if (this.#seen.has(event.seq)) continue;
      this.#seen.add(event.seq);
      if (event.type === "run_start") draft.start(event);
      else apply(event, draft);
    }
    this.#tree = draft.tree;
  }
}

/** The tree that these events make. */
export function fold(events: Iterable<AnyEvent>): Tree {
  const folding = new TreeFold();
  folding.take(events);
  return folding.tree;
}

/** The tree of a log whose writer is gone: what was open is of unknown outcome. */
export function settle(tree: Tree): Tree {
  const draft = new Draft(tree);
  for (const { id, status } of Object.values(tree.runs)) {
    const run = status === "running" ? draft.run(id) : undefined;
    if (!run) continue;
    run.status = "unknown";
    draft.setCalls(run, ["preparing", "waiting", "running"], "unknown");
  }
  return draft.tree;
}

function apply(event: Exclude<AnyEvent, RunStart>, draft: Draft): void {
  const run = draft.run(event.run_id);
  if (!run) return;
  const call = (of: CallEvent) => draft.call(run, of.tool_call_id, of.tool_name);
  switch (event.type) {
    case "user_message":
      if (!run.prompt) {
        run.prompt = event.text;
        run.shared = event.shared;
      }
      return;
    case "workflow":
      enterPhase(run, event, draft);
      return;
    case "assistant_delta":
      run.text = setText(run, "text", event.step, (text) => text + event.text).text;
      return;
    case "assistant_turn":
      takeTurn(run, event, draft);
      return;
    case "thought":
      setText(run, "thought", event.step, (text) => text + event.text);
      return;
    case "tool_args_delta":
      call(event);
      return;
    case "tool_start":
      setArguments(call(event), event.arguments, event);
      Object.assign(call(event), {
        status: "running",
        hint: event.display_hint,
        source_hash: event.source_hash,
        cell_id: event.cell_id,
        progress: null, // what it waited for has come
        started_at: event.at,
      } satisfies Partial<CallNode>);
      return;
    case "tool_update":
      updateCall(call(event), event);
      return;
    case "tool_output_delta":
      addOutput(call(event), event);
      return;
    case "tool_data":
      putPayload(call(event), event);
      return;
    case "tool_end":
      endCall(call(event), event);
      return;
    case "child_run_linked": {
      const children = call(event).child_run_ids;
      if (!children.includes(event.child_run_id)) children.push(event.child_run_id);
      return;
    }
    case "await_confirmation":
      call(event);
      applyAwait(run, event, draft);
      return;
    case "await_clarification":
    case "await_questions":
    case "await_external_tools":
      applyAwait(run, event, draft);
      return;
    case "await_resolved":
      resolveAwait(run, event, draft);
      return;
    case "tool_authorization":
      applyAuthorization(run, call(event), event);
      return;
    case "handoff": {
      const { type, step, from_agent, to_agent, model } = event;
      run.items.push({ type, step, from_agent, to_agent, model });
      return;
    }
    case "guardrail":
      takeGuardrail(run, event, draft);
      return;
    case "usage":
      run.usage = counted(run.usage, event);
      return;
    case "prompt_rendered": {
      const { step, message_count, messages, schemas } = event;
      run.requests.push({ step, message_count, messages, schemas });
      return;
    }
    case "run_stream_end":
      return; // of this the tree shows nothing
    default:
      unreachable(event);
  }
}

function enterPhase(run: RunNode, event: Workflow, draft: Draft): void {
  run.phase = event.phase;
  run.step = Math.max(run.step, event.step);
  switch (event.phase) {
    case "prompted":
    case "planning":
    case "executing_tools":
    case "synthesizing":
      return;
    default:
      run.status = event.phase;
      run.ended_at = event.at;
      run.failure = event.failure;
      if (event.phase === "suspended")
        draft.setCalls(run, ["running"], "waiting"); // for a run inside
      else draft.setCalls(run, ["preparing"], "skipped"); // asked for in an answer that came to nothing
  }
}

function takeTurn(run: RunNode, event: AssistantTurn, draft: Draft): void {
  const item = setText(run, "text", event.step, () => event.text);
  if (!event.text) run.items.splice(run.items.indexOf(item), 1);
  run.text = event.text;
  run.citations = event.citations;
  run.refused = event.refused;
  run.unmet = event.unmet;
  for (const asked of event.calls) {
    const call = draft.call(run, asked.id, asked.name);
    setArguments(call, parsed(asked.arguments), asked);
    call.step = event.step;
  }
}

/** Replace the newest text or thought of a step, made where there is none. */
function setText(
  run: RunNode,
  type: TextItem["type"],
  step: number,
  change: (text: string) => string,
): TextItem {
  const at = run.items.findLastIndex((item) => item.type === type && item.step === step);
  const known = run.items[at];
  const item: TextItem = { type, step, text: change(known && "text" in known ? known.text : "") };
  if (known) run.items[at] = item;
  else run.items.push(item);
  return item;
}

function updateCall(call: CallNode, { message, fraction, expected_children }: ToolUpdate): void {
  call.expected_children = expected_children ?? call.expected_children;
  if (message || fraction !== null) call.progress = { message, fraction };
}

function takeGuardrail(run: RunNode, event: Guardrail, draft: Draft): void {
  const { name, stage, outcome, message } = event;
  const known = event.tool_call_id === null ? undefined : entry(run.calls, event.tool_call_id);
  const of = known ? draft.call(run, known.id, known.name) : run;
  of.guardrails = [...of.guardrails, { name, stage, outcome, message }];
  if ("proposed" in of && stage === "tool_input" && outcome === "replace") keepProposed(of);
}

function counted(usage: RunNode["usage"], event: UsageReported): RunNode["usage"] {
  return {
    input_tokens: usage.input_tokens + event.input_tokens,
    output_tokens: usage.output_tokens + event.output_tokens,
    cached_tokens: usage.cached_tokens + event.cached_tokens,
    requests: usage.requests + 1,
    cost: event.cost === null ? usage.cost : (usage.cost ?? 0) + event.cost,
  };
}

function putPayload(call: CallNode, event: ToolData): void {
  const node = { id: event.payload_id, payload: event.payload };
  const at = call.payloads.findIndex((known) => known.id === event.payload_id);
  if (at < 0) call.payloads.push(node);
  else call.payloads[at] = node;
}

function endCall(call: CallNode, event: ToolEnd): void {
  call.status = event.status;
  call.content = event.content;
  call.preview = event.preview;
  call.handle = event.handle;
  call.failure = event.failure;
  call.bounds = event.bounds;
  call.duration_ms = event.duration_ms;
  call.run_links = event.run_links;
}

function parsed(text: string): JsonValue {
  try {
    return parsedJson(text);
  } catch {
    return text;
  }
}

/** The compiler proves that every event has its case; one of a newer kernel shows nothing. */
function unreachable(_event: never): void {}
