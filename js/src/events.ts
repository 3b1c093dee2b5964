/**
 * Everything that can happen in a session. Generated from nbagents/events: do not edit, run
 * `python js/generate_events.py`.
 */

export type AnyEvent =
  | RunStart
  | UserMessageReceived
  | Workflow
  | AssistantDelta
  | AssistantTurn
  | Thought
  | ToolStart
  | ToolArgsDelta
  | ToolUpdate
  | ToolOutputDelta
  | ToolData
  | ToolEnd
  | ChildRunLinked
  | AwaitConfirmation
  | AwaitClarification
  | AwaitQuestions
  | AwaitExternalTools
  | AwaitResolved
  | ToolAuthorization
  | Handoff
  | Guardrail
  | UsageReported
  | PromptRendered
  | RunStreamEnd;
export type JsonValue = null | boolean | number | string | JsonValue[] | {[key: string]: JsonValue};

/**
 * A run begins.
 */
export interface RunStart {
  /**
   * Position in the session's stream, from 0.
   */
  seq: number;
  /**
   * Seconds since 1970 (UTC).
   */
  at: number;
  /**
   * Stable within the run: the same key is the same event.
   */
  event_key: string;
  session_id: string;
  turn_id: string;
  run_id: string;
  /**
   * The run whose call started this run; `null` for a root.
   */
  parent_run_id: string | null;
  /**
   * The call that started this run; `null` for a root.
   */
  parent_tool_call_id: string | null;
  labels: {
    [k: string]: string;
  };
  type: "run_start";
  agent_name: string;
  /**
   * Which model answers, as it is shown to people.
   */
  model: string;
  tools: string[];
  /**
   * The run that this one is a branch of.
   */
  forked_from: string | null;
  /**
   * The suspended run that this one goes on with.
   */
  resumed_from: string | null;
  approval: "risky" | "ask" | "auto" | "never";
  limits: Limits;
  /**
   * The conversation that it goes on with, by name.
   */
  chat: string | null;
}
/**
 * How much a run may do, with all runs below it; `None`: as much as it likes.
 */
export interface Limits {
  /**
   * How often the run's own model may be asked with tools.
   */
  max_steps: number | null;
  max_calls: number | null;
  /**
   * In and out, as the provider counts them.
   */
  max_tokens: number | null;
  /**
   * Seconds of the whole run, without those in which it waits for a person.
   */
  timeout_s: number | null;
  /**
   * Money, by the prices that the person has set, in their currency.
   */
  max_cost: number | null;
  /**
   * How many steps may fail one after the other: those of which no call gave a result.
   */
  max_failed_batches: number | null;
  /**
   * How many runs may stand one inside the other below this one.
   */
  max_depth: number | null;
}
/**
 * A person, or a parent agent, says something.
 */
export interface UserMessageReceived {
  /**
   * Position in the session's stream, from 0.
   */
  seq: number;
  /**
   * Seconds since 1970 (UTC).
   */
  at: number;
  /**
   * Stable within the run: the same key is the same event.
   */
  event_key: string;
  session_id: string;
  turn_id: string;
  run_id: string;
  /**
   * The run whose call started this run; `null` for a root.
   */
  parent_run_id: string | null;
  /**
   * The call that started this run; `null` for a root.
   */
  parent_tool_call_id: string | null;
  labels: {
    [k: string]: string;
  };
  type: "user_message";
  text: string;
  /**
   * What was handed over with it, a line each: objects by name, images, files.
   */
  shared: string[];
}
/**
 * A run enters a phase; the last one says how it ended.
 */
export interface Workflow {
  /**
   * Position in the session's stream, from 0.
   */
  seq: number;
  /**
   * Seconds since 1970 (UTC).
   */
  at: number;
  /**
   * Stable within the run: the same key is the same event.
   */
  event_key: string;
  session_id: string;
  turn_id: string;
  run_id: string;
  /**
   * The run whose call started this run; `null` for a root.
   */
  parent_run_id: string | null;
  /**
   * The call that started this run; `null` for a root.
   */
  parent_tool_call_id: string | null;
  labels: {
    [k: string]: string;
  };
  type: "workflow";
  phase:
    | "prompted"
    | "planning"
    | "executing_tools"
    | "synthesizing"
    | "completed"
    | "failed"
    | "limit"
    | "denied"
    | "cancelled"
    | "suspended";
  /**
   * The model request this belongs to, from 1; 0 before the first.
   */
  step: number;
  failure: Failure | null;
}
/**
 * Why a call gave no result, and what the model should do about it.
 */
export interface Failure {
  kind:
    "invalid_call" | "domain_rejection" | "unavailable" | "rate_limited" | "timeout" | "malformed_result" | "internal";
  recovery: "correct_call" | "replan" | "finish";
  /**
   * What the model is told: no traceback, no path.
   */
  message: string;
  issues: FieldIssue[];
  /**
   * For the person only: the traceback.
   */
  debug_message: string | null;
}
/**
 * One argument that does not fit.
 */
export interface FieldIssue {
  /**
   * Path of the argument, joined by dots.
   */
  field: string;
  /**
   * pydantic's name of the rule, e.g. `missing` or `int_parsing`.
   */
  constraint: string;
  message: string;
}
/**
 * A piece of the answer, as it comes.
 */
export interface AssistantDelta {
  /**
   * Position in the session's stream, from 0.
   */
  seq: number;
  /**
   * Seconds since 1970 (UTC).
   */
  at: number;
  /**
   * Stable within the run: the same key is the same event.
   */
  event_key: string;
  session_id: string;
  turn_id: string;
  run_id: string;
  /**
   * The run whose call started this run; `null` for a root.
   */
  parent_run_id: string | null;
  /**
   * The call that started this run; `null` for a root.
   */
  parent_tool_call_id: string | null;
  labels: {
    [k: string]: string;
  };
  type: "assistant_delta";
  step: number;
  text: string;
}
/**
 * What the model said in one step, whole.
 */
export interface AssistantTurn {
  /**
   * Position in the session's stream, from 0.
   */
  seq: number;
  /**
   * Seconds since 1970 (UTC).
   */
  at: number;
  /**
   * Stable within the run: the same key is the same event.
   */
  event_key: string;
  session_id: string;
  turn_id: string;
  run_id: string;
  /**
   * The run whose call started this run; `null` for a root.
   */
  parent_run_id: string | null;
  /**
   * The call that started this run; `null` for a root.
   */
  parent_tool_call_id: string | null;
  labels: {
    [k: string]: string;
  };
  type: "assistant_turn";
  step: number;
  text: string;
  calls: RequestedCall[];
  citations: Citation[];
  /**
   * Whether the text says that the model will not answer.
   */
  refused: boolean;
  /**
   * What of the prompt the model has not served, in the prompt's own words.
   */
  unmet: string[];
}
/**
 * A call as the model asked for it.
 */
export interface RequestedCall {
  id: string;
  name: string;
  /**
   * As the model wrote them: JSON, if all is well.
   */
  arguments: string;
}
/**
 * Where a piece of an answer comes from.
 */
export interface Citation {
  url: string | null;
  title: string | null;
  file_id: string | null;
  /**
   * The first character of the answer that it stands for, from 0.
   */
  start: number | null;
  /**
   * The character after the last one.
   */
  end: number | null;
}
/**
 * Why the model does what it does, where it says so.
 */
export interface Thought {
  /**
   * Position in the session's stream, from 0.
   */
  seq: number;
  /**
   * Seconds since 1970 (UTC).
   */
  at: number;
  /**
   * Stable within the run: the same key is the same event.
   */
  event_key: string;
  session_id: string;
  turn_id: string;
  run_id: string;
  /**
   * The run whose call started this run; `null` for a root.
   */
  parent_run_id: string | null;
  /**
   * The call that started this run; `null` for a root.
   */
  parent_tool_call_id: string | null;
  labels: {
    [k: string]: string;
  };
  type: "thought";
  step: number;
  text: string;
}
/**
 * A call is about to run; in the log before the tool is.
 */
export interface ToolStart {
  /**
   * Position in the session's stream, from 0.
   */
  seq: number;
  /**
   * Seconds since 1970 (UTC).
   */
  at: number;
  /**
   * Stable within the run: the same key is the same event.
   */
  event_key: string;
  session_id: string;
  turn_id: string;
  run_id: string;
  /**
   * The run whose call started this run; `null` for a root.
   */
  parent_run_id: string | null;
  /**
   * The call that started this run; `null` for a root.
   */
  parent_tool_call_id: string | null;
  labels: {
    [k: string]: string;
  };
  tool_call_id: string;
  tool_name: string;
  type: "tool_start";
  /**
   * What the tool gets, with its defaults; what the model wrote, parsed or as raw text, where
   *     that fits no call.
   */
  arguments: null | boolean | number | string | JsonValue[] | {[key: string]: JsonValue};
  /**
   * The arguments that were not given.
   */
  defaults: string[];
  /**
   * The arguments that are live objects, or defaults that JSON cannot carry, by JSON pointer: in
   *     words, what they are.
   */
  objects: {
    [k: string]: string;
  };
  /**
   * One line for people.
   */
  display_hint: string | null;
  /**
   * Which version of the tool served it.
   */
  source_hash: string | null;
  /**
   * The notebook's cell that defines the tool.
   */
  cell_id: string | null;
}
/**
 * A piece of a call's arguments, as the model writes them.
 */
export interface ToolArgsDelta {
  /**
   * Position in the session's stream, from 0.
   */
  seq: number;
  /**
   * Seconds since 1970 (UTC).
   */
  at: number;
  /**
   * Stable within the run: the same key is the same event.
   */
  event_key: string;
  session_id: string;
  turn_id: string;
  run_id: string;
  /**
   * The run whose call started this run; `null` for a root.
   */
  parent_run_id: string | null;
  /**
   * The call that started this run; `null` for a root.
   */
  parent_tool_call_id: string | null;
  labels: {
    [k: string]: string;
  };
  tool_call_id: string;
  tool_name: string;
  type: "tool_args_delta";
  text: string;
}
/**
 * Progress from inside a call.
 */
export interface ToolUpdate {
  /**
   * Position in the session's stream, from 0.
   */
  seq: number;
  /**
   * Seconds since 1970 (UTC).
   */
  at: number;
  /**
   * Stable within the run: the same key is the same event.
   */
  event_key: string;
  session_id: string;
  turn_id: string;
  run_id: string;
  /**
   * The run whose call started this run; `null` for a root.
   */
  parent_run_id: string | null;
  /**
   * The call that started this run; `null` for a root.
   */
  parent_tool_call_id: string | null;
  labels: {
    [k: string]: string;
  };
  tool_call_id: string;
  tool_name: string;
  type: "tool_update";
  message: string;
  /**
   * Between 0 and 1.
   */
  fraction: number | null;
  /**
   * How many runs the call will have started in the end, where it knows.
   */
  expected_children: number | null;
}
/**
 * Something a call printed or logged.
 */
export interface ToolOutputDelta {
  /**
   * Position in the session's stream, from 0.
   */
  seq: number;
  /**
   * Seconds since 1970 (UTC).
   */
  at: number;
  /**
   * Stable within the run: the same key is the same event.
   */
  event_key: string;
  session_id: string;
  turn_id: string;
  run_id: string;
  /**
   * The run whose call started this run; `null` for a root.
   */
  parent_run_id: string | null;
  /**
   * The call that started this run; `null` for a root.
   */
  parent_tool_call_id: string | null;
  labels: {
    [k: string]: string;
  };
  tool_call_id: string;
  tool_name: string;
  type: "tool_output_delta";
  stream: "stdout" | "stderr" | "log";
  text: string;
}
/**
 * A payload for the person; the same `payload_id` again replaces it.
 */
export interface ToolData {
  /**
   * Position in the session's stream, from 0.
   */
  seq: number;
  /**
   * Seconds since 1970 (UTC).
   */
  at: number;
  /**
   * Stable within the run: the same key is the same event.
   */
  event_key: string;
  session_id: string;
  turn_id: string;
  run_id: string;
  /**
   * The run whose call started this run; `null` for a root.
   */
  parent_run_id: string | null;
  /**
   * The call that started this run; `null` for a root.
   */
  parent_tool_call_id: string | null;
  labels: {
    [k: string]: string;
  };
  tool_call_id: string;
  tool_name: string;
  type: "tool_data";
  payload_id: string;
  payload: Payload;
}
/**
 * One typed piece of a result's `data`, for the person and for other tools.
 */
export interface Payload {
  /**
   * Which renderer draws it, e.g. `map`.
   */
  kind: string;
  version: number;
  /**
   * `timeline` is shown, `internal` is for other tools only, `evidence` tells the source.
   */
  audience: "timeline" | "internal" | "evidence";
  value: null | boolean | number | string | JsonValue[] | {[key: string]: JsonValue};
}
/**
 * A call ended; there is exactly one for each call id.
 */
export interface ToolEnd {
  /**
   * Position in the session's stream, from 0.
   */
  seq: number;
  /**
   * Seconds since 1970 (UTC).
   */
  at: number;
  /**
   * Stable within the run: the same key is the same event.
   */
  event_key: string;
  session_id: string;
  turn_id: string;
  run_id: string;
  /**
   * The run whose call started this run; `null` for a root.
   */
  parent_run_id: string | null;
  /**
   * The call that started this run; `null` for a root.
   */
  parent_tool_call_id: string | null;
  labels: {
    [k: string]: string;
  };
  tool_call_id: string;
  tool_name: string;
  type: "tool_end";
  /**
   * The run that opened the call.
   */
  call_run_id: string;
  status:
    | "preparing"
    | "waiting"
    | "running"
    | "done"
    | "failed"
    | "denied"
    | "cancelled"
    | "timed_out"
    | "skipped"
    | "unknown";
  /**
   * What the model is told.
   */
  content: string;
  /**
   * One line for people.
   */
  preview: string | null;
  /**
   * The name under which later calls may take what it returned.
   */
  handle: string | null;
  has_next: boolean | null;
  failure: Failure | null;
  bounds: Bounds | null;
  duration_ms: number;
  /**
   * The runs that the call has started, in order.
   */
  run_links: RunLink[];
}
/**
 * How much of a large result the model was given.
 */
export interface Bounds {
  returned: number;
  total: number | null;
  truncated: boolean;
  next_cursor: string | null;
}
/**
 * A run that a call has started. Source: goadesign/goa-ai, run handles.
 */
export interface RunLink {
  run_id: string;
  agent_name: string;
  parent_run_id: string;
  parent_tool_call_id: string;
}
/**
 * A call started a run of its own.
 */
export interface ChildRunLinked {
  /**
   * Position in the session's stream, from 0.
   */
  seq: number;
  /**
   * Seconds since 1970 (UTC).
   */
  at: number;
  /**
   * Stable within the run: the same key is the same event.
   */
  event_key: string;
  session_id: string;
  turn_id: string;
  run_id: string;
  /**
   * The run whose call started this run; `null` for a root.
   */
  parent_run_id: string | null;
  /**
   * The call that started this run; `null` for a root.
   */
  parent_tool_call_id: string | null;
  labels: {
    [k: string]: string;
  };
  tool_call_id: string;
  tool_name: string;
  type: "child_run_linked";
  child_run_id: string;
  child_agent_name: string;
}
/**
 * A call waits for a person's consent; `arguments` is what its tool would get.
 */
export interface AwaitConfirmation {
  /**
   * Position in the session's stream, from 0.
   */
  seq: number;
  /**
   * Seconds since 1970 (UTC).
   */
  at: number;
  /**
   * Stable within the run: the same key is the same event.
   */
  event_key: string;
  session_id: string;
  turn_id: string;
  run_id: string;
  /**
   * The run whose call started this run; `null` for a root.
   */
  parent_run_id: string | null;
  /**
   * The call that started this run; `null` for a root.
   */
  parent_tool_call_id: string | null;
  labels: {
    [k: string]: string;
  };
  tool_call_id: string;
  tool_name: string;
  type: "await_confirmation";
  await_id: string;
  title: string;
  prompt: string;
  arguments: JsonValue;
  /**
   * The arguments that were not given.
   */
  defaults: string[];
  /**
   * As in `ToolStart`.
   */
  objects: {
    [k: string]: string;
  };
  /**
   * The arguments as they were written, where those are others: a call is made of these.
   */
  written: null | boolean | number | string | JsonValue[] | {[key: string]: JsonValue};
  /**
   * The JSON Schema of the arguments, by which they can be edited.
   */
  form: null | boolean | number | string | JsonValue[] | {[key: string]: JsonValue};
  /**
   * Why it is asked, e.g. that the tool may destroy something.
   */
  reason: string;
}
/**
 * Something is missing that only a person can give.
 */
export interface AwaitClarification {
  /**
   * Position in the session's stream, from 0.
   */
  seq: number;
  /**
   * Seconds since 1970 (UTC).
   */
  at: number;
  /**
   * Stable within the run: the same key is the same event.
   */
  event_key: string;
  session_id: string;
  turn_id: string;
  run_id: string;
  /**
   * The run whose call started this run; `null` for a root.
   */
  parent_run_id: string | null;
  /**
   * The call that started this run; `null` for a root.
   */
  parent_tool_call_id: string | null;
  labels: {
    [k: string]: string;
  };
  type: "await_clarification";
  await_id: string;
  question: string;
  missing_fields: string[];
  /**
   * A JSON Schema of type object: the answer's form. `null`: the answer is text.
   */
  form: null | boolean | number | string | JsonValue[] | {[key: string]: JsonValue};
  /**
   * What is there already, by name.
   */
  given: null | boolean | number | string | JsonValue[] | {[key: string]: JsonValue};
  /**
   * The call that waits for it.
   */
  tool_call_id: string | null;
  tool_name: string | null;
}
/**
 * The person is asked to choose, or to write something.
 */
export interface AwaitQuestions {
  /**
   * Position in the session's stream, from 0.
   */
  seq: number;
  /**
   * Seconds since 1970 (UTC).
   */
  at: number;
  /**
   * Stable within the run: the same key is the same event.
   */
  event_key: string;
  session_id: string;
  turn_id: string;
  run_id: string;
  /**
   * The run whose call started this run; `null` for a root.
   */
  parent_run_id: string | null;
  /**
   * The call that started this run; `null` for a root.
   */
  parent_tool_call_id: string | null;
  labels: {
    [k: string]: string;
  };
  type: "await_questions";
  await_id: string;
  title: string;
  questions: Question[];
  /**
   * The call that asks.
   */
  tool_call_id: string | null;
  tool_name: string | null;
}
/**
 * One question to a person.
 */
export interface Question {
  /**
   * The key of its answer.
   */
  id: string;
  text: string;
  /**
   * What there is to choose; without any, the answer is free text.
   */
  options: Option[];
  /**
   * Whether several may be chosen: then the answer is a list.
   */
  multiple: boolean;
  /**
   * Whether an answer of the person's own will do, too.
   */
  free_text: boolean;
}
/**
 * One answer to choose.
 */
export interface Option {
  /**
   * What is shown, and given as the answer.
   */
  label: string;
  description: string;
}
/**
 * Calls wait for results from outside.
 */
export interface AwaitExternalTools {
  /**
   * Position in the session's stream, from 0.
   */
  seq: number;
  /**
   * Seconds since 1970 (UTC).
   */
  at: number;
  /**
   * Stable within the run: the same key is the same event.
   */
  event_key: string;
  session_id: string;
  turn_id: string;
  run_id: string;
  /**
   * The run whose call started this run; `null` for a root.
   */
  parent_run_id: string | null;
  /**
   * The call that started this run; `null` for a root.
   */
  parent_tool_call_id: string | null;
  labels: {
    [k: string]: string;
  };
  type: "await_external_tools";
  await_id: string;
  calls: RequestedCall[];
}
/**
 * What was waited for came, or will not.
 */
export interface AwaitResolved {
  /**
   * Position in the session's stream, from 0.
   */
  seq: number;
  /**
   * Seconds since 1970 (UTC).
   */
  at: number;
  /**
   * Stable within the run: the same key is the same event.
   */
  event_key: string;
  session_id: string;
  turn_id: string;
  run_id: string;
  /**
   * The run whose call started this run; `null` for a root.
   */
  parent_run_id: string | null;
  /**
   * The call that started this run; `null` for a root.
   */
  parent_tool_call_id: string | null;
  labels: {
    [k: string]: string;
  };
  type: "await_resolved";
  await_id: string;
  outcome: "answered" | "denied" | "cancelled";
  answer: null | boolean | number | string | JsonValue[] | {[key: string]: JsonValue};
  answered_by: string;
  /**
   * What the person said to it.
   */
  note: string | null;
}
/**
 * Who allowed or denied a call.
 */
export interface ToolAuthorization {
  /**
   * Position in the session's stream, from 0.
   */
  seq: number;
  /**
   * Seconds since 1970 (UTC).
   */
  at: number;
  /**
   * Stable within the run: the same key is the same event.
   */
  event_key: string;
  session_id: string;
  turn_id: string;
  run_id: string;
  /**
   * The run whose call started this run; `null` for a root.
   */
  parent_run_id: string | null;
  /**
   * The call that started this run; `null` for a root.
   */
  parent_tool_call_id: string | null;
  labels: {
    [k: string]: string;
  };
  tool_call_id: string;
  tool_name: string;
  type: "tool_authorization";
  approved: boolean;
  approved_by: string;
  /**
   * Why, in a few words.
   */
  summary: string;
  /**
   * What the person said to it; the model is told.
   */
  note: string | null;
  /**
   * Whether the person has changed the arguments.
   */
  edited: boolean;
  /**
   * What the tool would get, as `AwaitConfirmation` has it: of what was allowed, or denied.
   */
  arguments: null | boolean | number | string | JsonValue[] | {[key: string]: JsonValue};
  defaults: string[];
  objects: {
    [k: string]: string;
  };
  written: null | boolean | number | string | JsonValue[] | {[key: string]: JsonValue};
  /**
   * Whether calls of this tool are not asked about any more in this session.
   */
  remembered: boolean;
  /**
   * Whether it ran without being asked about: the person had said so earlier of this tool.
   */
  under_grant: boolean;
}
/**
 * Another agent takes over the run.
 */
export interface Handoff {
  /**
   * Position in the session's stream, from 0.
   */
  seq: number;
  /**
   * Seconds since 1970 (UTC).
   */
  at: number;
  /**
   * Stable within the run: the same key is the same event.
   */
  event_key: string;
  session_id: string;
  turn_id: string;
  run_id: string;
  /**
   * The run whose call started this run; `null` for a root.
   */
  parent_run_id: string | null;
  /**
   * The call that started this run; `null` for a root.
   */
  parent_tool_call_id: string | null;
  labels: {
    [k: string]: string;
  };
  type: "handoff";
  from_agent: string;
  to_agent: string;
  /**
   * The step whose answer asked for it.
   */
  step: number;
  /**
   * Which model answers from now on.
   */
  model: string;
  tool_call_id: string | null;
}
/**
 * A guardrail looked at what goes in or comes out.
 */
export interface Guardrail {
  /**
   * Position in the session's stream, from 0.
   */
  seq: number;
  /**
   * Seconds since 1970 (UTC).
   */
  at: number;
  /**
   * Stable within the run: the same key is the same event.
   */
  event_key: string;
  session_id: string;
  turn_id: string;
  run_id: string;
  /**
   * The run whose call started this run; `null` for a root.
   */
  parent_run_id: string | null;
  /**
   * The call that started this run; `null` for a root.
   */
  parent_tool_call_id: string | null;
  labels: {
    [k: string]: string;
  };
  type: "guardrail";
  name: string;
  stage: "input" | "output" | "tool_input" | "tool_output";
  outcome: "allow" | "replace" | "refuse";
  message: string;
  tool_call_id: string | null;
  tool_name: string | null;
}
/**
 * Tokens of one model request.
 */
export interface UsageReported {
  /**
   * Position in the session's stream, from 0.
   */
  seq: number;
  /**
   * Seconds since 1970 (UTC).
   */
  at: number;
  /**
   * Stable within the run: the same key is the same event.
   */
  event_key: string;
  session_id: string;
  turn_id: string;
  run_id: string;
  /**
   * The run whose call started this run; `null` for a root.
   */
  parent_run_id: string | null;
  /**
   * The call that started this run; `null` for a root.
   */
  parent_tool_call_id: string | null;
  labels: {
    [k: string]: string;
  };
  type: "usage";
  step: number;
  model: string;
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  /**
   * Money, where the person has set a price for the model.
   */
  cost: number | null;
}
/**
 * What one model request is made of.
 */
export interface PromptRendered {
  /**
   * Position in the session's stream, from 0.
   */
  seq: number;
  /**
   * Seconds since 1970 (UTC).
   */
  at: number;
  /**
   * Stable within the run: the same key is the same event.
   */
  event_key: string;
  session_id: string;
  turn_id: string;
  run_id: string;
  /**
   * The run whose call started this run; `null` for a root.
   */
  parent_run_id: string | null;
  /**
   * The call that started this run; `null` for a root.
   */
  parent_tool_call_id: string | null;
  labels: {
    [k: string]: string;
  };
  type: "prompt_rendered";
  step: number;
  message_count: number;
  tools: string[];
  /**
   * What the model is told now that no other event of this run says: the instructions, the
   *     prompt, the conversation before it, a correction. Answers and results have their own events.
   */
  messages: ShownMessage[];
  /**
   * The tools that are offered; `null`: those of the step before.
   */
  schemas: ShownTool[] | null;
}
/**
 * A message to a model, as people may read it: of images and files only what they are.
 */
export interface ShownMessage {
  role: "system" | "user" | "assistant" | "tool";
  text: string;
  /**
   * Images and files that went along, a line each.
   */
  parts: string[];
  /**
   * What a model asked for in it.
   */
  calls: ShownCall[];
  /**
   * The call whose result it tells.
   */
  call_id: string | null;
}
/**
 * A call in what a model is told.
 */
export interface ShownCall {
  id: string;
  name: string;
  /**
   * As a model wrote them: JSON, if all is well.
   */
  arguments: string;
}
/**
 * A tool as a model is told of it.
 */
export interface ShownTool {
  name: string;
  description: string;
  /**
   * A JSON Schema of type object; of a tool that the provider runs, what it is sent instead.
   */
  parameters: null | boolean | number | string | JsonValue[] | {[key: string]: JsonValue};
}
/**
 * The run's last event.
 */
export interface RunStreamEnd {
  /**
   * Position in the session's stream, from 0.
   */
  seq: number;
  /**
   * Seconds since 1970 (UTC).
   */
  at: number;
  /**
   * Stable within the run: the same key is the same event.
   */
  event_key: string;
  session_id: string;
  turn_id: string;
  run_id: string;
  /**
   * The run whose call started this run; `null` for a root.
   */
  parent_run_id: string | null;
  /**
   * The call that started this run; `null` for a root.
   */
  parent_tool_call_id: string | null;
  labels: {
    [k: string]: string;
  };
  type: "run_stream_end";
}
