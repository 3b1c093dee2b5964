import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { MimeModel, NotebookPanel, Panel, Renderer, RenderMime, Widget } from "./host";
import { WIDGET_VIEW } from "./live-view";
import { type DrawSaved, makeOutput } from "./output";

const RUN = "application/vnd.nbagents.run.v1+json";

/** A Lumino panel, as far as it is used. */
class FakePanel implements Panel {
  readonly node = document.createElement("div");
  readonly widgets: Widget[] = [];
  isDisposed = false;
  readonly #atEnd: (() => void)[] = [];
  readonly disposed = {
    connect: (slot: (sender: Widget, args: undefined) => void) =>
      this.#atEnd.push(() => slot(this, undefined)) > 0,
    disconnect: () => true,
  };
  addClass(name: string): void {
    this.node.classList.add(name);
  }
  show(): void {
    this.node.hidden = false;
  }
  hide(): void {
    this.node.hidden = true;
  }
  addWidget(widget: Widget): void {
    this.widgets.push(widget);
    this.node.append(widget.node);
  }
  dispose(): void {
    this.isDisposed = true;
    this.node.remove();
    for (const tell of this.#atEnd) tell();
  }
}

/** JupyterLab's renderers: of HTML, and of widgets where `findsWidget`. */
class FakeRenderMime implements RenderMime {
  findsWidget = true;
  made: string[] = [];
  makeView = (): Widget => new FakePanel();
  #factory = { safe: false, mimeTypes: [], createRenderer: () => this.createRenderer("") };
  addFactory(): void {}
  getFactory(mime: string) {
    return mime === WIDGET_VIEW || mime === "text/html" ? this.#factory : undefined;
  }
  /** Have another manager draw widgets, as when a kernel has come. */
  replaceFactory(): void {
    this.#factory = { ...this.#factory };
  }
  createRenderer(mime: string): Renderer {
    this.made.push(mime);
    const panel = new FakePanel();
    const renderModel = async (model: MimeModel) => {
      if (mime !== WIDGET_VIEW) panel.node.textContent = String(model.data[mime]);
      else if (this.findsWidget) panel.addWidget(this.makeView());
      else panel.node.textContent = "model not found";
    };
    return Object.assign(panel, { renderModel });
  }
}

const drawSaved: DrawSaved = async (model, el) => {
  if (model.data[RUN] === "bad") throw new Error("It does not fit.");
  el.append(`saved ${String(model.data[RUN])}`);
};

function output(rendermime: FakeRenderMime, panel: NotebookPanel | null = null): Renderer {
  return makeOutput({ rendermime, lumino: { Panel: FakePanel }, panel }, drawSaved);
}

function model(run: string, { trusted = true, isLive = false } = {}): MimeModel {
  const live = isLive ? { [WIDGET_VIEW]: { model_id: "m1" } } : {};
  return { trusted, data: { [RUN]: run, "text/html": "as HTML", ...live } };
}

/** What can be seen. */
function seen({ node }: Renderer): string {
  const copy = node.cloneNode(true) as HTMLElement;
  for (const hidden of copy.querySelectorAll("[hidden]")) hidden.remove();
  return copy.textContent ?? "";
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a saved run is drawn, and drawn anew when it was replaced", async () => {
  const shown = output(new FakeRenderMime());
  await shown.renderModel(model("one"));
  expect(seen(shown)).toBe("saved one");
  await shown.renderModel(model("two"));
  expect(seen(shown)).toBe("saved two");
});

test.each([{ isLive: false }, { isLive: true }])(
  "where the next view has taken the focus, it stays there when what stood before goes: %o",
  async (before) => {
    const draw: DrawSaved = async (_, el) => {
      const [other, chosen] = [0, 1].map(() => document.createElement("button"));
      el.append(other as Element, chosen as Element);
      chosen?.focus(); // as two panes do where nobody else has it
    };
    const lumino = { Panel: FakePanel };
    const shown = makeOutput({ rendermime: new FakeRenderMime(), lumino, panel: null }, draw);
    document.body.replaceChildren(shown.node);
    await shown.renderModel(model("one", before));
    shown.node.focus(); // of a live view that has gone the output keeps it
    await shown.renderModel(model("two"));
    expect(shown.node.children).toHaveLength(1);
    expect(document.activeElement).toBe(shown.node.querySelector("button:last-child"));
  },
);

test("what does not fit is shown as HTML", async () => {
  const shown = output(new FakeRenderMime());
  await shown.renderModel(model("bad"));
  expect(seen(shown)).toBe("as HTML");
  await shown.renderModel({ trusted: true, data: { [RUN]: "bad" } });
  expect(seen(shown)).toBe("This output was saved by another version of nbagents.");
});

test("in an untrusted notebook no widget is made", async () => {
  const rendermime = new FakeRenderMime();
  const shown = output(rendermime);
  await shown.renderModel(model("one", { trusted: false, isLive: true }));
  expect(seen(shown)).toBe("saved one");
  expect(rendermime.made).toEqual([]);
});

test("where the widget is, its view stands in the place of the saved form", async () => {
  const rendermime = new FakeRenderMime();
  const shown = output(rendermime);
  await shown.renderModel(model("one", { isLive: true }));
  expect(rendermime.made).toEqual([WIDGET_VIEW]);
  expect(seen(shown)).toBe("");
  await shown.renderModel(model("ended"));
  expect(seen(shown)).toBe("saved ended");
});

test("a live view that gives way to another manager's is seen again, and the row has the focus", async () => {
  const rendermime = new FakeRenderMime();
  rendermime.makeView = () => {
    const view = new FakePanel();
    view.node.innerHTML = '<ol><li><button class="nba-row">a row</button></li></ol>';
    return view;
  };
  const shown = output(rendermime);
  document.body.replaceChildren(shown.node);
  await shown.renderModel(model("one", { isLive: true }));
  const row = shown.node.querySelector("button");
  row?.focus();
  rendermime.replaceFactory();
  await vi.advanceTimersByTimeAsync(5000);
  const next = shown.node.querySelectorAll("button");
  expect(next).toHaveLength(1);
  expect(next[0]).not.toBe(row);
  expect(seen(shown)).toBe("a row");
  expect(document.activeElement).toBe(next[0]);
});

test("the focus of a view that is taken away before it is told goes to the row of the next", async () => {
  const rendermime = new FakeRenderMime();
  const views: FakePanel[] = [];
  rendermime.makeView = () => {
    const view = new FakePanel();
    view.node.innerHTML = '<ol><li><button class="nba-row">a row</button></li></ol>';
    views.push(view);
    return view;
  };
  const draw: DrawSaved = async (_, el) => {
    el.innerHTML = '<ol><li><button class="nba-row">saved</button></li></ol>';
  };
  const lumino = { Panel: FakePanel };
  const shown = makeOutput({ rendermime, lumino, panel: null }, draw);
  document.body.replaceChildren(shown.node);
  await shown.renderModel(model("one", { isLive: true }));
  const row = shown.node.querySelector("button");
  row?.focus();
  row?.dispatchEvent(new FocusEvent("focusout", { bubbles: true })); // as browsers do when it goes
  views[0]?.node.remove();
  await vi.advanceTimersByTimeAsync(0);
  expect(document.activeElement).toBe(shown.node);
  await shown.renderModel(model("two"));
  expect(document.activeElement?.textContent).toBe("saved");
});

test("where the other manager does not know the widget, the saved form comes back", async () => {
  const rendermime = new FakeRenderMime();
  const shown = output(rendermime);
  await shown.renderModel(model("one", { isLive: true }));
  rendermime.findsWidget = false;
  rendermime.replaceFactory();
  await vi.advanceTimersByTimeAsync(5000);
  expect(seen(shown)).toBe("saved one");
});

test("where the widget is gone, the saved form is shown and nothing says that it failed", async () => {
  const rendermime = new FakeRenderMime();
  rendermime.findsWidget = false;
  const shown = output(rendermime);
  const rendered = shown.renderModel(model("one", { isLive: true }));
  await vi.advanceTimersByTimeAsync(1000);
  await rendered;
  expect(seen(shown)).toBe("saved one");
});

test("when the kernel ends, the saved form comes back", async () => {
  let hear: (sender: unknown, status: string) => void = () => {};
  const statusChanged = {
    connect: (slot: typeof hear) => {
      hear = slot;
      return true;
    },
    disconnect: () => true,
  };
  // @ts-expect-error: only these members of a panel are used
  const panel: NotebookPanel = { sessionContext: { statusChanged } };
  const shown = output(new FakeRenderMime(), panel);
  await shown.renderModel(model("one", { isLive: true }));
  hear(null, "busy");
  expect(seen(shown)).toBe("");
  hear(null, "autorestarting");
  await vi.advanceTimersByTimeAsync(0);
  expect(seen(shown)).toBe("saved one");
});

test("an output that goes takes its view with it", async () => {
  const shown = output(new FakeRenderMime());
  await shown.renderModel(model("one"));
  shown.dispose();
  expect(seen(shown)).toBe("");
});
