/** A run for tests, told as a kernel tells it: each thing that happens is a unit of patches. */
import type { AwaitNode, CallNode, Item, JsonValue, NodePatch, RunNode, Tree } from "./tree";
import { EMPTY, entry, patched } from "./tree";

/** What one thing that happens changes; each has as many patches, so that places can be counted. */
export type Unit = NodePatch[];
type Given = { [name: string]: unknown };
type Fields = { [name: string]: JsonValue };

export const UNIT = 4;
const ENDED = ["completed", "failed", "limit", "denied", "cancelled", "suspended"];

/** What a run begins with that is no branch, has no limits and belongs to no conversation. */
export const ROOT = {
  forked_from: null,
  resumed_from: null,
  approval: "risky",
  limits: {
    max_steps: null,
    max_calls: null,
    max_tokens: null,
    timeout_s: null,
    max_cost: null,
    max_failed_batches: null,
    max_depth: null,
  },
  chat: null,
} as const;

const CALL = {
  arguments: null,
  status: "preparing",
  hint: null,
  source_hash: null,
  cell_id: null,
  asked_at: null,
  started_at: null,
  duration_ms: null,
  content: null,
  preview: null,
  handle: null,
  failure: null,
  bounds: null,
  progress: null,
  output: [],
  payloads: [],
  child_run_ids: [],
  expected_children: null,
  run_links: [],
  proposed: null,
  authorization: null,
  guardrails: [],
} satisfies Partial<CallNode>;

/** What is said of arguments beside them. */
const BESIDE = ["defaults", "objects", "left_out_bytes"];

const KINDS: Record<string, AwaitNode["kind"]> = {
  await_confirmation: "confirmation",
  await_clarification: "clarification",
  await_questions: "questions",
  await_external_tools: "external_tools",
  await_step: "step",
};

/** The tree of a log whose writer is gone. */
export function settle(tree: Tree): Tree {
  const copy = structuredClone(tree);
  for (const run of Object.values(copy.runs)) {
    if (run.status !== "running") continue;
    run.status = "unknown";
    for (const call of Object.values(run.calls))
      if (["preparing", "waiting", "running"].includes(call.status)) call.status = "unknown";
  }
  return copy;
}

/** The tree that these units make. */
export function fold(units: Unit[]): Tree {
  return patched(EMPTY, units.flat());
}

/** Tells what happens in one session, in order. */
export class Sample {
  readonly events: Unit[] = [];
  #at = 1_700_000_000;
  #made: NodePatch[] = [];
  #tree = EMPTY;
  readonly #ours = new WeakSet<object>();
  readonly #run_id: string;
  readonly #parent: string | null;

  constructor(run_id = "run-1", parent: string | null = null) {
    this.#run_id = run_id;
    this.#parent = parent;
  }

  add(type: string, given: Given): this {
    this.#made = [];
    const id = typeof given.run_id === "string" ? given.run_id : this.#run_id;
    this.#tell(type, id, { parent_run_id: this.#parent, ...given });
    while (this.#made.length < UNIT) this.#made.push({ run: id, at: this.#at });
    this.events.push(this.#made);
    this.#at += 0.5;
    return this;
  }

  start(agent_name = "Agent"): this {
    return this.add("run_start", { agent_name, model: "offline", tools: [], ...ROOT });
  }

  tool(id: string, given: Given = {}): this {
    return this.add("tool_start", { tool_call_id: id, arguments: { city: "Paris" }, ...given });
  }

  ended(id: string, given: Given = {}): this {
    const usual = { status: "done", content: "9 °C", duration_ms: 500 };
    return this.add("tool_end", { tool_call_id: id, ...usual, ...given });
  }

  said(text: string, step = 1): this {
    return this.add("assistant_turn", { step, text, calls: [], citations: [], refused: false });
  }

  phase(phase: string, failure: unknown = null): this {
    return this.add("workflow", { phase, step: 1, failure });
  }

  #patch(patch: NodePatch): void {
    this.#made.push(patch);
    this.#tree = patched(this.#tree, [patch], this.#ours);
  }

  #run(id: string): RunNode {
    const run = entry(this.#tree.runs, id);
    if (!run) throw new Error(`${id} has not begun`);
    return run;
  }

  #set(run: string, set: Given, call?: string): void {
    const of = call === undefined ? { run } : { run, call };
    const unset = "arguments" in set ? BESIDE.filter((name) => !(name in set)) : [];
    this.#patch({ ...of, at: this.#at, set: set as Fields, unset });
  }

  #append(run: string, field: keyof RunNode, one: object): void {
    const add = [one as JsonValue];
    const at = (this.#run(run)[field] as unknown[]).length;
    this.#patch({ run, at: this.#at, splices: [{ field, at, drop: 0, add }] });
  }

  /** A call, made where it is first heard of. */
  #call(run: string, given: Given): CallNode {
    const id = String(given.tool_call_id);
    const known = entry(this.#run(run).calls, id);
    if (known) return known;
    const made = { id, name: String(given.tool_name ?? "weather"), ...CALL };
    this.#append(run, "items", { type: "call", call_id: id } satisfies Item);
    this.#set(run, { ...made, step: this.#run(run).step }, id);
    return this.#call(run, given);
  }

  /** Say or think something in a step. */
  #text(run: string, type: "text" | "thought", step: number, change: (text: string) => string) {
    const { items } = this.#run(run);
    const at = items.findLastIndex((one) => one.type === type && one.step === step);
    const known = items[at];
    const text = change(known && "text" in known ? known.text : "");
    const add = text ? [{ type, step, text }] : [];
    const splice = { field: "items", at: known ? at : items.length, drop: known ? 1 : 0, add };
    this.#patch({ run, at: this.#at, splices: [splice] });
    if (type === "text") this.#set(run, { text });
  }

  #tell(type: string, run: string, given: Given): void {
    const { step = 1, text, message_count, messages, schemas } = given as { step?: number } & Given;
    const { name, stage, outcome, message } = given;
    if (type === "run_start") this.#begin(run, given);
    else if (type in KINDS) this.#ask(type, run, given);
    else if (type === "user_message") this.#set(run, { prompt: text, shared: given.shared });
    else if (type === "workflow") this.#enter(run, given);
    else if (type === "assistant_delta") this.#text(run, "text", step, (all) => all + text);
    else if (type === "thought") this.#text(run, "thought", step, (all) => all + text);
    else if (type === "assistant_turn") this.#turn(run, given);
    else if (type === "await_resolved") this.#resolve(run, given);
    else if (type === "usage") this.#count(run, given);
    else if (type === "prompt_rendered")
      this.#append(run, "requests", {
        ...{ step, at: this.#at },
        ...{ message_count, messages, schemas },
      } as object);
    else if (type === "guardrail" && !given.tool_call_id)
      this.#append(run, "guardrails", { name, stage, outcome, message });
    else {
      const call = this.#call(run, given);
      if (type === "tool_data") this.#give(run, call, given);
      this.#set(run, this.#ofCall(type, call, given), call.id);
    }
  }

  /** What becomes of a call. */
  #ofCall(type: string, call: CallNode, given: Given): Given {
    const { arguments: value, stream, text, display_hint } = given;
    switch (type) {
      case "tool_start": {
        const { source_hash = null, cell_id = null } = given;
        const told = { source_hash, cell_id, started_at: this.#at, progress: null };
        return { ...told, status: "running", hint: display_hint ?? null, ...about(given) };
      }
      case "tool_update": {
        const { message, fraction, expected_children } = given;
        return {
          expected_children: expected_children ?? call.expected_children,
          ...(message || fraction !== null ? { progress: { message, fraction } } : {}),
        };
      }
      case "tool_output_delta": {
        const last = call.output.at(-1);
        const goesOn = last !== undefined && last.stream === stream;
        const whole = { stream, text: (goesOn ? last.text : "") + String(text) };
        return { output: [...(goesOn ? call.output.slice(0, -1) : call.output), whole] };
      }
      case "tool_end": {
        const { status, content, preview, handle, failure, bounds, duration_ms, run_links } = given;
        const told = { status, content, preview, handle, failure, bounds, duration_ms };
        const some = Object.entries(told).filter(([, one]) => one !== undefined);
        return { ...Object.fromEntries(some), run_links: run_links ?? [] };
      }
      case "child_run_linked":
        return { child_run_ids: [...call.child_run_ids, given.child_run_id] };
      case "tool_authorization": {
        const { approved, approved_by: by, summary, edited, remembered, under_grant } = given;
        const said = { approved, by, at: this.#at, summary, note: given.note ?? null };
        const asked = Object.values(this.#tree.runs)
          .flatMap(({ awaits }) => awaits)
          .find(({ call_id, kind }) => call_id === call.id && kind === "confirmation");
        return {
          authorization: { ...said, edited, remembered, under_grant: under_grant ?? false },
          ...(edited ? { proposed: call.proposed ?? (asked ?? call).arguments } : {}),
          ...(value === null || value === undefined ? {} : about(given)),
        };
      }
      case "guardrail": {
        const { name, stage, outcome, message } = given;
        const replaced = stage === "tool_input" && outcome === "replace";
        return {
          guardrails: [...call.guardrails, { name, stage, outcome, message }],
          ...(replaced ? { proposed: call.proposed ?? call.arguments } : {}),
        };
      }
      default:
        return {}; // a call is being written
    }
  }

  /** Give a payload, or another one in its place. */
  #give(run: string, { id, payloads }: CallNode, { payload_id, payload }: Given): void {
    const known = payloads.findIndex((one) => one.id === payload_id);
    const place = known < 0 ? { at: payloads.length, drop: 0 } : { at: known, drop: 1 };
    const add = [{ id: payload_id, payload } as JsonValue];
    const splices = [{ field: "payloads", ...place, add }];
    this.#patch({ run, call: id, at: this.#at, splices });
  }

  #begin(run: string, given: Given): void {
    const { agent_name, model, tools, forked_from, resumed_from, approval, limits, chat } = given;
    const { parent_run_id, parent_tool_call_id = null } = given;
    const said = { agent_name, model, tools, forked_from, resumed_from, approval, limits, chat };
    this.#set(run, {
      ...said,
      ...{ id: run, status: "running", phase: "prompted", step: 0, prompt: "", text: "" },
      ...{ started_at: this.#at, ended_at: null, parent_run_id, parent_tool_call_id },
      ...{ shared: [], citations: [], refused: false, unmet: [], items: [], calls: {} },
      ...{ requests: [], awaits: [], guardrails: [], failure: null },
      usage: { input_tokens: 0, output_tokens: 0, cached_tokens: 0, requests: 0, cost: null },
    });
  }

  #enter(run: string, { phase, step, failure = null }: Given): void {
    const { calls, step: before } = this.#run(run);
    const isEnd = ENDED.includes(String(phase));
    const end = isEnd ? { status: phase, ended_at: this.#at, failure } : {};
    this.#set(run, { phase, step: Math.max(before, Number(step)), ...end });
    const [from, to] = phase === "suspended" ? ["running", "waiting"] : ["preparing", "skipped"];
    for (const { id, status } of isEnd ? Object.values(calls) : [])
      if (status === from) this.#set(run, { status: to }, id);
  }

  #turn(run: string, given: Given): void {
    const { text, calls, citations, refused, step, unmet = [] } = given;
    this.#text(run, "text", Number(step), () => String(text));
    this.#set(run, { text, citations, refused, unmet });
    for (const { id, name, arguments: written, ...beside } of calls as Given[]) {
      this.#call(run, { tool_call_id: id, tool_name: name });
      const asked = { ...beside, arguments: parsed(String(written)) };
      this.#set(run, { ...about(asked), step, asked_at: this.#at }, String(id));
    }
  }

  #ask(type: string, run: string, given: Given): void {
    const calls = (given.calls ?? []) as { id: string; name: string }[];
    const names = [...new Set(calls.map(({ name }) => name))].join(", ");
    const call_id = (given.tool_call_id as string | null | undefined) ?? null;
    const isConsent = type === "await_confirmation";
    if (isConsent) this.#call(run, given);
    this.#append(run, "awaits", {
      ...about({ ...given, arguments: given.arguments ?? given.given ?? null }),
      id: given.await_id,
      kind: KINDS[type],
      call_id: type === "await_external_tools" ? null : call_id,
      title: given.title ?? given.tool_name ?? names,
      text: given.prompt ?? given.question ?? "",
      reason: given.reason ?? "",
      form: given.form ?? null,
      missing_fields: given.missing_fields ?? [],
      questions: given.questions ?? [],
      calls,
      ...(given.pause ? { pause: given.pause } : {}),
      asked_at: this.#at,
      ...{ resolved_at: null, outcome: null, answer: null, answered_by: null, note: null },
    });
    for (const id of call_id === null ? calls.map((one) => one.id) : [call_id]) {
      if (!entry(this.#run(run).calls, id)) continue;
      this.#set(run, { status: "waiting", ...(isConsent ? about(given) : {}) }, id);
    }
  }

  #resolve(run: string, given: Given): void {
    const { awaits, calls } = this.#run(run);
    const at = awaits.findIndex(({ id }) => id === given.await_id);
    const known = awaits[at];
    if (!known) return;
    const { outcome, answer, answered_by, note = null } = given;
    const told = { ...known, resolved_at: this.#at, outcome, answer, answered_by, note };
    const add = [told as unknown as JsonValue];
    this.#patch({ run, at: this.#at, splices: [{ field: "awaits", at, drop: 1, add }] });
    const waiting = known.call_id === null ? known.calls.map(({ id }) => id) : [known.call_id];
    for (const id of waiting) {
      const call = entry(calls, id);
      if (call?.status !== "waiting") continue;
      this.#set(run, { status: call.started_at === null ? "preparing" : "running" }, id);
    }
  }

  #count(run: string, given: Given): void {
    const { usage } = this.#run(run);
    const {
      input_tokens,
      output_tokens,
      cached_tokens,
      cost = null,
    } = given as unknown as typeof usage;
    this.#set(run, {
      usage: {
        input_tokens: usage.input_tokens + input_tokens,
        output_tokens: usage.output_tokens + output_tokens,
        cached_tokens: usage.cached_tokens + cached_tokens,
        requests: usage.requests + 1,
        cost: cost === null ? usage.cost : (usage.cost ?? 0) + cost,
      },
    });
  }
}

/** Arguments, and what is said of them where there is anything to say. */
function about({ arguments: value = null, defaults, objects, left_out_bytes }: Given): Given {
  const said = { defaults, objects, left_out_bytes };
  const some = Object.entries(said).filter(
    ([, one]) => one && (typeof one === "number" || Object.keys(one).length),
  );
  return { arguments: value, ...Object.fromEntries(some) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
