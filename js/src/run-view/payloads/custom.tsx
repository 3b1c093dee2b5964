/**
 * A payload of a kind that somebody's own renderer draws: by its module, else by its static form,
 * and with what went wrong in words.
 */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Library, Rendering, RenderOptions } from "../../bridge";
import { plainNumbers } from "../../numbers";
import { themeOf } from "../../page";
import type { JsonValue, Payload, PayloadNode } from "../../tree";
import { askStatic, kindsOf, moduleOf, type RunState } from "../state";
import { staticPayload } from "./own-kind";

/** Draws a payload of a kind that nbagents draws itself. */
type Draw = (payload: Payload) => JSX.Element | null;

interface Props {
  state: RunState;
  node: PayloadNode;
  draw: Draw;
}

export function Custom({ state, node, draw }: Props): JSX.Element {
  const known = kindsOf(state).value.get(node.payload.kind);
  if (!known || node.static) return <Still form={node.static} draw={draw} />;
  if (known.hash === null) return <AskedStill state={state} node={node} draw={draw} />;
  return <ByModule key={node.payload.kind} state={state} node={node} draw={draw} />;
}

function ByModule({ state, node, draw }: Props): JSX.Element {
  const { kind, value } = node.payload;
  const box = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing>(null);
  const latest = useRef(value);
  const problem = useSignal("");
  useEffect(() => {
    const end = new AbortController();
    moduleOf(state, kind)
      .then((library) => {
        if (end.signal.aborted || !box.current) return;
        drawing.current = new Drawing(library, state, kind, box.current, end.signal);
        return drawing.current.show(latest.current);
      })
      .catch((reason: unknown) => {
        problem.value = `The renderer of ${kind} failed: ${String(reason)}`;
      });
    return () => end.abort();
  }, [state, kind, problem]);
  useEffect(() => {
    if (latest.current === value) return;
    latest.current = value;
    drawing.current?.show(value).catch((reason: unknown) => {
      problem.value = `The renderer of ${kind} failed: ${String(reason)}`;
    });
  }, [value, kind, problem]);
  if (!problem.value) return <div class="nba-custom" ref={box} />;
  return (
    <div>
      <p class="nba-problem">{problem.value}</p>
      <AskedStill state={state} node={node} draw={draw} />
    </div>
  );
}

/** What a module has drawn into an element, for as long as the signal stands. */
class Drawing {
  #end = new AbortController();
  #rendering: Rendering | undefined;

  constructor(
    readonly library: Library,
    readonly state: RunState,
    readonly kind: string,
    readonly el: HTMLElement,
    readonly signal: AbortSignal,
  ) {
    signal.addEventListener("abort", () => this.#end.abort());
  }

  /** Show a value: by `update`, or where there is none by drawing anew. */
  async show(exact: JsonValue): Promise<void> {
    const value = plainNumbers(exact);
    if (this.#rendering) return this.#rendering.update(value);
    const { library, el } = this;
    if (!library.render) throw new Error("its module exports no function `render`.");
    this.#end.abort();
    const end = new AbortController();
    this.#end = end;
    el.replaceChildren();
    const rendering = await library.render(this.#options(value, end.signal));
    if (end.signal.aborted || this.signal.aborted) return;
    this.#rendering = rendering && typeof rendering.update === "function" ? rendering : undefined;
  }

  #options(value: JsonValue, signal: AbortSignal): RenderOptions {
    const { door } = this.state;
    return {
      el: this.el,
      value,
      signal,
      theme: themeOf(this.el),
      emit: (said) => door.emit(this.kind, said),
      ask: (question) => door.ask(this.kind, question),
    };
  }
}

/** The static form, which the kernel makes; until it has come, and where none comes, JSON. */
function AskedStill({ state, node, draw }: Props): JSX.Element | null {
  const { kind, value } = node.payload;
  const form = useSignal<unknown>(null);
  useEffect(() => {
    let isWanted = true;
    askStatic(state, kind, value)
      .then((answer) => {
        if (isWanted) form.value = answer;
      })
      .catch(() => {}); // the JSON stays
    return () => {
      isWanted = false;
    };
  }, [state, kind, value, form]);
  if (form.value === null) return draw(asJson(value));
  return <Still form={form.value} draw={draw} />;
}

function Still({ form, draw }: { form: unknown; draw: Draw }): JSX.Element | null {
  const payload = useMemo(() => staticPayload(form), [form]);
  return payload && draw(payload);
}

function asJson(value: JsonValue): Payload {
  return { kind: "json", version: 1, audience: "timeline", value: { value } };
}
