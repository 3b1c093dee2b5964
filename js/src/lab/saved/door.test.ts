import { expect, test } from "vitest";
import type { JsonValue } from "../../tree";
import type { Comm, Kernel } from "../host";
import { savedDoor } from "./door";

const SHUT = { header: { msg_type: "comm_close" }, content: {} };

/** A kernel that answers what it is asked; without an answer it does not know us. */
function kernelOf(answer: JsonValue | null, asked: JsonValue[] = []): Kernel {
  return {
    createComm: () => {
      const comm: Comm = {
        onMsg: () => {},
        onClose: () => {},
        send: () => {},
        close: () => {},
        open: (data) => {
          asked.push(data);
          if (answer === null) comm.onClose(SHUT);
          else comm.onMsg({ header: { msg_type: "comm_msg" }, content: { data: answer } });
        },
      };
      return comm;
    },
  };
}

function doorTo(kernel: Kernel | null, isTrusted = true) {
  const load = () => Promise.reject(new Error("none"));
  const frozen = { "text/html": ["<p>", "</p>"], "text/plain": "text" };
  const behind = { load, root_id: "run-1", isTrusted, frozen, notebook: null };
  return savedDoor({ ...behind, kernel: () => kernel });
}

test("a saved run asks the notebook's kernel about itself by its id", async () => {
  const asked: JsonValue[] = [];
  const door = doorTo(kernelOf({ value: "# run" }, asked));
  expect(door.canAsk?.()).toBe(true);
  expect(await door.ask("run:copy", { form: "markdown" })).toBe("# run");
  expect(asked).toEqual([
    { ask: { run_id: "run-1", kind: "run:copy", question: { form: "markdown" } } },
  ]);
});

test("what cannot be answered says why", async () => {
  await expect(doorTo(kernelOf({ error: "gone" })).ask("run:call", {})).rejects.toThrow("gone");
  await expect(doorTo(kernelOf(null)).ask("run:call", {})).rejects.toThrow("not loaded nbagents");
  await expect(doorTo(null).ask("run:call", {})).rejects.toThrow("saved run");
  await expect(doorTo(kernelOf({ value: 1 })).ask("table", {})).rejects.toThrow("saved run");
});

test("what nobody vouches for asks no kernel", async () => {
  const asked: JsonValue[] = [];
  const door = doorTo(kernelOf({ value: 1 }, asked), false);
  expect(door.canAsk?.()).toBe(false);
  await expect(door.ask("run:copy", {})).rejects.toThrow("saved run");
  expect(asked).toEqual([]);
});

test("what the notebook holds beside the run is text, in lines or whole", () => {
  expect(doorTo(null).frozen).toEqual({ html: "<p></p>", text: "text" });
});
