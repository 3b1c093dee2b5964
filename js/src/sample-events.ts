/**
 * Events for tests, each with everything an event carries.
 *
 * @module
 */
import type { AnyEvent } from "./events";

type Type = AnyEvent["type"];
type Of<T extends Type> = Extract<AnyEvent, { type: T }>;
type Frame = Omit<Of<"run_stream_end">, "type">;
/** What is filled in unless it is given. */
const USUAL = {
  tool_name: "weather",
  form: null,
  reason: "",
  cost: null,
  expected_children: null,
  note: null,
  unmet: [],
  defaults: [],
  objects: {},
  written: null,
};
/** What an event of this type has beyond what all have and what is filled in. */
type Rest<T extends Type> = Omit<Of<T>, keyof Frame | "type" | keyof typeof USUAL | "call_run_id">;

/** What a run begins with that is no branch, has no limits and belongs to no conversation. */
export const ROOT: Pick<
  Of<"run_start">,
  "forked_from" | "resumed_from" | "approval" | "limits" | "chat"
> = {
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
};

/** Makes the events of one session, in order. */
export class Sample {
  readonly events: AnyEvent[] = [];
  #at = 1_700_000_000;
  readonly #run_id: string;
  readonly #parent: string | null;

  constructor(run_id = "run-1", parent: string | null = null) {
    this.#run_id = run_id;
    this.#parent = parent;
  }

  add<T extends Type>(type: T, rest: Rest<T> & Partial<Of<T>>): this {
    const event: unknown = {
      seq: this.events.length,
      at: this.#at,
      event_key: String(this.events.length),
      session_id: "session-1",
      turn_id: "turn-1",
      run_id: this.#run_id,
      parent_run_id: this.#parent,
      parent_tool_call_id: null,
      labels: {},
      ...USUAL,
      call_run_id: this.#run_id,
      type,
      ...rest,
    };
    if (isEvent(event)) this.events.push(event);
    this.#at += 0.5;
    return this;
  }

  start(agent_name = "Agent"): this {
    return this.add("run_start", { agent_name, model: "offline", tools: [], ...ROOT });
  }

  tool(id: string, given: Partial<Of<"tool_start">> = {}): this {
    return this.add("tool_start", {
      tool_call_id: id,
      arguments: { city: "Paris" },
      display_hint: null,
      source_hash: null,
      cell_id: null,
      ...given,
    });
  }

  ended(id: string, given: Partial<Of<"tool_end">> = {}): this {
    return this.add("tool_end", {
      tool_call_id: id,
      status: "done",
      content: "9 °C",
      preview: null,
      handle: null,
      has_next: null,
      failure: null,
      bounds: null,
      duration_ms: 500,
      run_links: [],
      ...given,
    });
  }

  said(text: string, step = 1): this {
    return this.add("assistant_turn", { step, text, calls: [], citations: [], refused: false });
  }

  phase(phase: Of<"workflow">["phase"], failure: Of<"workflow">["failure"] = null): this {
    return this.add("workflow", { phase, step: 1, failure });
  }
}

function isEvent(made: unknown): made is AnyEvent {
  return typeof made === "object" && made !== null && "type" in made;
}
