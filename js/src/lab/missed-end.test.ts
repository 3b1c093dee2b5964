import { expect, test } from "vitest";
import type { JsonValue } from "../tree";
import type { KernelMessage, NotebookPanel, Output, SharedCell } from "./host";
import { followEnds } from "./missed-end";

const RUN = "application/vnd.nbagents.run.v1+json";
const VIEW = "application/vnd.jupyter.widget-view+json";

/** A code cell of a notebook, with its outputs. */
class FakeCell implements SharedCell {
  readonly cell_type = "code";
  /** What JupyterLab makes of `outputs`, which it draws and counts the places of. */
  readonly drawn: Output[];
  changes = 0;
  constructor(readonly outputs: Output[]) {
    this.drawn = [...outputs];
  }
  getOutputs = () => this.outputs;
  updateOutputs = (start: number, end: number, outputs: Output[]) => {
    this.outputs.splice(start, end - start, ...outputs);
    // So does `CodeCellModel._onSharedModelChanged` of JupyterLab 4.6.
    this.drawn.splice(start, end - start);
    this.drawn.push(...outputs);
    this.changes += 1;
  };
}

function shown(root_id: string, more: Record<string, JsonValue> = {}): Output {
  return { output_type: "display_data", data: { [RUN]: { root_id }, ...more }, metadata: {} };
}

async function afterHearing(message: KernelMessage, ...cells: SharedCell[]): Promise<void> {
  let hear: (sender: unknown, message: KernelMessage) => void = () => {};
  const iopubMessage = {
    connect: (slot: typeof hear) => {
      hear = slot;
      return true;
    },
    disconnect: () => true,
  };
  const panel = {
    content: { model: { sharedModel: { cells } } },
    context: { ready: Promise.resolve() },
    sessionContext: {
      iopubMessage,
      statusChanged: { connect: () => true, disconnect: () => true },
    },
  };
  // @ts-expect-error: only these members of a panel are used
  const whole: NotebookPanel = panel;
  followEnds(whole);
  hear(null, message);
  await new Promise((resolve) => setTimeout(resolve));
}

function update(data: JsonValue): KernelMessage {
  return { header: { msg_type: "update_display_data" }, content: { data } };
}

const END = { [RUN]: { root_id: "run-1", tree: {} }, "text/plain": "done" };

test("the end of a run takes the place of its live view, and of no other", async () => {
  const cell = new FakeCell([
    { output_type: "stream" },
    shown("run-1", { [VIEW]: {} }),
    shown("run-2", { [VIEW]: {} }),
  ]);
  await afterHearing(update(END), { cell_type: "markdown" }, cell);
  expect(cell.outputs.map(({ data }) => data && Object.keys(data))).toEqual([
    undefined,
    [RUN, "text/plain"],
    [RUN, VIEW],
  ]);
});

test("JupyterLab draws what was renewed in its old place, among all that the cell shows", async () => {
  const cell = new FakeCell([
    { output_type: "stream" },
    standing("run-1", "suspended"),
    shown("run-2", { [VIEW]: {} }),
    standing("run-1", "suspended"),
    { output_type: "stream" },
  ]);
  await afterHearing(update(END), cell);
  expect(cell.drawn).toEqual(cell.outputs);
  expect(cell.drawn.map(({ data }) => data?.["text/plain"])).toEqual([
    undefined,
    "done",
    undefined,
    "done",
    undefined,
  ]);
});

test("of a run that is still suspended nothing is written that JupyterLab has written", async () => {
  const cell = new FakeCell([standing("run-1", "suspended"), { output_type: "stream" }]);
  await afterHearing(update(standing("run-1", "suspended").data ?? {}), cell);
  expect(cell.changes).toBe(0);
});

/** What a kernel that answers is asked once its status is told, and again when `later` has happened. */
async function afterAsking(
  cells: SharedCell[],
  runs: JsonValue,
  later: () => void = () => {},
  isThere = true,
): Promise<JsonValue[]> {
  const asked: JsonValue[] = [];
  const comm = {
    onMsg: (_: KernelMessage) => {},
    open(data: JsonValue) {
      asked.push(data);
      comm.onMsg({ header: { msg_type: "comm_msg" }, content: { data: { runs } } });
    },
  };
  let tell: (sender: unknown, status: string) => void = () => {};
  const nothing = { connect: () => true, disconnect: () => true };
  const statusChanged = {
    ...nothing,
    connect: (slot: typeof tell) => {
      tell = slot;
      return true;
    },
  };
  const session = { kernel: { createComm: () => comm } };
  const panel = {
    content: { model: isThere ? { sharedModel: { cells } } : null },
    context: { ready: Promise.resolve() },
    sessionContext: { iopubMessage: nothing, statusChanged, session },
  };
  // @ts-expect-error: only these members of a panel are used
  const whole: NotebookPanel = panel;
  followEnds(whole);
  tell(null, "busy");
  tell(null, "idle");
  panel.content.model = { sharedModel: { cells } };
  await panel.context.ready;
  await panel.context.ready; // what waits for it, too
  later();
  tell(null, "idle");
  return asked;
}

function standing(id: string, status: string, more: Record<string, JsonValue> = {}): Output {
  const run = { root_id: id, tree: { runs: { [id]: { status, ...more } } } };
  return { output_type: "display_data", data: { [RUN]: run }, metadata: {} };
}

test("a kernel is asked once of runs of which it may know more, and what it says is kept", async () => {
  const cell = new FakeCell([
    shown("run-1", { [VIEW]: {} }),
    standing("run-2", "suspended"),
    standing("run-3", "completed"),
    standing("run-4", "suspended", { resumed_by: "run-5" }),
    standing("run-6", "unknown"),
  ]);
  const asked = await afterAsking([cell], [END]);
  expect(asked).toEqual([
    { runs: { "run-1": "unseen", "run-2": "suspended", "run-6": "unknown" } },
  ]);
  expect(Object.keys(cell.outputs[0]?.data ?? {})).toEqual([RUN, "text/plain"]);
  expect(cell.outputs[1]).toEqual(standing("run-2", "suspended"));
});

test("a kernel is not asked where nothing is open", async () => {
  expect(await afterAsking([new FakeCell([standing("run-3", "completed")])], [])).toEqual([]);
});

test("of a run that begins under the eyes of the page no kernel is asked: JupyterLab hears its end", async () => {
  const cells: SharedCell[] = [];
  const begin = () => void cells.push(new FakeCell([shown("run-1", { [VIEW]: {} })]));
  expect(await afterAsking(cells, [END], begin)).toEqual([]);
});

test("a kernel that is there before the notebook is asked when that has come", async () => {
  const cells = [new FakeCell([shown("run-1", { [VIEW]: {} })])];
  const asked = await afterAsking(cells, [END], () => {}, false);
  expect(asked).toEqual([{ runs: { "run-1": "unseen" } }]);
});

test("what JupyterLab has updated itself is left as it is", async () => {
  const kept = shown("run-1");
  const cell = new FakeCell([kept]);
  await afterHearing(update(END), cell);
  expect(cell.outputs).toEqual([kept]);
});

test.each<[string, KernelMessage]>([
  ["another message", { header: { msg_type: "display_data" }, content: { data: END } }],
  ["an update of somebody else", update({ "text/plain": "hello" })],
  ["a message without content", { header: { msg_type: "update_display_data" }, content: null }],
])("%s changes nothing", async (_, message) => {
  const cell = new FakeCell([shown("run-1", { [VIEW]: {} })]);
  await afterHearing(message, cell);
  expect(Object.keys(cell.outputs[0]?.data ?? {})).toContain(VIEW);
});
