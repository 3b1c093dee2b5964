import { expect, test } from "vitest";
import type { EditorView, PluginValue, State, View } from "./host";
import { languageBelow, magics } from "./magics";

test.each([
  ["%%tool", "text/x-ipython"],
  ["%%tool -x\ndef f(): ...", "text/x-ipython"],
  ["%%agent\nHello", "text/x-ipythongfm"],
  ["%%agent -m offline", "text/x-ipythongfm"],
  ["%%agents", null],
  ["%agent Hello", null],
  ["\n%%agent", null],
  ["x = '%%agent'", null],
  ["", null],
])("below %j stands %s", (source, mime) => {
  expect(languageBelow(source)).toBe(mime);
});

type Follower = PluginValue & { decorations: unknown };

/** An editor of one cell, and what CodeMirror would do with the extension. */
class FakeEditor implements EditorView {
  text = "";
  language: unknown = "as it was";
  readonly state = { sliceDoc: (from: number, to: number) => this.text.slice(from, to) };
  follower: Follower | undefined;

  dispatch({ effects }: { effects: unknown }): void {
    this.language = effects;
  }

  async write(text: string): Promise<void> {
    this.text = text;
    this.follower?.update({ docChanged: true, view: this });
    await new Promise((resolve) => setTimeout(resolve));
  }
}

const state: State = {
  Compartment: class {
    of = () => "compartment";
    reconfigure = (extension: unknown) => extension;
  },
  Prec: { highest: (extension) => extension },
};

function open(getLanguage: (mime: string) => Promise<{ support: string } | null>): FakeEditor {
  const editor = new FakeEditor();
  const view: View = {
    EditorView: { baseTheme: () => "theme" },
    Decoration: {
      none: "none",
      line: () => ({ range: (from) => `line at ${from}` }),
      set: (ranges) => ranges,
    },
    ViewPlugin: {
      define(create, { decorations }) {
        const follower = create(editor);
        editor.follower = {
          update: (update) => follower.update(update),
          destroy: () => follower.destroy(),
          get decorations() {
            return decorations(follower);
          },
        };
        return "plugin";
      },
    },
  };
  magics(state, view, { getLanguage });
  return editor;
}

test("an editor has the language of its first line, and its own when the magic goes", async () => {
  const asked: string[] = [];
  const editor = open(async (mime) => {
    asked.push(mime);
    return { support: `support of ${mime}` };
  });
  await editor.write("x = 1");
  expect([editor.language, editor.follower?.decorations]).toEqual(["as it was", "none"]);
  await editor.write("%%agent\nHello");
  expect(editor.language).toBe("support of text/x-ipythongfm");
  expect(editor.follower?.decorations).toEqual(["line at 0"]);
  await editor.write("%%agent\nHello, you");
  expect(asked).toEqual(["text/x-ipythongfm"]);
  await editor.write("Hello");
  expect([editor.language, editor.follower?.decorations]).toEqual([[], "none"]);
});

test("a language that comes too late, or not at all, changes nothing", async () => {
  let arrive: (found: { support: string } | null) => void = () => {};
  const editor = open(() => new Promise((resolve) => (arrive = resolve)));
  await editor.write("%%agent");
  await editor.write("x = 1");
  expect(editor.language).toEqual([]);
  arrive({ support: "late" });
  await new Promise((resolve) => setTimeout(resolve));
  expect(editor.language).toEqual([]);
  await editor.write("%%tool");
  editor.follower?.destroy();
  arrive({ support: "after the end" });
  await new Promise((resolve) => setTimeout(resolve));
  expect(editor.language).toEqual([]);
});
