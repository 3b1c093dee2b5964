// @vitest-environment jsdom
import { afterEach, expect, test, vi } from "vitest";
import { followPlaces } from "../../bridge";
import type { NotebookPanel, Output } from "../host";
import { addressOf, goToPlace, placeIn } from "./place";

afterEach(() => document.body.replaceChildren());

function shows(...ids: string[]): Output {
  const runs = Object.fromEntries(ids.map((id) => [id, {}]));
  const run = { root_id: ids[0] ?? "", tree: { runs } };
  return { output_type: "display_data", data: { "application/vnd.nbagents.run.v1+json": run } };
}

function panelOf(...outputs: Output[][]) {
  const scrolled: number[] = [];
  const cells = outputs.map((all) => ({ cell_type: "code", getOutputs: () => all }));
  const content = {
    model: { sharedModel: { cells } },
    activeCellIndex: 0,
    deselectAll() {},
    scrollToItem: async (at: number) => void scrolled.push(at),
  };
  const panel = { content, context: { path: "a.ipynb", ready: Promise.resolve() } };
  return { panel: panel as unknown as NotebookPanel, scrolled };
}

test("an address names the notebook and the place, and is read back", () => {
  const config =
    '<script id="jupyter-config-data" type="application/json">{"baseUrl": "/hub/"}</script>';
  document.body.innerHTML = config;
  const address = addressOf("RTC:my notes/a#b.ipynb", "run-1/call 2/x");
  expect(address).toBe(
    `${location.origin}/hub/lab/tree/my%20notes/a%23b.ipynb#nbagents=run-1/call%202/x`,
  );
  expect(placeIn(new URL(address).hash)).toBe("run-1/call 2/x");
  expect(placeIn("#heading")).toBe("");
  expect(placeIn("#nbagents=%E0")).toBe("");
});

test("a place is looked for in the outputs, those inside of runs too, and told to the views", async () => {
  const told: string[] = [];
  const end = new AbortController();
  followPlaces((place) => told.push(place) > 0, end.signal);
  const { panel, scrolled } = panelOf([], [shows("run-1", "run-2")]);
  expect(await goToPlace(panel, "#nbagents=run-2/c1")).toBe(true);
  expect(await goToPlace(panel, "#nbagents=run-9")).toBe(false);
  expect(scrolled).toEqual([1]);
  expect(told).toEqual(["run-2/c1"]);
  end.abort();
});

test("a view that comes later is told, and each place only once", async () => {
  const { panel } = panelOf([shows("run-1")]);
  await goToPlace(panel, "#nbagents=run-1");
  const end = new AbortController();
  const other = vi.fn(() => false);
  const own = vi.fn(() => true);
  const third = vi.fn(() => true);
  for (const show of [other, own, third]) followPlaces(show, end.signal);
  expect(own).toHaveBeenCalledWith("run-1");
  expect(other).toHaveBeenCalledTimes(1);
  expect(third).not.toHaveBeenCalled();
  end.abort();
});
