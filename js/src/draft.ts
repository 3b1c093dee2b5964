/**
 * A batch's working copy of a tree: nodes are copied when first touched, so that a tree that was handed
 * out never changes.
 *
 * @module
 */
import type { RunStart } from "./events";
import { type CallNode, type CallStatus, entry, put, type RunNode, type Tree } from "./tree";

/** The awaits and the guardrails of a run are replaced and never changed, so they are not copied. */
export class Draft {
  readonly tree: Tree;
  readonly #own = new WeakSet<object>();

  constructor(tree: Tree) {
    this.tree = { ...tree, root_ids: [...tree.root_ids], runs: { ...tree.runs } };
  }

  start(event: RunStart): void {
    if (entry(this.tree.runs, event.run_id)) return;
    if (event.parent_run_id === null) this.tree.root_ids.push(event.run_id);
    put(this.tree.runs, event.run_id, this.#ours(started(event)));
  }

  run(id: string): RunNode | undefined {
    const known = entry(this.tree.runs, id);
    if (!known || this.#own.has(known)) return known;
    const copy = {
      ...known,
      items: [...known.items],
      calls: { ...known.calls },
      requests: [...known.requests],
    };
    put(this.tree.runs, id, this.#ours(copy));
    return copy;
  }

  /** A call of a run that is ours, made where it is first heard of. */
  call(run: RunNode, id: string, name: string): CallNode {
    const known = entry(run.calls, id);
    if (known && this.#own.has(known)) return known;
    const copy = known ? copied(known) : prepared(id, name, run.step);
    if (!known) run.items.push({ type: "call", call_id: id });
    put(run.calls, id, this.#ours(copy));
    return copy;
  }

  /** Set the status of those calls of a run that is ours which have one of these. */
  setCalls(run: RunNode, from: CallStatus[], to: CallStatus): void {
    for (const { id, name, status } of Object.values(run.calls)) {
      if (from.includes(status)) this.call(run, id, name).status = to;
    }
  }

  #ours<T extends object>(node: T): T {
    this.#own.add(node);
    return node;
  }
}

function started(event: RunStart): RunNode {
  return {
    id: event.run_id,
    agent_name: event.agent_name,
    model: event.model,
    tools: event.tools,
    status: "running",
    phase: "prompted",
    step: 0,
    prompt: "",
    text: "",
    started_at: event.at,
    ended_at: null,
    parent_run_id: event.parent_run_id,
    parent_tool_call_id: event.parent_tool_call_id,
    forked_from: event.forked_from,
    resumed_from: event.resumed_from,
    approval: event.approval,
    limits: event.limits,
    chat: event.chat,
    shared: [],
    citations: [],
    refused: false,
    unmet: [],
    items: [],
    calls: {},
    requests: [],
    awaits: [],
    guardrails: [],
    usage: { input_tokens: 0, output_tokens: 0, cached_tokens: 0, requests: 0, cost: null },
    failure: null,
  };
}

function prepared(id: string, name: string, step: number): CallNode {
  return {
    id,
    name,
    step,
    arguments: null,
    status: "preparing",
    hint: null,
    source_hash: null,
    cell_id: null,
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
  };
}

function copied(call: CallNode): CallNode {
  return {
    ...call,
    output: [...call.output],
    payloads: [...call.payloads],
    child_run_ids: [...call.child_run_ids],
  };
}
