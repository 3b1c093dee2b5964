/**
 * What crosses between a page and its kernel, and between the loader and the modules it loads. The
 * one place where what came from outside is given a type.
 *
 * @module
 */
import type { AnyEvent, JsonValue } from "./events";

/** What modules see of a widget's model: its custom messages and, for widgets with state, traits. */
export interface WidgetModel {
  send(content: unknown): void;
  /** Hear `msg:custom`, or `change:` and a trait, until `off`. */
  on(name: string, heard: MessageListener): void;
  off(name: string, heard: MessageListener): void;
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
}

export type MessageListener = (content: unknown, buffers: readonly DataView[]) => void;

/** What a module may ask of the page that loaded it. */
export interface Page {
  /** Another module, named by `loader_for` in Python; fetched over the comm once a page. */
  load(name: string): Promise<Library>;
}

/** A module that the loader mounts. */
export interface Library {
  /** Called once for each model; what it returns is given to every `mount` of that model. */
  attach?(model: WidgetModel, signal: AbortSignal, page: Page): unknown;
  /** Draw one view into `el`, until the signal. */
  mount?(model: WidgetModel, el: HTMLElement, signal: AbortSignal, attached: unknown): void;
  /** A Markdown text as nodes that can do nothing to the page. */
  markdown?(text: string): DocumentFragment;
  /** The late parts of the run view, which draw with what it lends them. */
  parts?(lend: (name: string) => unknown): typeof import("./run-view/parts");
  /** Draws payloads of one kind. */
  render?(options: RenderOptions): Rendering | undefined | Promise<Rendering | undefined>;
}

/** What a renderer is given. */
export interface RenderOptions {
  /** An empty element of its own. */
  el: HTMLElement;
  value: JsonValue;
  /** Tell Python what the person did; nothing happens where no kernel is. */
  emit(value: JsonValue): void;
  /** Ask Python for more, e.g. further rows; rejects where no kernel is. */
  ask(question: JsonValue): Promise<JsonValue>;
  /** Another module by name, where one can be had; see `Page`. */
  load?(name: string): Promise<Library>;
  /** Whether the value stands in a notebook that nobody vouches for, and may ask for endless work. */
  isUntrusted?: boolean;
  /** The colours of the page around it. */
  theme: "light" | "dark";
  /** Aborted when the view goes: take listeners and timers away then. */
  signal: AbortSignal;
}

/** What draws a payload, as long as its view stands. */
export interface Rendering {
  /** The payload was replaced, or the next one of a stateful kind came. */
  update(value: JsonValue): void;
}

/** How a view of runs reaches what stands behind it: a kernel, or only a saved notebook. */
export interface Door {
  /** Whether a kernel hears. */
  readonly isLive: boolean;
  /** Whether what is shown stands in a notebook that the person has not said to trust. */
  readonly isUntrusted?: boolean;
  /** A module by name; see `Page`. */
  load(name: string): Promise<Library>;
  /** The person did something in the view of a payload of this kind. */
  emit(kind: string, value: JsonValue): void;
  /** Ask the kernel's renderer of this kind; rejects where no kernel is. */
  ask(kind: string, question: JsonValue): Promise<JsonValue>;
  /** Ask for a stop: of the whole run, of one run inside it, or of one call. */
  stop(what?: Part): void;
  /** Answer what a run asks; rejects with what is wrong about the answer, or where no kernel is. */
  resolve(await_id: string, answer: AwaitAnswer): Promise<void>;
  /** What the notebook can do with its own cells; absent outside of JupyterLab. */
  readonly notebook?: NotebookActions;
}

/** A run, or one of its calls. */
export interface Part {
  run_id: string;
  call_id?: string;
}

/** What a person says to an await. */
export interface AwaitAnswer {
  action: "approve" | "deny" | "answer";
  /** With `approve`: the arguments that were changed, by name; all others stay as they were asked for. */
  changes?: Record<string, JsonValue>;
  /** With `approve`: the arguments that are not given any more. */
  left_out?: string[];
  /** With `answer`: values by field, question or call; or text. */
  value?: JsonValue;
  /** What is said to it; the model is told. */
  note?: string;
  /** With `approve`: whether calls of this tool are not asked about any more in this session. */
  remember?: boolean;
}

/** What a page's notebook can be asked to do. */
export interface NotebookActions {
  /** Insert a cell with this source below the one whose output shows the run. */
  insertBelow(source: string): void;
  /** Whether the notebook has a cell of this id. */
  hasCell(id: string): boolean;
  /** Scroll to the cell of this id and select it. */
  showCell(id: string): void;
}

/** A batch of a run's events; `from` is the position of the first in the run's list. */
export interface EventBatch {
  type: "events";
  from: number;
  events: AnyEvent[];
  /** Milliseconds since the kernel was given its newest event. */
  idle_ms: number;
}

/** A module's text, as the kernel answers; the text is the message's first buffer. */
export interface LibraryAnswer {
  type: "library";
  name: string;
  hash?: string;
  error?: string;
}

/** The kernel's answer to an `ask` or a `resolve`. */
export interface Answer {
  type: "answer";
  id: number;
  value?: JsonValue;
  error?: string;
}

/** Which calls are open at first: those that failed, all, none, or also those that show something. */
export type Opening = "errors" | "all" | "none" | "data";

/** How the person wants a run to be shown. */
export interface ViewOptions {
  type: "options";
  open: Opening;
}

export type FromKernel = EventBatch | LibraryAnswer | Answer | ViewOptions;

/** What was said of how a run opens; what is not known counts as the usual. */
export function openingOf(value: unknown): Opening {
  return value === "all" || value === "none" || value === "data" ? value : "errors";
}

export type ToKernel =
  /** `page`: its own name, by which a kernel knows it again. */
  | { type: "sync"; from: number; page: string }
  | { type: "library"; name: string }
  | { type: "emit"; kind: string; value: JsonValue }
  | { type: "ask"; id: number; kind: string; question: JsonValue }
  | { type: "resolve"; id: number; await_id: string; answer: AwaitAnswer }
  | ({ type: "stop" } & Partial<Part>);

/** A message of our kernel, or `null` for what another program sent. */
export function fromKernel(content: unknown): FromKernel | null {
  if (!isRecord(content)) return null;
  if (content.type === "library") return content as unknown as LibraryAnswer;
  if (content.type === "answer" && typeof content.id === "number")
    return content as unknown as Answer;
  if (content.type === "options") return { type: "options", open: openingOf(content.open) };
  if (content.type !== "events") return null;
  if (typeof content.from !== "number" || !Array.isArray(content.events)) return null;
  return content as unknown as EventBatch;
}

export function toKernel(model: WidgetModel, message: ToKernel): void {
  model.send(message);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Import a module from its text, as anywidget imports `_esm`. */
export async function importText(text: DataView): Promise<Library> {
  const url = URL.createObjectURL(new Blob([text as BlobPart], { type: "text/javascript" }));
  try {
    return (await import(url)) as Library;
  } finally {
    URL.revokeObjectURL(url);
  }
}

interface Shared {
  __nbagents?: Map<string, unknown>;
}

/** What all copies of the loader on this page share, made when first asked for. */
export function sharedOnPage<T>(key: string, make: () => T): T {
  const shared = globalThis as typeof globalThis & Shared;
  shared.__nbagents ??= new Map();
  const all = shared.__nbagents;
  if (!all.has(key)) all.set(key, make());
  return all.get(key) as T;
}
