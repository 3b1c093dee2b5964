/**
 * What we use of JupyterLab and Lumino, in types of our own: theirs would bring half of JupyterLab
 * into `node_modules`, and only these few members are ours to rely on.
 */
import type { JsonValue } from "../../tree";
import type { State, View } from "./codemirror";

export interface Signal<Sender, Args> {
  connect(slot: (sender: Sender, args: Args) => void): boolean;
  disconnect(slot: (sender: Sender, args: Args) => void): boolean;
}

/** A Lumino widget. */
export interface Widget {
  readonly node: HTMLElement;
  readonly isDisposed: boolean;
  readonly disposed: Signal<Widget, void>;
  addClass(name: string): void;
  show(): void;
  hide(): void;
  dispose(): void;
}

export interface Panel extends Widget {
  readonly widgets: readonly Widget[];
  addWidget(widget: Widget): void;
}

/** What stands in an output, by MIME type. */
export type Bundle = Readonly<Record<string, JsonValue>>;

/** An output's MIME bundle, and whether its notebook is trusted. */
export interface MimeModel {
  readonly trusted: boolean;
  readonly data: Bundle;
}

export interface Renderer extends Widget {
  renderModel(model: MimeModel): Promise<void>;
}

export interface RendererFactory {
  /** Whether it may draw what is in an untrusted notebook. */
  readonly safe: boolean;
  readonly mimeTypes: readonly string[];
  createRenderer(options: { mimeType: string }): Renderer;
}

export interface RenderMime {
  /** What draws formulas; an application may have none. */
  readonly latexTypesetter?: { typeset(el: HTMLElement): Promise<void> | void } | null;
  addFactory(factory: RendererFactory, rank: number): void;
  getFactory(mimeType: string): RendererFactory | undefined;
  createRenderer(mimeType: string): Renderer;
}

export interface Output {
  readonly output_type: string;
  readonly data?: Bundle;
  readonly metadata?: Readonly<Record<string, JsonValue>>;
}

export interface SharedCell {
  readonly cell_type: string;
  readonly execution_count?: number | null;
  getOutputs?(): Output[];
  updateOutputs?(start: number, end: number, outputs: Output[]): void;
}

export interface Notebook extends Widget {
  readonly rendermime: RenderMime;
  readonly widgets: readonly { readonly node: HTMLElement; readonly model: { id: string } }[];
  readonly model: {
    readonly sharedModel: {
      readonly cells: readonly SharedCell[];
      insertCell(index: number, cell: Record<string, JsonValue>): unknown;
      readonly metadata?: Readonly<Record<string, JsonValue | undefined>>;
    };
  } | null;
  activeCellIndex: number;
  readonly activeCell: ActiveCell | null;
  deselectAll(): void;
  mode: "command" | "edit";
  scrollToItem(index: number, align?: string): Promise<void>;
}

/** The cell that is selected; its editor is made when it comes into sight. */
export interface ActiveCell {
  readonly ready: Promise<void>;
  readonly editor: {
    readonly lineCount: number;
    getLine(line: number): string | undefined;
    setCursorPosition(position: { line: number; column: number }): void;
    focus(): void;
  } | null;
}

/** A message of a kernel. */
export interface KernelMessage {
  readonly header: { readonly msg_type: string };
  readonly content: unknown;
}

/** A notebook's kernel, as far as it can be asked. */
export interface Kernel {
  createComm(target: string, id?: string): Comm;
}

/** The kernel of a notebook's own connection, which hears what the kernel begins. */
export interface NotebookKernel extends Kernel {
  hasComm(id: string): boolean;
  /** Have conversations heard that the kernel begins. */
  registerCommTarget(target: string, hear: (comm: Comm) => void): void;
  /** Which conversations of a target the kernel has open, by id. */
  requestCommInfo(content: { target_name: string }): Promise<KernelMessage>;
}

/** One conversation with a kernel; a kernel that does not know its target closes it. */
export interface Comm {
  readonly isDisposed?: boolean;
  open(data: JsonValue): unknown;
  close(): unknown;
  /** Also of a kernel that does not know the target. */
  onClose: (message: KernelMessage) => void;
  onMsg: (message: KernelMessage) => void;
  send(data: JsonValue): unknown;
  /** When its messages are heard while a cell runs; older front ends have no such thing. */
  readonly subshellStarted?: Promise<void>;
}

/** A notebook's file, as the page has it open. */
export interface Document {
  /** In the server's folders, with the name of its drive before a colon if it is another. */
  readonly path: string;
  readonly ready: Promise<void>;
  readonly pathChanged: Signal<unknown, string>;
  /** Says `completed` when it has been saved. */
  readonly saveState: Signal<unknown, string>;
}

/** The files that the server has. */
export interface Contents {
  get(path: string, options: ContentsOptions): Promise<ContentsFile>;
  /** The path without the name of its drive. */
  localPath(path: string): string;
  /** The name of a path's drive; empty for the server's own folders. */
  driveName(path: string): string;
}

export interface ContentsOptions {
  readonly content: boolean;
  readonly type?: "file";
  readonly format?: "text";
}

export interface ContentsFile {
  readonly content?: unknown;
  readonly last_modified: string;
}

/** A notebook's tab. */
export interface NotebookPanel extends Widget {
  readonly content: Notebook;
  readonly context: Document;
  readonly sessionContext: {
    /** Absent until there is a kernel. */
    readonly session?: { readonly kernel: NotebookKernel | null } | null;
    readonly kernelChanged: Signal<unknown, unknown>;
    readonly statusChanged: Signal<unknown, string>;
    readonly iopubMessage: Signal<unknown, KernelMessage>;
  };
}

export interface NotebookTracker {
  forEach(act: (panel: NotebookPanel) => void): void;
  readonly widgetAdded: Signal<unknown, NotebookPanel>;
}

/** An application, as far as it does what its menus do. */
export interface Application {
  readonly commands: { execute(command: string): Promise<unknown> };
  readonly serviceManager: { readonly contents: Contents };
}

/** An application's plugin; `requires` and `optional` are tokens, given to `activate` in order. */
export interface Plugin<Services extends unknown[]> {
  readonly id: string;
  readonly description: string;
  readonly autoStart: true;
  readonly requires?: unknown[];
  readonly optional?: unknown[];
  activate(app: Application, ...services: Services): void;
}

/** What extensions share: by package and version, what gives it. */
export type ShareScope = Record<
  string,
  Record<string, { loaded?: number | boolean; get(): Promise<() => unknown> }>
>;

/** The packages that the application shares and we use. */
export interface Packages {
  "@lumino/widgets": { Panel: new () => Panel };
  "@jupyterlab/notebook": { INotebookTracker: unknown };
  "@jupyterlab/coreutils": { PageConfig: { getOption(name: string): string } };
  "@jupyterlab/rendermime": { IRenderMimeRegistry: unknown };
  "@jupyterlab/codemirror": {
    IEditorExtensionRegistry: unknown;
    IEditorLanguageRegistry: unknown;
    EditorExtensionRegistry: { createImmutableExtension(extension: unknown): unknown };
  };
  "@codemirror/state": State;
  "@codemirror/view": View;
}

/** One of the application's own packages; the copy that is in use, where there are several. */
export async function shared<Name extends keyof Packages>(
  scope: ShareScope,
  name: Name,
): Promise<Packages[Name]> {
  const versions = Object.values(scope[name] ?? {});
  const version = versions.find((one) => one.loaded) ?? versions[0];
  if (!version) throw new Error(`This application shares no ${name}.`);
  return (await version.get())() as Packages[Name];
}

/** What a kernel's status says when it answers no more. */
export const OVER: ReadonlySet<string> = new Set([
  "restarting",
  "autorestarting",
  "terminating",
  "dead",
]);
