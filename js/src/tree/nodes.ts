/**
 * The shape of a run, of what a page is sent of it, and of a saved one. Generated from
 * nbagents/runs/tree: do not edit, run `python js/generate_nodes.py`.
 */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };


export type Approval = "risky" | "ask" | "auto" | "never";

export type CallStatus = "preparing" | "waiting" | "running" | "done" | "failed" | "denied" | "cancelled" | "timed_out" | "skipped" | "unknown";

export type Phase = "prompted" | "planning" | "executing_tools" | "synthesizing" | "completed" | "failed" | "limit" | "denied" | "cancelled" | "suspended";

export type RunStatus = "running" | "completed" | "failed" | "limit" | "denied" | "cancelled" | "suspended" | "unknown";

export type Item = TextItem | CallItem | HandoffItem;

export type BuiltInKind = "apiPool" | "chart" | "code" | "cut" | "diff" | "file" | "image" | "json" | "log" | "map" | "markdown" | "mime" | "progress" | "table";

/** What a notebook holds of a run. */
export interface SavedRun {
  version: 1;
  root_id: string;
  tree: Tree;
  cuts: Cut[];
  /** Which calls are open at first, if not as usual. */
  open?: JsonValue;
}

/** What became of one node: of a run or, where one is named, of a call of it. */
export interface NodePatch {
  run: string;
  call?: string;
  /** When the newest was that is known of. */
  at: number;
  set?: Record<string, JsonValue>;
  unset?: string[];
  splices?: Splice[];
  texts?: Growth[];
}

/** All runs of a stream, by id; the roots in order. */
export interface Tree {
  version: 1;
  root_ids: string[];
  runs: Record<string, RunNode>;
}

/** What a saved run lacks. */
export interface Cut {
  /** In a sentence. */
  text: string;
}

/** Elements of a list, in the place of so many others. */
export interface Splice {
  field: string;
  at: number;
  drop: number;
  add: JsonValue[];
}

/** A text that goes on after so many UTF-16 units of it were dropped from its end. */
export interface Growth {
  field: string;
  /** In a list, of which element; `null`: the field itself. */
  index: number | null;
  drop: number;
  add: string;
}

/** One run. */
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
  forked_from: ForkedFrom | null;
  /** Only of a branch: what it keeps of the run that it leaves. */
  kept?: KeptNode;
  resumed_from: string | null;
  /** The run that went on with this one, where that is known: no event of its own says so. */
  resumed_by?: string;
  approval: Approval;
  limits: Limits;
  chat: string | null;
  shared: string[];
  citations: Citation[];
  refused: boolean;
  /** What of the prompt the newest answer does not serve, in the prompt's own words. */
  unmet: string[];
  items: Item[];
  calls: Record<string, CallNode>;
  requests: RequestNode[];
  awaits: AwaitNode[];
  /** Only of one that was edited step by step: what, in order. */
  edits?: EditNode[];
  /** Those of the prompt and the answer. */
  guardrails: GuardrailNode[];
  usage: UsageNode;
  /** Only where a recording gave an answer. */
  replayed?: ReplayedNode;
  failure: Failure | null;
  /** Only of one that did not come to its end. */
  explanation?: Explanation;
}

/** Where a run leaves another one, and what is different from there. */
export interface ForkedFrom {
  /** The run that it is a branch of. */
  run_id: string;
  /** The run that all its branches, and theirs, come from. */
  origin_id: string;
  /** The model request from which it goes on by itself, or whose call was changed. */
  step: number;
  /** The call that was changed, or in which it leaves the other; `null`: the request itself. */
  call_id: string | null;
  /** Which call of the other run that is, from 1. */
  call_number: number | null;
  tool_name: string | null;
  /** What was changed; nothing where the model is only asked anew. */
  edited: ("arguments" | "result" | "message" | "tools" | "model" | "instructions")[];
  /** What the person said instead, where they did. */
  message: string | null;
  /** The run inside of the call in which the change is, if it is in one. */
  inside_id: string | null;
  /** Whether all of the other run is kept: it had ended inside of a call that is kept. */
  is_whole: boolean;
}

/** What a branch keeps of the run that it leaves. */
export interface KeptNode {
  /** What that had used there; the branch has not used it again. */
  usage: UsageNode;
}

/** How much a run may do, with all runs below it; `None`: as much as it likes. */
export interface Limits {
  /** How often the run's own model may be asked with tools. */
  max_steps: number | null;
  max_calls: number | null;
  /** In and out, as the provider counts them. */
  max_tokens: number | null;
  /** Seconds of the whole run, without those in which it waits for a person. */
  timeout_s: number | null;
  /** Money, by the prices that the person has set, in their currency. */
  max_cost: number | null;
  /** How many steps may fail one after the other: those of which no call gave a result. */
  max_failed_batches: number | null;
  /** How many runs may stand one inside the other below this one. */
  max_depth: number | null;
}

/** Where a piece of an answer comes from. */
export interface Citation {
  url: string | null;
  title: string | null;
  file_id: string | null;
  /** The first character of the answer that it stands for, from 0. */
  start: number | null;
  /** The character after the last one. */
  end: number | null;
}

/** One call of a run. */
export interface CallNode {
  id: string;
  name: string;
  step: number;
  arguments: JsonValue;
  /** Only where there are some: the arguments that were not given. */
  defaults?: string[];
  /** Only where there are some: the arguments that are objects, by JSON pointer, in words. */
  objects?: Record<string, string>;
  /** Only where name and arguments do not tell how Python makes it: how it does. */
  taken?: Taken;
  /** Only where a page or a notebook has not all of the arguments: how much it lacks. */
  left_out_bytes?: number;
  /** Only in a notebook, which sorts what it keeps: the names of the arguments in their order. */
  argument_names?: string[];
  status: CallStatus;
  hint: string | null;
  source_hash: string | null;
  cell_id: string | null;
  /** When a model had asked for it: it then waited for its slot, or as `awaits` say. */
  asked_at: number | null;
  started_at: number | null;
  duration_ms: number | null;
  content: string | null;
  preview: string | null;
  handle: string | null;
  failure: Failure | null;
  bounds: Bounds | null;
  progress: Progress | null;
  output: Output[];
  payloads: PayloadNode[];
  child_run_ids: string[];
  expected_children: number | null;
  run_links: RunLink[];
  /** The arguments that the model wanted, where a person or a guardrail has changed them. */
  proposed: JsonValue;
  /** Only where they were changed in step mode: by whom. */
  changed_by?: string;
  authorization: AuthorizationNode | null;
  guardrails: GuardrailNode[];
  /** Only of one that has ended and came to nothing. */
  explanation?: Explanation;
  /** Only where it is so: it was not made in this run, which is a branch of the one that did. */
  kept?: boolean;
}

/** What one step asked the model; see `PromptRendered`. */
export interface RequestNode {
  step: number;
  /** When it was sent. */
  at: number | null;
  message_count: number;
  /** What the model was told then that stands nowhere else in the run. */
  messages: ShownMessage[];
  /** The tools that were offered; `null`: those of the step before. */
  schemas: ShownTool[] | null;
}

/** Something that a person is asked; of each kind, what its event says. */
export interface AwaitNode {
  id: string;
  kind: "confirmation" | "clarification" | "questions" | "external_tools" | "step";
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
  /** Only where a page or a notebook has not all of the arguments: how much it lacks. */
  left_out_bytes?: number;
  /** Only in a notebook, which sorts what it keeps: the names of the arguments in their order. */
  argument_names?: string[];
  /** A JSON Schema of type object, or `null`. */
  form: JsonValue;
  missing_fields: string[];
  questions: Question[];
  calls: RequestedCall[];
  /** Only of a step that waits: what would be done next. */
  pause?: ShownPause;
  asked_at: number;
  resolved_at: number | null;
  /** `null`: it is open. */
  outcome: "answered" | "denied" | "cancelled" | null;
  answer: JsonValue;
  answered_by: string | null;
  note: string | null;
}

/** Something that was made other than it was, in step mode; see `StepEdited`. */
export interface EditNode {
  step: number;
  at: number;
  what: "message" | "arguments" | "result" | "answer" | "skip";
  by: string;
  place: number | null;
  role: string | null;
  call_id: string | null;
  /** Of a message, its words; of all else, what was and what is stands in calls and answers. */
  before: string | null;
  after: string | null;
}

/** What a guardrail said of a call, of the prompt or of the answer. */
export interface GuardrailNode {
  name: string;
  stage: "input" | "output" | "tool_input" | "tool_output";
  outcome: "allow" | "replace" | "refuse";
  message: string;
}

/** Tokens of a run, without its children's. */
export interface UsageNode {
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  requests: number;
  cost: number | null;
}

/** What of a run was given by a recording instead of a model. */
export interface ReplayedNode {
  /** How many of its answers. */
  answers: number;
  /** When the first of them were recorded, as a date. */
  since: string;
  /** When the last of them were. */
  until: string;
}

/** Why a call gave no result, and what the model should do about it. */
export interface Failure {
  kind: "invalid_call" | "domain_rejection" | "unavailable" | "rate_limited" | "timeout" | "malformed_result" | "internal";
  recovery: "correct_call" | "replan" | "finish";
  /** What the model is told: no traceback, no path. */
  message: string;
  issues: FieldIssue[];
  /** For the person only: the traceback. */
  debug_message: string | null;
}

/** Why a call or a run came to nothing, for whom it happened to. */
export interface Explanation {
  /** In a sentence; what the model was told stands elsewhere. */
  what: string;
  /** What they can do about it, a sentence each. */
  remedies: string[];
}

/** What the model said in one step. */
export interface TextItem {
  type: "text" | "thought";
  step: number;
  text: string;
}

/** Where a call stands among what was said. */
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

/** How Python makes a call, where the tool's name and the names of its arguments do not tell. */
export interface Taken {
  /** What stands before the brackets; empty: the tool's name. */
  called: string;
  /** Of arguments that a model knows by other names, those that Python knows. */
  names: Record<string, string>;
  /** The arguments that are given by position, in their order. */
  positional: string[];
  /** The argument whose elements follow those. */
  rest: string;
  /** The argument whose fields are keywords. */
  more: string;
  /** Defaults that Python would not take by itself. */
  always: string[];
  /** How a value is made of its JSON, by JSON pointer; `$` stands for that. */
  forms: Record<string, string>;
  /** The lines that these need before them. */
  imports: string[];
  /** Why it cannot be made in Python as it was, if it cannot. */
  problem: string;
}

/** How much of a large result the model was given. */
export interface Bounds {
  returned: number;
  total: number | null;
  truncated: boolean;
  next_cursor: string | null;
}

/** How far a call says it is. */
export interface Progress {
  message: string;
  fraction: number | null;
}

/** What a call printed on one stream. */
export interface Output {
  stream: "stdout" | "stderr" | "log";
  text: string;
}

/** One payload, under the id by which it may be replaced. */
export interface PayloadNode {
  id: string;
  payload: Payload;
  /** Only in a saved run: what its renderer shows without a page's code, by MIME type. */
  static?: Record<string, JsonValue>;
}

/** A run that a call has started. Source: goadesign/goa-ai, run handles. */
export interface RunLink {
  run_id: string;
  agent_name: string;
  parent_run_id: string;
  parent_tool_call_id: string;
}

/** Who allowed or denied a call, when and why. */
export interface AuthorizationNode {
  approved: boolean;
  by: string;
  at: number;
  summary: string;
  note: string | null;
  edited: boolean;
  /** Whether it gave leave for all later calls of its tool in this session. */
  remembered: boolean;
  /** Whether it ran without being asked about, by such leave. */
  under_grant: boolean;
}

/** A message to a model, as people may read it: of images and files only what they are. */
export interface ShownMessage {
  role: "system" | "user" | "assistant" | "tool";
  text: string;
  /** Images and files that went along, a line each. */
  parts: string[];
  /** What a model asked for in it. */
  calls: ShownCall[];
  /** The call whose result it tells. */
  call_id: string | null;
}

/** A tool as a model is told of it. */
export interface ShownTool {
  name: string;
  description: string;
  /** A JSON Schema of type object; of a tool that the provider runs, what it is sent instead. */
  parameters: JsonValue;
}

/** One question to a person. */
export interface Question {
  /** The key of its answer. */
  id: string;
  text: string;
  /** What there is to choose; without any, the answer is free text. */
  options: Option[];
  /** Whether several may be chosen: then the answer is a list. */
  multiple: boolean;
  /** Whether an answer of the person's own will do, too. */
  free_text: boolean;
}

/** A call as the model asked for it. */
export interface RequestedCall {
  id: string;
  name: string;
  /** As the model wrote them: JSON, if all is well. */
  arguments: string;
}

/** What a run would do next. */
export interface ShownPause {
  /** Whether the model would be asked, or calls would be made. */
  of: "request" | "calls";
  step: number;
  model: string;
  /** Of a request, all that the model would be told. */
  messages: ShownMessage[];
  /** The first of them that no request of the run has told yet. */
  new_from: number;
  tools: ShownTool[];
  /** What else would be sent. */
  settings: Record<string, JsonValue>;
  /** Whether no call can follow. */
  is_final: boolean;
  can_skip: boolean;
  calls: ShownNextCall[];
  /** What came of an edit that is to be looked at again. */
  note: string;
}

/** One argument that does not fit. */
export interface FieldIssue {
  /** Path of the argument, joined by dots. */
  field: string;
  /** pydantic's name of the rule, e.g. `missing` or `int_parsing`. */
  constraint: string;
  message: string;
}

/** One typed piece of a result's `data`, for the person and for other tools. */
export interface Payload {
  /** Which renderer draws it, e.g. `map`. */
  kind: string;
  version: number;
  /** `timeline` is shown, `internal` is for other tools only, `evidence` tells the source. */
  audience: "timeline" | "internal" | "evidence";
  value: JsonValue;
}

/** A call in what a model is told. */
export interface ShownCall {
  id: string;
  name: string;
  /** As a model wrote them: JSON, if all is well. */
  arguments: string;
}

/** One answer to choose. */
export interface Option {
  /** What is shown, and given as the answer. */
  label: string;
  description: string;
}

/** A call that is about to be made. */
export interface ShownNextCall {
  id: string;
  name: string;
  /** What its tool would get; a live object as its name and what it is. */
  arguments: JsonValue;
  /** The arguments that the model did not give. */
  defaults: string[];
  /** As in `ToolStart`. */
  objects: Record<string, string>;
  /** The JSON Schema of the arguments; `null`: there is no such tool. */
  form: JsonValue;
  /** Why it cannot be made as it stands. */
  problem: string;
}

/** What is said of a call that nobody was asked about. */
export const NOT_ASKED = "Not asked: you allowed all calls of this tool in this session";

/** The model of a run that is one call of a person's own, and how that is called. */
export const BY_HAND = ["by hand", "Called by hand"] as const;

/** What the states of a call are called. */
export const CALL_WORDS = {
  preparing: "Preparing",
  waiting: "Waiting for you",
  running: "Running",
  done: "Done",
  failed: "Failed",
  denied: "Denied",
  cancelled: "Cancelled",
  timed_out: "Timed out",
  skipped: "Skipped",
  unknown: "Outcome unknown",
} as const;

/** What the states of a run are called. */
export const RUN_WORDS = {
  waiting: "Waiting for you",
  running: "Running",
  completed: "Done",
  failed: "Failed",
  limit: "Stopped at a limit",
  denied: "Denied",
  cancelled: "Cancelled",
  suspended: "Suspended",
  unknown: "Outcome unknown",
} as const;

/** What the kinds of failures are called. */
export const FAILURE_WORDS = {
  invalid_call: "The call was not valid",
  domain_rejection: "The tool refused",
  unavailable: "Not available",
  rate_limited: "Too many requests",
  timeout: "Timed out",
  malformed_result: "The result made no sense",
  internal: "The code raised an exception",
} as const;

/** What the model may do about a failure. */
export const RECOVERY_WORDS = {
  correct_call: "the model may correct the call",
  replan: "the model should do something else",
  finish: "the model should stop",
} as const;

/** What the streams are called that calls print to. */
export const STREAM_WORDS = {
  stdout: "Printed",
  stderr: "Printed to stderr",
  log: "Log",
} as const;

/** What guardrails look at. */
export const STAGE_WORDS = {
  input: "the prompt",
  output: "the answer",
  tool_input: "the arguments",
  tool_output: "the result",
} as const;

/** The gravest first: of one, of several, and after others. */
export const ENDINGS = {
  failed: ["failed", "failed", "failed"],
  timed_out: ["timed out", "timed out", "timed out"],
  denied: ["was denied", "were denied", "denied"],
  refused: ["was refused", "were refused", "refused"],
  cancelled: ["was cancelled", "were cancelled", "cancelled"],
  skipped: ["was skipped", "were skipped", "skipped"],
  unknown: ["has no known outcome", "have no known outcome", "of unknown outcome"],
  hollow: ["came to nothing", "came to nothing", "came to nothing"],
} as const;

/** What a run is called in which nothing succeeded. */
export const VERDICTS = {
  failed: "failed",
  timed_out: "failed",
  denied: "denied",
  refused: "denied",
  cancelled: "cancelled",
  skipped: "skipped",
  unknown: "unknown",
} as const;

/**
 * How records are read, by their names: their fields with what each holds. `t` is a text, `n` a
 * number, `f` yes or no, `j` any JSON, `#` a record by its name, `[` a list, `{` a record by id,
 * `?` what may be null, `~` what may be absent, `=` what an older version did not write with what
 * is taken then, `|` words of which it is one, `/` shapes of which it has one.
 */
export const SHAPES: Record<string, string> = {
  "SavedRun": "version:1 root_id:t tree:#Tree cuts:[#Cut open:~j",
  "Tree": "version:1 root_ids:[t runs:{#RunNode",
  "Cut": "text:t",
  "RunNode": "id:t agent_name:t model:t tools:[t status:|running|completed|failed|limit|denied|cancelled|suspended|unknown phase:|prompted|planning|executing_tools|synthesizing|completed|failed|limit|denied|cancelled|suspended step:n prompt:t text:t started_at:n ended_at:?n parent_run_id:?t parent_tool_call_id:?t forked_from:?#ForkedFrom kept:~#KeptNode resumed_from:?t resumed_by:~t approval:=\"risky\"=|risky|ask|auto|never limits:={}=#Limits chat:?t shared:[t citations:[#Citation refused:f unmet:=[]=[t items:[/#TextItem/#CallItem/#HandoffItem calls:{#CallNode requests:=[]=[#RequestNode awaits:=[]=[#AwaitNode edits:~[#EditNode guardrails:=[]=[#GuardrailNode usage:#UsageNode replayed:~#ReplayedNode failure:?#Failure explanation:~#Explanation",
  "ForkedFrom": "run_id:t origin_id:t step:n call_id:?t call_number:?n tool_name:?t edited:[|arguments|result|message|tools|model|instructions message:?t inside_id:?t is_whole:f",
  "KeptNode": "usage:#UsageNode",
  "Limits": "max_steps:?n max_calls:?n max_tokens:?n timeout_s:?n max_cost:?n max_failed_batches:?n max_depth:?n",
  "Citation": "url:?t title:?t file_id:?t start:?n end:?n",
  "CallNode": "id:t name:t step:=0=n arguments:j defaults:~[t objects:~{t taken:~#Taken left_out_bytes:~n argument_names:~[t status:|preparing|waiting|running|done|failed|denied|cancelled|timed_out|skipped|unknown hint:?t source_hash:?t cell_id:?t asked_at:?n started_at:?n duration_ms:?n content:?t preview:?t handle:?t failure:?#Failure bounds:?#Bounds progress:?#Progress output:[#Output payloads:[#PayloadNode child_run_ids:[t expected_children:?n run_links:=[]=[#RunLink proposed:j changed_by:~t authorization:?#AuthorizationNode guardrails:=[]=[#GuardrailNode explanation:~#Explanation kept:~f",
  "RequestNode": "step:n at:?n message_count:n messages:[#ShownMessage schemas:?[#ShownTool",
  "AwaitNode": "id:t kind:|confirmation|clarification|questions|external_tools|step call_id:?t title:t text:t reason:t arguments:j defaults:~[t objects:~{t left_out_bytes:~n argument_names:~[t form:j missing_fields:[t questions:[#Question calls:[#RequestedCall pause:~#ShownPause asked_at:n resolved_at:?n outcome:?|answered|denied|cancelled answer:j answered_by:?t note:?t",
  "EditNode": "step:n at:n what:|message|arguments|result|answer|skip by:t place:?n role:?t call_id:?t before:?t after:?t",
  "GuardrailNode": "name:t stage:|input|output|tool_input|tool_output outcome:|allow|replace|refuse message:t",
  "UsageNode": "input_tokens:n output_tokens:n cached_tokens:n requests:n cost:?n",
  "ReplayedNode": "answers:n since:t until:t",
  "Failure": "kind:|invalid_call|domain_rejection|unavailable|rate_limited|timeout|malformed_result|internal recovery:|correct_call|replan|finish message:t issues:[#FieldIssue debug_message:?t",
  "Explanation": "what:t remedies:[t",
  "TextItem": "type:|text|thought step:n text:t",
  "CallItem": "type:|call call_id:t",
  "HandoffItem": "type:|handoff step:n from_agent:t to_agent:t model:t",
  "Taken": "called:t names:{t positional:[t rest:t more:t always:[t forms:{t imports:[t problem:t",
  "Bounds": "returned:n total:?n truncated:f next_cursor:?t",
  "Progress": "message:t fraction:?n",
  "Output": "stream:|stdout|stderr|log text:t",
  "PayloadNode": "id:t payload:#Payload static:~{j",
  "RunLink": "run_id:t agent_name:t parent_run_id:t parent_tool_call_id:t",
  "AuthorizationNode": "approved:f by:t at:n summary:t note:?t edited:f remembered:f under_grant:=false=f",
  "ShownMessage": "role:|system|user|assistant|tool text:t parts:[t calls:[#ShownCall call_id:?t",
  "ShownTool": "name:t description:t parameters:j",
  "Question": "id:t text:t options:[#Option multiple:f free_text:f",
  "RequestedCall": "id:t name:t arguments:t",
  "ShownPause": "of:|request|calls step:n model:t messages:[#ShownMessage new_from:n tools:[#ShownTool settings:{j is_final:f can_skip:f calls:[#ShownNextCall note:t",
  "FieldIssue": "field:t constraint:t message:t",
  "Payload": "kind:t version:n audience:|timeline|internal|evidence value:j",
  "ShownCall": "id:t name:t arguments:t",
  "Option": "label:t description:t",
  "ShownNextCall": "id:t name:t arguments:j defaults:[t objects:{t form:j problem:t"
};
