/**
 * A saved run, read from a notebook's JSON: every field is looked at, since a notebook may come from
 * anybody, and from another version. What does not fit is refused as a whole; the notebook's HTML
 * then stands in for it.
 *
 * @module
 */
import { isRecord, type Opening, openingOf } from "../bridge";
import type {
  Bounds,
  Citation,
  Failure,
  FieldIssue,
  JsonValue,
  Limits,
  Option,
  Payload,
  Question,
  RequestedCall,
  RunLink,
  ShownCall,
  ShownMessage,
  ShownTool,
} from "../events";
import {
  type AuthorizationNode,
  type AwaitNode,
  type CallItem,
  type CallNode,
  entry,
  type GuardrailNode,
  type HandoffItem,
  type Item,
  type PayloadNode,
  type RequestNode,
  type RunNode,
  type TextItem,
  type Tree,
  type UsageNode,
} from "../tree";
import { restoreOrder } from "./argument-order";
import {
  byId,
  flag,
  json,
  list,
  Misfit,
  maybe,
  number,
  oneOf,
  or,
  orNull,
  type Reader,
  record,
  text,
} from "./reader";

export const RUN_MIME = "application/vnd.nbagents.run.v1+json";

/** What a notebook holds of a run; written by `nbagents/notebook/frozen.py`. */
export interface SavedRun {
  root_id: string;
  tree: Tree;
  /** What was shortened, a sentence each. */
  cuts: { text: string }[];
  /** Which calls are open at first. */
  open: Opening;
}

const limits = record<Limits>({
  max_steps: orNull(number),
  max_calls: orNull(number),
  max_tokens: orNull(number),
  timeout_s: orNull(number),
  max_cost: orNull(number),
  max_failed_batches: orNull(number),
  max_depth: orNull(number),
});

const failure = record<Failure>({
  kind: oneOf(
    "invalid_call",
    "domain_rejection",
    "unavailable",
    "rate_limited",
    "timeout",
    "malformed_result",
    "internal",
  ),
  recovery: oneOf("correct_call", "replan", "finish"),
  message: text,
  issues: list(record<FieldIssue>({ field: text, constraint: text, message: text })),
  debug_message: orNull(text),
});

const bounds = record<Bounds>({
  returned: number,
  total: orNull(number),
  truncated: flag,
  next_cursor: orNull(text),
});

const bundle: Reader<Record<string, JsonValue> | undefined> = (value) =>
  value === undefined ? undefined : byId(json)(value);

const payload = record<PayloadNode>({
  id: text,
  payload: record<Payload>({
    kind: text,
    version: number,
    audience: oneOf("timeline", "internal", "evidence"),
    value: json,
  }),
  static: bundle as Reader<Record<string, JsonValue>>,
});

const guardrail = record<GuardrailNode>({
  name: text,
  stage: oneOf("input", "output", "tool_input", "tool_output"),
  outcome: oneOf("allow", "replace", "refuse"),
  message: text,
});

/** A field that may be missing: `exactOptionalPropertyTypes` has no other way to say so. */
const lacking = maybe(number) as Reader<number>;
const names = maybe(list(text)) as Reader<string[]>;

const requested = record<RequestedCall>({ id: text, name: text, arguments: text });

const asked = record<AwaitNode>({
  id: text,
  kind: oneOf("confirmation", "clarification", "questions", "external_tools"),
  call_id: orNull(text),
  title: text,
  text,
  reason: text,
  arguments: json,
  defaults: names,
  objects: maybe(byId(text)) as Reader<Record<string, string>>,
  left_out_bytes: lacking,
  argument_names: names,
  form: json,
  missing_fields: list(text),
  questions: list(
    record<Question>({
      id: text,
      text,
      options: list(record<Option>({ label: text, description: text })),
      multiple: flag,
      free_text: flag,
    }),
  ),
  calls: list(requested),
  asked_at: number,
  resolved_at: orNull(number),
  outcome: orNull(oneOf("answered", "denied", "cancelled")),
  answer: json,
  answered_by: orNull(text),
  note: orNull(text),
});

const authorization = record<AuthorizationNode>({
  approved: flag,
  by: text,
  at: number,
  summary: text,
  note: orNull(text),
  edited: flag,
  remembered: flag,
  under_grant: or(flag, false),
});

const call = record<CallNode>({
  id: text,
  name: text,
  step: or(number, 0),
  arguments: json,
  defaults: names,
  objects: maybe(byId(text)) as Reader<Record<string, string>>,
  left_out_bytes: lacking,
  argument_names: names,
  status: oneOf(
    "preparing",
    "waiting",
    "running",
    "done",
    "failed",
    "denied",
    "cancelled",
    "timed_out",
    "skipped",
    "unknown",
  ),
  hint: orNull(text),
  source_hash: orNull(text),
  cell_id: orNull(text),
  started_at: orNull(number),
  duration_ms: orNull(number),
  content: orNull(text),
  preview: orNull(text),
  handle: orNull(text),
  failure: orNull(failure),
  bounds: orNull(bounds),
  progress: orNull(record({ message: text, fraction: orNull(number) })),
  output: list(record({ stream: oneOf("stdout", "stderr", "log"), text })),
  payloads: list(payload),
  child_run_ids: list(text),
  expected_children: orNull(number),
  run_links: or(
    list(
      record<RunLink>({
        run_id: text,
        agent_name: text,
        parent_run_id: text,
        parent_tool_call_id: text,
      }),
    ),
    [],
  ),
  proposed: json,
  authorization: orNull(authorization),
  guardrails: or(list(guardrail), []),
});

const called = record<CallItem>({ type: oneOf("call"), call_id: text });
const said = record<TextItem>({ type: oneOf("text", "thought"), step: number, text });
const handed = record<HandoffItem>({
  type: oneOf("handoff"),
  step: number,
  from_agent: text,
  to_agent: text,
  model: text,
});
const item: Reader<Item> = (value) => {
  if (!isRecord(value) || !("type" in value)) return said(value);
  if (value.type === "call") return called(value);
  return value.type === "handoff" ? handed(value) : said(value);
};

const request = record<RequestNode>({
  step: number,
  message_count: number,
  messages: list(
    record<ShownMessage>({
      role: oneOf("system", "user", "assistant", "tool"),
      text,
      parts: list(text),
      calls: list(record<ShownCall>({ id: text, name: text, arguments: text })),
      call_id: orNull(text),
    }),
  ),
  schemas: orNull(list(record<ShownTool>({ name: text, description: text, parameters: json }))),
});

const run = record<RunNode>({
  id: text,
  agent_name: text,
  model: text,
  tools: list(text),
  status: oneOf(
    "running",
    "completed",
    "failed",
    "limit",
    "denied",
    "cancelled",
    "suspended",
    "unknown",
  ),
  phase: oneOf(
    "prompted",
    "planning",
    "executing_tools",
    "synthesizing",
    "completed",
    "failed",
    "limit",
    "denied",
    "cancelled",
    "suspended",
  ),
  step: number,
  prompt: text,
  text,
  started_at: number,
  ended_at: orNull(number),
  parent_run_id: orNull(text),
  parent_tool_call_id: orNull(text),
  forked_from: orNull(text),
  resumed_from: orNull(text),
  resumed_by: maybe(text) as Reader<string>,
  approval: or(oneOf("risky", "ask", "auto", "never"), "risky"),
  limits: or(limits, limits({})),
  chat: orNull(text),
  shared: list(text),
  citations: list(
    record<Citation>({
      url: orNull(text),
      title: orNull(text),
      file_id: orNull(text),
      start: orNull(number),
      end: orNull(number),
    }),
  ),
  refused: flag,
  unmet: or(list(text), []),
  items: list(item),
  calls: byId(call),
  requests: or(list(request), []),
  awaits: or(list(asked), []),
  guardrails: or(list(guardrail), []),
  usage: record<UsageNode>({
    input_tokens: number,
    output_tokens: number,
    cached_tokens: number,
    requests: number,
    cost: orNull(number),
  }),
  failure: orNull(failure),
});

const saved = record<SavedRun & { version: 1 }>({
  version: one,
  root_id: text,
  tree: record<Tree>({ version: one, root_ids: list(text), runs: byId(run) }),
  cuts: list(record({ text })),
  open: openingOf,
});

function one(value: JsonValue | undefined): 1 {
  if (value !== 1) throw new Misfit(`Version ${String(value)} of a saved run`);
  return 1;
}

/**
 * The run in a notebook's JSON.
 *
 * @throws Misfit: it is none, or one of a version that is not known here.
 */
export function readRun(value: JsonValue | undefined): SavedRun {
  const read = saved(value);
  if (!read.tree.root_ids.length) throw new Misfit("A notebook's run without a run");
  for (const root of read.tree.root_ids) {
    if (!entry(read.tree.runs, root)) throw new Misfit("A run that is not there");
    refuseCircles(read.tree, root, new Set(), new Set());
  }
  settle(read.tree);
  restoreOrder(read.tree);
  return read;
}

/** What was going on when the notebook was saved has an outcome that the notebook does not know. */
function settle(tree: Tree): void {
  for (const run of Object.values(tree.runs)) {
    if (run.status !== "running") continue;
    run.status = "unknown";
    for (const call of Object.values(run.calls)) {
      if (["preparing", "waiting", "running"].includes(call.status)) call.status = "unknown";
    }
  }
}

/** A run inside itself would be drawn without end. */
function refuseCircles(tree: Tree, id: string, above: Set<string>, seen: Set<string>): void {
  if (above.has(id)) throw new Misfit("A run inside itself");
  if (seen.has(id)) return;
  seen.add(id);
  above.add(id);
  for (const { child_run_ids } of Object.values(entry(tree.runs, id)?.calls ?? {})) {
    for (const child of child_run_ids) refuseCircles(tree, child, above, seen);
  }
  above.delete(id);
}
