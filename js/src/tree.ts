/**
 * The tree of runs and calls as JSON: the same shape that `nbagents/runs/tree/folding.py` folds and that a
 * saved notebook holds.
 *
 * @module
 */
import type {
  AwaitResolved,
  Bounds,
  Citation,
  Failure,
  Guardrail,
  JsonValue,
  Limits,
  Payload,
  Question,
  RequestedCall,
  RunLink,
  RunStart,
  ShownMessage,
  ShownTool,
  ToolEnd,
  ToolOutputDelta,
  Workflow,
} from "./events";

export type CallStatus = ToolEnd["status"];
export type Phase = Workflow["phase"];
/** `unknown`: the log ends in mid-run, because the kernel died. */
export type RunStatus =
  | "running"
  | "completed"
  | "failed"
  | "limit"
  | "denied"
  | "cancelled"
  | "suspended"
  | "unknown";

export interface TextItem {
  type: "text" | "thought";
  step: number;
  text: string;
}

export interface CallItem {
  type: "call";
  call_id: string;
}

/** Where another agent took over. */
export interface HandoffItem {
  type: "handoff";
  step: number;
  from_agent: string;
  to_agent: string;
  model: string;
}

export type Item = TextItem | CallItem | HandoffItem;

/** Something that a person is asked; of each kind, what its event says. */
export interface AwaitNode {
  id: string;
  kind: "confirmation" | "clarification" | "questions" | "external_tools";
  call_id: string | null;
  /** A tool, or what the questions are about. */
  title: string;
  /** The question in words. */
  text: string;
  reason: string;
  /** Of a confirmation, what is to be allowed; of a clarification, what is there already. */
  arguments: JsonValue;
  /** Only where there are some: the arguments that were not given. */
  defaults?: string[];
  /** Only where there are some: the arguments that are objects, by JSON pointer, in words. */
  objects?: Record<string, string>;
  /** Only where not all of the arguments are here: how much is missing. */
  left_out_bytes?: number;
  /** Only in a notebook, which sorts what it keeps: the names of the arguments in their order. */
  argument_names?: string[];
  /** A JSON Schema of type object, or `null`. */
  form: JsonValue;
  missing_fields: string[];
  questions: Question[];
  calls: RequestedCall[];
  asked_at: number;
  resolved_at: number | null;
  /** `null`: it is open. */
  outcome: AwaitResolved["outcome"] | null;
  answer: JsonValue;
  answered_by: string | null;
  note: string | null;
}

/** Who allowed or denied a call, when and why. */
export interface AuthorizationNode {
  approved: boolean;
  by: string;
  at: number;
  summary: string;
  note: string | null;
  edited: boolean;
  remembered: boolean;
  /** Whether it ran without being asked about: leave was given earlier for all calls of its tool. */
  under_grant: boolean;
}

/** What a guardrail said of a call, of the prompt or of the answer. */
export type GuardrailNode = Pick<Guardrail, "name" | "stage" | "outcome" | "message">;

export interface CallNode {
  id: string;
  name: string;
  /** The step whose answer asked for it. */
  step: number;
  /** Parsed JSON, or the raw text where it is none. */
  arguments: JsonValue;
  /** Only where there are some: the arguments that were not given. */
  defaults?: string[];
  /** Only where there are some: the arguments that are objects, by JSON pointer, in words. */
  objects?: Record<string, string>;
  /** Only where not all of the arguments are here: how much is missing. */
  left_out_bytes?: number;
  /** Only in a notebook, which sorts what it keeps: the names of the arguments in their order. */
  argument_names?: string[];
  status: CallStatus;
  hint: string | null;
  source_hash: string | null;
  /** The notebook's cell that defines the tool. */
  cell_id: string | null;
  /** Seconds since 1970 (UTC). */
  started_at: number | null;
  duration_ms: number | null;
  /** What the model was told. */
  content: string | null;
  preview: string | null;
  /** The name under which later calls may take what it returned. */
  handle: string | null;
  failure: Failure | null;
  bounds: Bounds | null;
  progress: { message: string; fraction: number | null } | null;
  /** As a terminal shows it; what follows a carriage return is not shown (see `terminal.ts`). */
  output: { stream: ToolOutputDelta["stream"]; text: string }[];
  payloads: PayloadNode[];
  child_run_ids: string[];
  /** How many runs it will have started in the end, where it knows. */
  expected_children: number | null;
  run_links: RunLink[];
  /** The arguments that the model wanted, where a person or a guardrail has changed them. */
  proposed: JsonValue;
  authorization: AuthorizationNode | null;
  guardrails: GuardrailNode[];
}

export interface PayloadNode {
  id: string;
  payload: Payload;
  /** Only in a saved run: what its renderer shows without code of its own, by MIME type. */
  static?: Record<string, JsonValue>;
}

/** What one step asked the model. */
export interface RequestNode {
  step: number;
  message_count: number;
  /** What the model was told then that stands nowhere else in the run. */
  messages: ShownMessage[];
  /** The tools that were offered; `null`: those of the step before. */
  schemas: ShownTool[] | null;
}

/** Tokens of a run, without its children's. */
export interface UsageNode {
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  requests: number;
  /** Money, where the person has set prices. */
  cost: number | null;
}

export interface RunNode {
  id: string;
  agent_name: string;
  model: string;
  tools: string[];
  status: RunStatus;
  phase: Phase;
  step: number;
  prompt: string;
  text: string;
  started_at: number;
  ended_at: number | null;
  parent_run_id: string | null;
  parent_tool_call_id: string | null;
  forked_from: string | null;
  /** The suspended run that this one goes on with. */
  resumed_from: string | null;
  /** The run that went on with this one, where that is known. */
  resumed_by?: string;
  approval: RunStart["approval"];
  limits: Limits;
  /** The conversation that it goes on with, by name. */
  chat: string | null;
  /** What was handed over with the prompt, a line each. */
  shared: string[];
  citations: Citation[];
  /** Whether the newest answer says that the model refuses. */
  refused: boolean;
  /** What of the prompt the newest answer does not serve, in the prompt's own words. */
  unmet: string[];
  /** In order of appearance. */
  items: Item[];
  calls: Record<string, CallNode>;
  /** In order, one a step. */
  requests: RequestNode[];
  awaits: AwaitNode[];
  /** Those of the prompt and of the answer. */
  guardrails: GuardrailNode[];
  usage: UsageNode;
  failure: Failure | null;
}

export interface Tree {
  version: 1;
  root_ids: string[];
  runs: Record<string, RunNode>;
}

/** What of the arguments beside it was left out on the way to this page, as the kernel says it. */
export function leftOut(of: object): Pick<CallNode, "left_out_bytes"> {
  const bytes = "left_out_bytes" in of ? of.left_out_bytes : undefined;
  return typeof bytes === "number" && bytes > 0 ? { left_out_bytes: bytes } : {};
}

/** What is said of arguments beside them, where there is anything to say. */
export function aboutArguments(
  of: object,
): Pick<AwaitNode, "defaults" | "objects" | "left_out_bytes"> {
  const { defaults = [], objects = {} }: Said = of; // which an older kernel does not say
  return {
    ...(defaults.length ? { defaults } : {}),
    ...(Object.keys(objects).length ? { objects } : {}),
    ...leftOut(of),
  };
}

type Said = { defaults?: string[]; objects?: Record<string, string> };

/** Give a call arguments, with what is said of them. */
export function setArguments(call: CallNode, value: JsonValue, from: object): void {
  call.arguments = value;
  delete call.defaults;
  delete call.objects;
  delete call.left_out_bytes;
  Object.assign(call, aboutArguments(from));
}

/** The own entry of a record: ids are written by models, and one may be called `constructor`. */
export function entry<T>(record: Record<string, T>, key: string): T | undefined {
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

/** The calls of a run in order of appearance. */
export function callsOf(run: RunNode): CallNode[] {
  const calls: CallNode[] = [];
  for (const item of run.items) {
    const call = item.type === "call" ? entry(run.calls, item.call_id) : undefined;
    if (call) calls.push(call);
  }
  return calls;
}
