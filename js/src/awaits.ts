/**
 * What a person is asked, folded into the tree, as `nbagents/runs/tree/awaits.py` does.
 *
 * @module
 */
import type { Draft } from "./draft";
import type {
  AwaitClarification,
  AwaitConfirmation,
  AwaitExternalTools,
  AwaitQuestions,
  AwaitResolved,
  ToolAuthorization,
} from "./events";
import {
  type AwaitNode,
  aboutArguments,
  type CallNode,
  entry,
  type RunNode,
  setArguments,
} from "./tree";

type AnyAwait = AwaitConfirmation | AwaitClarification | AwaitQuestions | AwaitExternalTools;

/** Something is asked; the calls of a run that is ours which wait for it say so. */
export function applyAwait(run: RunNode, event: AnyAwait, draft: Draft): void {
  const said = nodeOf(event);
  run.awaits = [...run.awaits, said];
  for (const id of waitingFor(said)) {
    const call = entry(run.calls, id);
    if (!call) continue;
    const waiting = draft.call(run, id, call.name);
    waiting.status = "waiting";
    if (event.type === "await_confirmation") setArguments(waiting, event.arguments, event);
  }
}

/** An answer, or none any more; a call that waits for nothing else goes on. */
export function resolveAwait(run: RunNode, event: AwaitResolved, draft: Draft): void {
  const at = run.awaits.findIndex(({ id }) => id === event.await_id);
  const known = run.awaits[at];
  if (!known) return;
  const { outcome, answer, answered_by, note } = event;
  const told = { ...known, resolved_at: event.at, outcome, answer, answered_by, note };
  run.awaits = run.awaits.with(at, told);
  for (const id of waitingFor(told)) {
    const call = entry(run.calls, id);
    if (call?.status !== "waiting" || isAwaited(run, id)) continue;
    draft.call(run, id, call.name).status = call.started_at === null ? "preparing" : "running";
  }
}

/** Somebody, or a policy, allowed or denied a call. */
export function applyAuthorization(run: RunNode, call: CallNode, event: ToolAuthorization): void {
  const { approved, approved_by: by, at, summary, note, edited, remembered, under_grant } = event;
  call.authorization = { approved, by, at, summary, note, edited, remembered, under_grant };
  if (edited) keepProposed(call, firstAsked(run, call));
  if (event.arguments !== null) setArguments(call, event.arguments, event);
}

/**
 * The arguments are about to change, or have; those that the model wanted stay beside them.
 *
 * @param asked What the person was asked first: a later question may be of what they gave.
 */
export function keepProposed(call: CallNode, asked?: AwaitNode): void {
  call.proposed ??= (asked ?? call).arguments;
}

function firstAsked(run: RunNode, call: CallNode): AwaitNode | undefined {
  return run.awaits.find(({ call_id, kind }) => call_id === call.id && kind === "confirmation");
}

/** The calls that wait for an answer. */
export function waitingFor({ call_id, calls }: AwaitNode): string[] {
  return call_id === null ? calls.map(({ id }) => id) : [call_id];
}

function isAwaited(run: RunNode, call_id: string): boolean {
  return run.awaits.some((one) => one.outcome === null && waitingFor(one).includes(call_id));
}

function nodeOf(event: AnyAwait): AwaitNode {
  switch (event.type) {
    case "await_confirmation": {
      const { title, prompt: text, reason, arguments: given, form } = event;
      return { ...blank(event, "confirmation"), title, text, reason, arguments: given, form };
    }
    case "await_clarification": {
      const { tool_name, question: text, given, form, missing_fields } = event;
      const said = { title: tool_name ?? "", text, arguments: given, form, missing_fields };
      return { ...blank(event, "clarification"), ...said };
    }
    case "await_questions": {
      const { title, questions } = event;
      return { ...blank(event, "questions"), title, questions };
    }
    case "await_external_tools": {
      const { calls } = event;
      const title = [...new Set(calls.map(({ name }) => name))].join(", ");
      return { ...blank(event, "external_tools"), title, calls };
    }
  }
}

function blank(event: AnyAwait, kind: AwaitNode["kind"]): AwaitNode {
  return {
    id: event.await_id,
    kind,
    call_id: "tool_call_id" in event ? event.tool_call_id : null,
    title: "",
    text: "",
    reason: "",
    arguments: null,
    form: null,
    missing_fields: [],
    questions: [],
    calls: [],
    asked_at: event.at,
    resolved_at: null,
    outcome: null,
    answer: null,
    answered_by: null,
    note: null,
    ...aboutArguments(event),
  };
}
