import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Door } from "../../bridge";
import { mountSaved } from "../../run-view";
import { callsOf } from "../../tree";
import { visibleName } from "../../visible-text";
import { isByHand, ownerOf } from "../../words";
import { RUN_MIME } from "../host";
import { readRun } from "./saved-run";

/** Runs that notebooks hold since before the tree became a run's only state: they never change. */
const SAVED = path.join(import.meta.dirname, "../../../../tests/fixtures/saved");
const NAMES = fs.readdirSync(SAVED).filter((name) => name.endsWith(".json"));
const NOBODY = { isLive: false, load: () => Promise.reject(new Error("none")) } as unknown as Door;

let end: AbortController;

beforeEach(() => {
  vi.useFakeTimers();
  end = new AbortController();
});

afterEach(() => {
  end.abort();
  document.body.replaceChildren();
  vi.useRealTimers();
});

test("there are runs of before", () => {
  expect(NAMES.length).toBeGreaterThan(30);
});

test.each(NAMES)("%s opens, with its prompt, its answer and each call", async (name) => {
  const saved = JSON.parse(fs.readFileSync(path.join(SAVED, name), "utf8"));
  const { tree, cuts, root_id } = readRun(saved[RUN_MIME]);
  const el = document.createElement("div");
  document.body.append(el);
  mountSaved(el, end.signal, tree, NOBODY, cuts, "all");
  await vi.advanceTimersByTimeAsync(4000);
  for (const button of el.querySelectorAll<HTMLElement>(".nba-more button")) button.click();
  await vi.advanceTimersByTimeAsync(1000);
  const run = tree.runs[root_id];
  if (!run) throw new Error("the root is missing");
  const shown = el.textContent.replaceAll(/\s+/g, " ");
  expect(shown).toContain(ownerOf(run));
  // a call by hand says all that was asked, and no model has answered
  const said = isByHand(run)
    ? []
    : [
        run.prompt.split("\n", 1)[0]?.slice(0, 40),
        ...(run.text.match(/[a-zA-Z]{3,}/g)?.slice(0, 3) ?? []),
      ];
  for (const words of said) expect(shown).toContain(words);
  for (const { hint, name } of callsOf(run)) expect(shown).toContain(hint ?? visibleName(name));
});
