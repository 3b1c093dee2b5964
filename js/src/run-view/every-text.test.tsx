import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Door } from "../bridge";
import { Sample } from "../sample-run";
import type { JsonValue, Tree } from "../tree";
import { mountSaved } from ".";
import { drawn, FakePage } from "./fake-page";
import { act, confirmation, question } from "./fake-person";

const FIXTURES = path.join(import.meta.dirname, "../../../tests/fixtures/events");
const NAMES = fs.readdirSync(FIXTURES).filter((file) => file.endsWith(".tree.json"));

/** Turns the reading order, has no width, is blank, steers a terminal, ends a line. */
const HOSTILE = "\u202e\u200b\u2066x\u3164\u2800\u{e0041}\ufe0f\u180e\u001b[2J\u2028\ud800y\u00ad";
const HIDES = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{DI}\u2800]/u;
/** What says which node it is, and payloads, which have tests of their own. */
const STRUCTURE = new Set(
  "id kind type status phase outcome stage stream approval version call_id run_id payload recovery constraint parent_run_id root_ids parent_tool_call_id child_run_ids cell_id source_hash static requests".split(
    " ",
  ),
);

function madeHostile(value: JsonValue, key = ""): JsonValue {
  if (STRUCTURE.has(key)) return value;
  if (typeof value === "string") return value.slice(0, 3) + HOSTILE + value.slice(3);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => madeHostile(one));
  const isNamed = key === "arguments" || key === "proposed" || key === "answer";
  const isById = key === "runs" || key === "calls";
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      if (isNamed) return [name + HOSTILE, madeHostile(one)];
      return [name, madeHostile(one, isById ? "" : name)];
    }),
  );
}

/** All that is read of an element: its texts, and what is said of its controls. */
function readOf(el: Element): string[] {
  const spoken = [...el.querySelectorAll("*")].flatMap((one) =>
    ["title", "aria-label", "placeholder", "alt"].map((name) => one.getAttribute(name) ?? ""),
  );
  return [...el.querySelectorAll(":not(style)")]
    .flatMap((one) =>
      [...one.childNodes].flatMap((node) => (node.nodeType === 3 ? (node.textContent ?? "") : [])),
    )
    .concat(spoken);
}

function hidden(el: Element): string[] {
  return readOf(el).filter((text) => HIDES.test(text.replaceAll(/[\n\t]/g, "")));
}

const NOBODY = { isLive: false, load: () => Promise.reject(new Error("none")) } as unknown as Door;

let page: FakePage;

beforeEach(() => {
  vi.useFakeTimers();
  page = new FakePage();
});

afterEach(async () => {
  page.close();
  await vi.advanceTimersByTimeAsync(2000);
  document.body.replaceChildren();
  vi.useRealTimers();
});

test.each(NAMES)("nothing of %s is hidden, whatever a model or a tool wrote", async (name) => {
  const tree = JSON.parse(fs.readFileSync(path.join(FIXTURES, name), "utf8"));
  const el = document.createElement("div");
  document.body.append(el);
  const end = new AbortController();
  mountSaved(el, end.signal, madeHostile(tree) as unknown as Tree, NOBODY, [], "all");
  await vi.advanceTimersByTimeAsync(2000);
  expect(el.textContent).toContain("\\u202e");
  expect(hidden(el)).toEqual([]);
  end.abort();
});

test("nothing of an approval is hidden: neither its text nor its names nor its form", async () => {
  const { el } = page.view();
  const form = { type: "object", properties: { [`t${HOSTILE}`]: { type: "string" } } };
  const given = { [`t${HOSTILE}`]: HOSTILE, nested: { [HOSTILE]: [HOSTILE] } };
  const said = { title: HOSTILE, prompt: HOSTILE, reason: HOSTILE, arguments: given, form };
  await page.tell(confirmation(new Sample().start().tool("c1"), "c1", said));
  expect(hidden(el)).toEqual([]);
  expect(question(el, "await c1").textContent).toContain("\\u202e\\u200b");
  await act(el, "await c1", "edit");
  await drawn();
  expect(hidden(el)).toEqual([]);
  expect(question(el, "await c1").textContent).toContain("Written out: \\u202e\\u200b");
});

test("the names of a tool and of its arguments show what passes for something else", async () => {
  const { el } = page.view();
  const sample = new Sample().start();
  sample.add("tool_args_delta", { tool_call_id: "c1", tool_name: "p\u0430y", text: "{" });
  await page.tell(confirmation(sample, "c1", { title: "p\u0430y", arguments: { t\u043e: 1 } }));
  const box = question(el, "await c1");
  expect(box.querySelector("dt")?.textContent).toBe("t\\u043e");
  expect(el.querySelector(".nba-row code")?.textContent).toBe("p\\u0430y");
});
