import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Door } from "../bridge";
import { RUN_MIME } from "../lab/host";
import { readRun } from "../lab/saved/saved-run";
import type { JsonValue, Tree } from "../tree";
import { callsOf } from "../tree";
import { mountSaved } from ".";

const FIXTURES = path.join(import.meta.dirname, "../../../tests/fixtures");
const NOBODY = { isLive: false, load: () => Promise.reject(new Error("none")) } as unknown as Door;
const THIRD = /\bthe person\b/i;
const ID = /\b(?:run|call|await)-[\w-]+/;
/** Lines that are there to be typed. */
const TYPED = /%agent --resume \S+/g;

function read(file: string): JsonValue & object {
  return JSON.parse(fs.readFileSync(path.join(FIXTURES, file), "utf8"));
}

function namesIn(folder: string, end: string): string[] {
  return fs.readdirSync(path.join(FIXTURES, folder)).filter((name) => name.endsWith(end));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value, value.replaceAll(/\s+/g, " ")];
  return typeof value === "object" && value ? Object.values(value).flatMap(textsIn) : [];
}

/** What a model said or was told, and what tools and people wrote: none of it is ours. */
function ofOthers(tree: Tree): string[] {
  const found = Object.values(tree.runs).flatMap((run) => [
    ...textsIn([run.prompt, run.text, run.items, run.requests]),
    ...callsOf(run).flatMap((call) =>
      textsIn([call.content, call.arguments, call.output, call.payloads, call.failure]),
    ),
  ]);
  const clipped = found.map((text) => text.slice(0, 99).trimEnd());
  return [...new Set([...found, ...clipped])]
    .filter((text) => text.length > 3)
    .sort((one, other) => other.length - one.length);
}

/** All that is read of a run whose rows are open, and what is said of its controls, but for Details. */
async function shownOf(tree: Tree): Promise<string[]> {
  const el = document.createElement("div");
  document.body.append(el);
  const end = new AbortController();
  mountSaved(el, end.signal, tree, NOBODY, [], "all");
  await vi.advanceTimersByTimeAsync(2000);
  for (const one of el.querySelectorAll<HTMLElement>(".nba-explained button")) one.click();
  await vi.advanceTimersByTimeAsync(500);
  const texts = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  while (texts.nextNode()) found.push(texts.currentNode.textContent ?? "");
  for (const one of el.querySelectorAll("*"))
    found.push(...["title", "aria-label"].map((name) => one.getAttribute(name) ?? ""));
  end.abort();
  el.remove();
  return found;
}

async function expectOurWords(tree: Tree): Promise<void> {
  const others = ofOthers(tree);
  const own = (await shownOf(tree)).map((text) =>
    others.reduce((left, one) => left.replaceAll(one, ""), text.replaceAll(TYPED, "")),
  );
  expect(own.filter((text) => THIRD.test(text))).toEqual([]);
  expect(own.filter((text) => ID.test(text))).toEqual([]);
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe("whatever the state, nobody is called the person, and ids are in Details", () => {
  test.each(namesIn("events", ".tree.json"))("%s", async (name) => {
    await expectOurWords(read(`events/${name}`) as unknown as Tree);
  });

  test.each(namesIn("saved", ".json"))("%s, as it was saved before", async (name) => {
    const saved = read(`saved/${name}`) as unknown as Record<string, JsonValue>;
    await expectOurWords(readRun(saved[RUN_MIME] ?? null).tree);
  });
});

test("a call that you denied says so, and explains itself", async () => {
  const tree = read("events/ended_badly.tree.json") as unknown as Tree;
  const explained = Object.values(tree.runs)
    .flatMap(callsOf)
    .flatMap(({ explanation }) => explanation ?? []);
  expect(explained.length).toBeGreaterThan(0);
  const shown = (await shownOf(tree)).join(" ");
  for (const { what, remedies } of explained)
    for (const said of [what, ...remedies]) expect(shown).toContain(said);
});
