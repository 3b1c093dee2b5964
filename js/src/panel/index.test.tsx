import { afterEach, expect, test } from "vitest";
import { FakeModel } from "../fake-model";
import { mount, render } from ".";

const RUN = {
  title: "The newest 1 run",
  notes: ["All of them."],
  filters: { words: "", tool: "", status: "", cost: "" },
  tools: ["weather"],
  statuses: ["done", "failed"],
  sections: [
    {
      title: "Runs",
      head: ["Agent", "Prompt"],
      empty: "No run is like that.",
      rows: [
        {
          cells: ["guide", "Warm\u202e?"],
          acts: [{ label: "Open", title: "Show its card", asks: { open: "run-1" } }],
        },
      ],
    },
  ],
};
const NONE = { ...RUN, sections: [{ ...RUN.sections[0], rows: [] }] };

let end = new AbortController();
afterEach(() => {
  end.abort();
  end = new AbortController();
  document.body.replaceChildren();
});

function shown() {
  const model = Object.assign(new FakeModel(), { get: () => RUN });
  const el = document.createElement("div");
  document.body.append(el);
  mount(model, el, end.signal);
  return { model, el };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 250));

test("what can be done is asked of the kernel, and what it answers is shown", async () => {
  const { model, el } = shown();
  expect(el.textContent).toContain("Warm\\u202e?");
  el.querySelector<HTMLElement>("td button")?.click();
  const [asked] = model.sentOf("ask");
  expect(asked).toMatchObject({ kind: "panel", question: { act: { open: "run-1" } } });
  model.tell({ type: "answer", id: (asked as { id: number }).id, value: NONE });
  await settled();
  expect(el.textContent).toContain("No run is like that.");
  expect(el.querySelector("[role=status]")?.textContent).toBe("Open: done");
});

test("what is typed chooses when there was a pause, what is chosen at once", async () => {
  const { model, el } = shown();
  const box = el.querySelector<HTMLInputElement>("input[type=search]");
  if (!box) throw new Error("there is no box");
  for (const text of ["o", "os", "oslo"]) {
    box.value = text;
    box.dispatchEvent(new Event("input", { bubbles: true }));
  }
  await settled();
  const words = model.sentOf("ask").map((one) => (one as { question: unknown }).question);
  expect(words).toEqual([{ filters: { words: "oslo", tool: "", status: "", cost: "" } }]);
  const status = el.querySelector<HTMLSelectElement>('[aria-label="Status"]');
  if (!status) throw new Error("there is no choice");
  status.value = "failed";
  status.dispatchEvent(new Event("change", { bubbles: true }));
  expect(model.sentOf("ask")).toHaveLength(2);
});

test("what cannot be done is said", async () => {
  const { model, el } = shown();
  el.querySelector<HTMLElement>("td button")?.click();
  const [asked] = model.sentOf("ask");
  model.tell({ type: "answer", id: (asked as { id: number }).id, error: "That run has ended." });
  await settled();
  expect(el.querySelector("[role=alert]")?.textContent).toBe("That run has ended.");
});

test("a saved one has its rows, and nothing to press", () => {
  const el = document.createElement("div");
  document.body.append(el);
  render?.({ el, value: RUN, signal: end.signal } as never);
  expect(el.textContent).toContain("guide");
  expect(el.querySelector("button, input, select")).toBeNull();
});
