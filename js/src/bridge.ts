/**
 * What crosses between a page and its kernel, and between the loader and the modules it loads. The
 * one place where what came from outside is given a type.
 */
import type { JsonValue, NodePatch } from "./tree";

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
  /** Show a Markdown text in an element of its own; it can do nothing to the page. */
  prose?(el: HTMLElement, text: string, options: ProseOptions): void;
  /** The pieces of source text, each with what it is, for its colour. */
  colours?: Colours;
  /** The late parts of the run view, which draw with what it lends them; `stand-ins.tsx` knows them. */
  parts?(lend: (name: string) => unknown): object;
  /** Draws payloads of one kind. */
  render?(options: RenderOptions): Rendering | undefined | Promise<Rendering | undefined>;
}

/** How prose is shown. */
export interface ProseOptions {
  /** Whether more of it is to come: what has only begun is held back. */
  isGrowing: boolean;
  /** Colours code; `null` until it has come. */
  colours: Colours | null;
  /** Called where there is code that may have colours. */
  wantColours(): void;
}

/** Source text in a language, by its pieces; `null` where the language is not known. */
export type Colours = (text: string, language: string) => ColouredPiece[] | null;

/** A piece of source text, and what it is: a `keyword`, a `string`; nothing where it is plain. */
export type ColouredPiece = [text: string, scope: string];

/** What a renderer is given. */
export interface RenderOptions {
  /** An empty element of its own. */
  el: HTMLElement;
  value: JsonValue;
  /** Tell Python what the person did; nothing happens where no kernel is. */
  emit(value: JsonValue): void;
  /** Ask Python for more, e.g. further rows; rejects where no kernel is. */
  ask(question: JsonValue): Promise<JsonValue>;
  /** Of what is saved, who may have more of it; `null`: nobody. Absent where `ask` is answered. */
  saved?: SavedRows | null;
  /** Another module by name, where one can be had; see `Page`. */
  load?(name: string): Promise<Library>;
  /** The same for all views of this payload of this run, of its live and of its saved form. */
  id?: string;
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
  /** Whether somebody may answer what is asked about the run itself. */
  canAsk?(): boolean;
  /** What the notebook holds of a saved run besides, which people can take elsewhere. */
  readonly frozen?: { html: string; text: string };
  /** A module by name; see `Page`. */
  load(name: string): Promise<Library>;
  /** The person did something in the view of a payload of this kind. */
  emit(kind: string, value: JsonValue): void;
  /**
   * Ask the kernel's renderer of this kind, or about the run itself, which may have ended
   * (`run:copy`, `run:cells`, `run:source`, `run:call`, `run:search`); rejects where no kernel is.
   */
  ask(kind: string, question: JsonValue): Promise<JsonValue>;
  /** Ask for a stop: of the whole run, of one run inside it, or of one call. */
  stop(what?: Part): void;
  /** Answer what a run asks; rejects with what is wrong about the answer, or where no kernel is. */
  resolve(await_id: string, answer: AwaitAnswer): Promise<void>;
  /** The rows of a saved run's tables, where there may be a kernel that has them. */
  readonly rows?: SavedRows;
  /** What the notebook can do with its own cells; absent outside of JupyterLab. */
  readonly notebook?: NotebookActions;
}

/** The kernel that has the tables of a saved run, if it lives. */
export interface SavedRows {
  /** Ask a table's frame; rejects where no kernel is, or one that does not know the run. */
  ask(question: JsonValue): Promise<JsonValue>;
  /** Hear that the kernel has ended, until the signal. */
  onEnd(act: () => void, signal: AbortSignal): void;
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
  /** Insert cells below the one whose output shows the run; the first of them is to be written on. */
  insertBelow(...sources: readonly string[]): void;
  /** Run the cell again whose output shows the run; where it is none's, a new one of this source. */
  runAgain(source: string): void;
  /** The address of a run, or of a call as `run/call`, in this notebook. */
  linkTo(place: string): string;
  /** Whether the notebook has a cell of this id. */
  hasCell(id: string): boolean;
  /** A cell as people name it, `In [3]`; nothing where it is not here, or was not run. */
  cellName(id: string): string | null;
  /** Scroll to the cell of this id and select it. */
  showCell(id: string): void;
}

/** What became of a run, in patches; `from` is the position of the first in the run's list. */
export interface PatchBatch {
  type: "patches";
  from: number;
  patches: NodePatch[];
  /** Milliseconds since the kernel was given the newest. */
  idle_ms: number;
  /** Of a part of a whole: it begins at this place of it, and stands for all patches before `from`. */
  part?: { at: number; of: number };
}

/** A module's text, as the kernel answers; the text is the message's first buffer. */
interface LibraryAnswer {
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
interface ViewOptions {
  type: "options";
  open: Opening;
}

type FromKernel = PatchBatch | LibraryAnswer | Answer | ViewOptions;

/** What was said of how a run opens; what is not known counts as the usual. */
export function openingOf(value: unknown): Opening {
  return value === "all" || value === "none" || value === "data" ? value : "errors";
}

type ToKernel =
  /** `page`: its own name, by which a kernel knows it again. */
  | { type: "sync"; from: number; page: string }
  | { type: "library"; name: string }
  | { type: "emit"; kind: string; value: JsonValue }
  | { type: "ask"; id: number; kind: string; question: JsonValue }
  | { type: "resolve"; id: number; await_id: string; answer: AwaitAnswer }
  | ({ type: "stop" } & Partial<Part>);

/** A message of our kernel, or `null` for what another program sent. */
export function fromKernel(content: unknown): FromKernel | null {
  if (isRecord(content) && content.type === "options")
    return { type: "options", open: openingOf(content.open) };
  return isOurs(content) ? content : null;
}

function isOurs(content: unknown): content is PatchBatch | LibraryAnswer | Answer {
  if (!isRecord(content)) return false;
  const { type, id, from, patches } = content;
  if (type === "patches") return typeof from === "number" && Array.isArray(patches);
  return type === "library" || (type === "answer" && typeof id === "number");
}

export function toKernel(model: WidgetModel, message: ToKernel): void {
  model.send(message);
}

/** Hear of changes of a model's traits, until the signal. */
export function onChange(
  model: WidgetModel,
  traits: readonly string[],
  signal: AbortSignal,
  heard: () => void,
): void {
  for (const trait of traits) {
    model.on(`change:${trait}`, heard);
    signal.addEventListener("abort", () => model.off(`change:${trait}`, heard));
  }
}

/** Why something went wrong, in words. */
export function reasonOf(why: unknown): string {
  return why instanceof Error ? why.message : String(why);
}

/** A text, where a value is one; else nothing. */
export function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
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

/** The place that a link leads to, `run/call`, until a view has shown it. */
const PLACE = "nbagents:place";

/** Have the view that has this place show it: one that is drawn, or comes to be. */
export function showPlace(place: string): void {
  sharedOnPage(PLACE, () => ({ wanted: "" })).wanted = place;
  window.dispatchEvent(new Event(PLACE));
}

/** Show places for as long as a view is there; `show` gives whether it has the place. */
export function followPlaces(show: (place: string) => boolean, signal: AbortSignal): void {
  const look = () => {
    const shared = sharedOnPage(PLACE, () => ({ wanted: "" }));
    if (shared.wanted && show(shared.wanted)) shared.wanted = "";
  };
  window.addEventListener(PLACE, look, { signal });
  look();
}

declare global {
  var __nbagents: Map<string, unknown> | undefined;
}

/** What all copies of the loader on this page share, made when first asked for. */
export function sharedOnPage<T>(key: string, make: () => T): T {
  globalThis.__nbagents ??= new Map();
  const all = globalThis.__nbagents;
  if (!all.has(key)) all.set(key, make());
  return all.get(key) as T;
}

/** What the page around us has, as the extension of JupyterLab told. */
interface Host {
  /** Draws the formulas in an element that are between `\(` and `\)`, or `\[` and `\]`. */
  typeset?(el: HTMLElement): Promise<void> | void;
}

export function hostOfPage(): Host {
  return sharedOnPage("host", () => ({}));
}
