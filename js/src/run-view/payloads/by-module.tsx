/**
 * Payloads that a module of their own draws, which comes with the first of its kind on a page: tables and
 * charts, and those of somebody's own renderers.
 */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { isRecord, type Library, type Rendering, type RenderOptions, reasonOf } from "../../bridge";
import { plainNumbers } from "../../numbers";
import { themeOf } from "../../page";
import { callsOf, type JsonValue, type PayloadNode, type Tree } from "../../tree";
import type { RunState } from "../state";

type Options = Omit<RenderOptions, "el" | "value" | "theme" | "signal">;

interface Props {
  class: string;
  value: JsonValue;
  /** The value as the module takes it. */
  read?: (value: JsonValue) => JsonValue;
  load: () => Promise<Library>;
  options: () => Options;
  /** What is shown where it fails. */
  failed: (reason: unknown) => JSX.Element;
}

/** Made anew where anything but the value is another. */
export function ByModule(props: Props): JSX.Element {
  const { class: name, value, read = plainNumbers, load, options, failed } = props;
  const box = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing>(null);
  const newest = useRef(value);
  const problem = useSignal<{ reason: unknown } | null>(null);
  const fail = (reason: unknown) => {
    problem.value = { reason };
  };
  useEffect(() => {
    const end = new AbortController();
    const begin = async () => {
      const library = await load();
      if (end.signal.aborted || !box.current) return;
      drawing.current = new Drawing(library, box.current, options(), end.signal);
      await drawing.current.show(read(newest.current));
    };
    begin().catch(fail);
    return () => end.abort();
  }, []);
  useEffect(() => {
    if (newest.current === value) return;
    newest.current = value;
    drawing.current?.show(read(value)).catch(fail);
  }, [value]);
  return (
    <div class={name}>
      <div ref={box} hidden={!!problem.value} />
      {problem.value && failed(problem.value.reason)}
    </div>
  );
}

/** What a module has drawn into an element, for as long as the signal stands. */
class Drawing {
  #end = new AbortController();
  #rendering: Rendering | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    readonly library: Library,
    readonly el: HTMLElement,
    readonly options: Options,
    readonly signal: AbortSignal,
  ) {
    signal.addEventListener("abort", () => this.#end.abort());
  }

  /** Show a value when the one before is drawn: by `update`, or where there is none by drawing anew. */
  show(value: JsonValue): Promise<void> {
    const own = this.#last.then(() => this.#show(value));
    this.#last = own.catch(() => {});
    return own;
  }

  async #show(value: JsonValue): Promise<void> {
    if (this.#rendering) return this.#rendering.update(value);
    const { library, el, options } = this;
    if (!library.render) throw new Error("its module exports no function `render`.");
    this.#end.abort();
    if (this.signal.aborted) return;
    this.#end = new AbortController();
    const { signal } = this.#end;
    el.replaceChildren();
    const rendering = await library.render({ ...options, el, value, theme: themeOf(el), signal });
    if (rendering && typeof rendering.update === "function") this.#rendering = rendering;
  }
}

interface Place {
  state: RunState;
  node: PayloadNode;
}

/** A chart; its picture is told, for the saved notebook. */
export function ChartView({ state, node }: Place): JSX.Element {
  const { door } = state;
  const emit = (said: JsonValue) => {
    if (door.isLive && isRecord(said)) door.emit("chart", { payload_id: node.id, ...said });
  };
  return <OfOurs state={state} node={node} kind="chart" options={{ emit }} />;
}

/** A table: sorted, filtered and paged by the kernel while it is there, also when the run is over and saved. */
export function TableView({ state, node }: Place): JSX.Element {
  const { isLive, rows = null } = state.door;
  const options = isLive ? {} : { saved: rows };
  return <OfOurs state={state} node={node} kind="table" read={asItIs} options={options} />;
}

function asItIs(value: JsonValue): JsonValue {
  return value;
}

/** Whether a value has the form of a table; the module that draws it reads it closely. */
export function isTable(value: JsonValue): boolean {
  if (!isRecord(value) || !Array.isArray(value.rows)) return false;
  const { columns, rows } = value;
  const isNamed = Array.isArray(columns) || (columns === undefined && rows.some(isRecord));
  return isNamed && rows.every((row) => Array.isArray(row) || isRecord(row));
}

interface OursProps extends Place, Pick<Props, "read"> {
  kind: "chart" | "table";
  options: Partial<Options>;
}

function OfOurs({ state, node, kind, options, ...read }: OursProps): JSX.Element {
  const { door, tree } = state;
  return (
    <ByModule
      key={node.id}
      {...read}
      class={`nba-${kind}-place`}
      value={node.payload.value}
      load={() => door.load(kind)}
      options={() => ({
        id: placeOf(tree.peek(), node),
        emit: () => {},
        ask: (question) => door.ask(kind, question),
        isUntrusted: door.isUntrusted === true,
        ...options,
      })}
      failed={(reason) => (
        <p class="nba-small">
          The {kind} could not be shown: {reasonOf(reason)}
        </p>
      )}
    />
  );
}

/** Which payload of which call of which run it is: alone its id is that of others, too. */
function placeOf({ runs }: Tree, node: PayloadNode): string {
  for (const run of Object.values(runs))
    for (const { id, payloads } of callsOf(run))
      if (payloads.includes(node)) return `${run.id}/${id}/${node.id}`;
  return "";
}
