/**
 * Colours for cells that begin with a magic of ours: below `%%tool` stands Python, below `%%agent`
 * Markdown. The languages are JupyterLab's own, loaded when a cell first needs one.
 */
import type {
  EditorOptions,
  EditorView,
  Extension,
  Extensions,
  Languages,
  PluginValue,
  State,
  View,
} from "./host";
import { type Plugin, type ShareScope, shared } from "./host";

const LANGUAGES = new Map([
  ["tool", "text/x-ipython"],
  ["agent", "text/x-ipythongfm"],
]);
const FIRST_LINE = /^%%(tool|agent)(?:\s|$)/;
/** More of a cell than this is not looked at. */
const HEAD = 16;

/** The MIME type of what stands below a cell's first line, if it is a magic of ours. */
export function languageBelow(source: string): string | null {
  return LANGUAGES.get(FIRST_LINE.exec(source)?.[1] ?? "") ?? null;
}

/** The plugin that colours cells. */
export async function magicsPlugin(scope: ShareScope): Promise<Plugin<[Extensions, Languages]>> {
  const [
    { IEditorExtensionRegistry, IEditorLanguageRegistry, EditorExtensionRegistry },
    state,
    view,
  ] = await Promise.all([
    shared(scope, "@jupyterlab/codemirror"),
    shared(scope, "@codemirror/state"),
    shared(scope, "@codemirror/view"),
  ]);
  return {
    id: "nbagents:magics",
    description: "Colours cells that begin with %%tool or %%agent.",
    autoStart: true,
    requires: [IEditorExtensionRegistry, IEditorLanguageRegistry],
    activate: (_app, extensions, languages) =>
      extensions.addExtension({
        name: "nbagents-magics",
        factory: (options) =>
          isCode(options)
            ? EditorExtensionRegistry.createImmutableExtension(magics(state, view, languages))
            : null,
      }),
  };
}

function isCode({ inline, model }: EditorOptions): boolean {
  return inline !== false && !/markdown|gfm/.test(model.mimeType);
}

/** An editor's extension that follows its first line. */
export function magics(state: State, view: View, languages: Languages): Extension {
  const language = new state.Compartment();
  const { Decoration } = view;
  const line = Decoration.line({ class: "nba-magic" });
  const create = (editor: EditorView): PluginValue & { decorations: unknown } => {
    let below: string | null = null;
    const use = async (mime: string | null) => {
      const support = mime === null ? [] : ((await languages.getLanguage(mime))?.support ?? []);
      if (below === mime) editor.dispatch({ effects: language.reconfigure(support) });
    };
    const follower = {
      decorations: Decoration.none,
      update: ({ docChanged }: { docChanged: boolean }) => {
        if (docChanged) follow();
      },
      destroy: () => {
        below = "gone";
      },
    };
    const follow = () => {
      const wanted = languageBelow(editor.state.sliceDoc(0, HEAD));
      follower.decorations = wanted === null ? Decoration.none : Decoration.set([line.range(0)]);
      if (wanted === below) return;
      below = wanted;
      // Not now: an editor must not be changed while it is being made or changed.
      Promise.resolve(wanted).then(use).catch(console.warn);
    };
    follow();
    return follower;
  };
  return [
    state.Prec.highest(language.of([])),
    view.ViewPlugin.define(create, { decorations: (follower) => follower.decorations }),
    view.EditorView.baseTheme({
      ".nba-magic, .nba-magic *": {
        color: "var(--jp-mirror-editor-operator-color, #7800c2)",
        fontWeight: "normal !important",
        textDecoration: "none !important",
      },
    }),
  ];
}
