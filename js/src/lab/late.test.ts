import { expect, test } from "vitest";
import type { JsonValue } from "../events";
import type { KernelMessage, NotebookPanel, Output, SharedCell } from "./jupyter";
import { followEnds } from "./late";

const RUN = "application/vnd.nbagents.run.v1+json";
const VIEW = "application/vnd.jupyter.widget-view+json";

/** A code cell of a notebook, with its outputs. */
class FakeCell implements SharedCell {
  readonly cell_type = "code";
  constructor(readonly outputs: Output[]) {}
  getOutputs = () => this.outputs;
  updateOutputs = (start: number, end: number, outputs: Output[]) => {
    this.outputs.splice(start, end - start, ...outputs);
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
    sessionContext: { iopubMessage },
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
