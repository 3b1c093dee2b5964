/**
 * What we use of CodeMirror 6, which JupyterLab shares; see `jupyter.ts` for why the types are ours.
 */

/** Anything an editor is configured with. */
export type Extension = unknown;

export interface EditorState {
  sliceDoc(from: number, to: number): string;
}

export interface EditorView {
  readonly state: EditorState;
  dispatch(transaction: { effects: unknown }): void;
}

export interface ViewUpdate {
  readonly docChanged: boolean;
  readonly view: EditorView;
}

/** What lives as long as an editor. */
export interface PluginValue {
  update(update: ViewUpdate): void;
  destroy(): void;
}

/** A configuration of an editor that may be exchanged. */
export interface Compartment {
  of(extension: Extension): Extension;
  reconfigure(extension: Extension): unknown;
}

export interface State {
  Compartment: new () => Compartment;
  Prec: { highest(extension: Extension): Extension };
}

export interface View {
  EditorView: { baseTheme(rules: Record<string, Record<string, string>>): Extension };
  Decoration: {
    none: unknown;
    line(spec: { class: string }): { range(from: number): unknown };
    set(ranges: unknown[]): unknown;
  };
  ViewPlugin: {
    define<Value extends PluginValue>(
      create: (view: EditorView) => Value,
      spec: { decorations(value: Value): unknown },
    ): Extension;
  };
}

/** JupyterLab's registry of languages. */
export interface Languages {
  /** The language of a MIME type or a name, with its support loaded. */
  getLanguage(language: string): Promise<{ support?: Extension } | null>;
}

/** What JupyterLab tells of an editor in the making. */
export interface EditorOptions {
  /** Whether it stands among others, as in a notebook. */
  readonly inline?: boolean;
  readonly model: { readonly mimeType: string };
}

/** JupyterLab's registry of what editors are made of. */
export interface Extensions {
  addExtension(factory: { name: string; factory(options: EditorOptions): unknown }): void;
}
