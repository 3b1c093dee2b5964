import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Sample } from "../../sample-run";
import { drawn, FakePage } from "../fake-page";
import { act, answered, fill, question, WEATHER } from "../fake-person";

let page: FakePage;

beforeEach(() => {
  vi.useFakeTimers();
  Element.prototype.scrollIntoView = () => {};
  page = new FakePage();
});

afterEach(async () => {
  page.close();
  await vi.advanceTimersByTimeAsync(2000);
  document.body.replaceChildren();
  sessionStorage.clear();
  vi.useRealTimers();
});

const BARE = { parts: [], calls: [], call_id: null };
const CALL = { id: "c1", name: "weather", arguments: '{"city": "Paris"}' };
const REQUEST = {
  of: "request",
  step: 2,
  model: "scripted",
  messages: [
    { ...BARE, role: "user", text: "How warm is it?" },
    { ...BARE, role: "assistant", text: "", calls: [CALL] },
    { ...BARE, role: "tool", text: "9 °C", call_id: "c1" },
  ],
  new_from: 1,
  tools: [{ name: "weather", description: "The weather.", parameters: WEATHER }],
  settings: { temperature: 0 },
  is_final: false,
  can_skip: true,
  calls: [],
  note: "",
};
const NEXT = { defaults: ["days"], objects: {}, form: WEATHER, problem: "" };
const CALLS = {
  ...REQUEST,
  of: "calls",
  step: 1,
  messages: [],
  tools: [],
  settings: {},
  calls: [
    { ...NEXT, id: "c1", name: "weather", arguments: { city: "Paris", days: 1 } },
    { ...NEXT, id: "c2", name: "weather", arguments: { city: "Rome", days: 1 } },
  ],
};

async function waiting(pause: object, id = "s1"): Promise<Element> {
  const { el } = page.view();
  const title = "Step: what comes next";
  await page.tell(new Sample().start().add("await_step", { await_id: id, title, pause }));
  return el;
}

function sent(): unknown[] {
  return page.model.sentOf("resolve").map((one) => (one as { answer: unknown }).answer);
}

describe("before a request", () => {
  test("the card shows what the model would be told, and what of it is new", async () => {
    const box = question(await waiting(REQUEST), "s1");
    const items = [...box.querySelectorAll(".nba-step-message")];
    expect(items.map((one) => one.querySelector("strong")?.textContent)).toEqual([
      "user",
      "assistant",
      "tool",
    ]);
    expect(items.map((one) => one.querySelector(".nba-step-sign")?.textContent ?? "")).toEqual([
      "",
      "new",
      "new",
    ]);
    expect(items[2]?.textContent).toContain("9 °C");
    expect(box.textContent).toContain("1 tool offered");
    expect(box.textContent).toContain('Settings: {"temperature":0}');
    expect([...box.querySelectorAll(".nba-act")].map((one) => one.textContent)).toEqual([
      "Continue",
      "Skip",
      "Be the model…",
      "Run to the end",
      "Stop the run",
    ]);
  });

  test.each([
    ["continue", { action: "continue" }],
    ["skip", { action: "skip" }],
    ["to-end", { action: "to_end" }],
  ])("%s is sent at once", async (which, value) => {
    const el = await waiting(REQUEST);
    await act(el, "s1", which);
    expect(sent()).toEqual([{ action: "answer", value }]);
  });

  test("cannot be skipped where there is no result to answer with", async () => {
    const box = question(await waiting({ ...REQUEST, can_skip: false }), "s1");
    expect(box.querySelector('[data-act="skip"]')).toBeNull();
  });

  test("a message gets other words, with their diff; a new one is added", async () => {
    const el = await waiting(REQUEST);
    const box = question(el, "s1");
    box.querySelector<HTMLElement>('[data-act="edit-message"]')?.click();
    await drawn();
    await fill(box.querySelector("textarea"), "How warm is it in Rome?");
    expect(box.querySelector(".nba-step-sign")?.textContent).toBe("changed by you");
    expect(box.textContent).toContain("Your change");
    box.querySelector<HTMLElement>('[data-act="add"]')?.click();
    await drawn();
    await fill([...box.querySelectorAll("textarea")].at(-1), "Be brief.");
    await act(el, "s1", "continue");
    const messages = [
      { keep: 0, text: "How warm is it in Rome?" },
      { keep: 1 },
      { keep: 2 },
      { role: "user", text: "Be brief." },
    ];
    expect(sent()).toEqual([{ action: "answer", value: { messages, action: "continue" } }]);
  });

  test("a call is dropped with its result, and kept with it again", async () => {
    const el = await waiting(REQUEST);
    const box = question(el, "s1");
    const drop = () => box.querySelectorAll<HTMLElement>('[data-act="drop-message"]')[2];
    drop()?.click();
    await drawn();
    expect(box.querySelectorAll("[data-dropped]")).toHaveLength(2);
    drop()?.click();
    await drawn();
    expect(box.querySelectorAll("[data-dropped]")).toHaveLength(0);
    drop()?.click();
    await drawn();
    await act(el, "s1", "continue");
    const value = { messages: [{ keep: 0 }], action: "continue" };
    expect(sent()).toEqual([{ action: "answer", value }]);
  });

  test("what does not fit is said, and what was written stays", async () => {
    const el = await waiting(REQUEST);
    const box = question(el, "s1");
    box.querySelector<HTMLElement>('[data-act="edit-message"]')?.click();
    await drawn();
    await fill(box.querySelector("textarea"), "[redacted]");
    await act(el, "s1", "continue");
    page.model.refuse("Message 0 holds [redacted]");
    await drawn();
    expect(box.querySelector('[role="alert"]')?.textContent).toContain("Message 0 holds");
    expect(box.querySelector("textarea")?.value).toBe("[redacted]");
  });

  test("one is the model: in words, or by calls with their forms", async () => {
    const el = await waiting(REQUEST);
    await act(el, "s1", "model");
    const box = question(el, "s1");
    expect(box.querySelector('[data-act="continue"]')).toBeNull();
    await act(el, "s1", "say");
    expect(sent()).toEqual([]);
    expect(box.querySelector(".nba-fault")?.textContent).toContain("Write an answer");
    await fill(box.querySelector("select"), "weather");
    await fill(box.querySelector('input:not([type="checkbox"])'), "Oslo");
    await act(el, "s1", "say");
    const calls = [{ name: "weather", arguments: { city: "Oslo" } }];
    expect(sent()).toEqual([{ action: "answer", value: { calls, action: "continue" } }]);
  });
});

describe("before calls", () => {
  test("arguments are changed, a result is given, a call is left out", async () => {
    const el = await waiting(CALLS);
    const box = question(el, "s1");
    const [first, second] = [...box.querySelectorAll(".nba-step-message")];
    first?.querySelector<HTMLElement>('[data-act="call-arguments"]')?.click();
    second?.querySelector<HTMLElement>('[data-act="call-result"]')?.click();
    await drawn();
    await fill(first?.querySelector("input"), "Oslo");
    await fill(second?.querySelector("textarea"), '{"celsius": 19}');
    await act(el, "s1", "continue");
    const value = {
      edited: { c1: { changes: { city: "Oslo" }, left_out: [] } },
      result: { c2: { celsius: 19 } },
      action: "continue",
    };
    expect(sent()).toEqual([{ action: "answer", value }]);
  });

  test("a call that is pressed out is not made; pressed again, it is", async () => {
    const el = await waiting(CALLS);
    const box = question(el, "s1");
    const skip = () => box.querySelector<HTMLElement>('[data-act="call-skip"]');
    skip()?.click();
    await drawn();
    expect(skip()?.getAttribute("aria-pressed")).toBe("true");
    skip()?.click();
    await drawn();
    skip()?.click();
    await drawn();
    await act(el, "s1", "continue");
    const value = { skip: ["c1"], action: "continue" };
    expect(sent()).toEqual([{ action: "answer", value }]);
  });

  test("arguments that cannot be read are not sent", async () => {
    const el = await waiting(CALLS);
    const box = question(el, "s1");
    box.querySelector<HTMLElement>('[data-act="call-arguments"]')?.click();
    await drawn();
    await fill(box.querySelectorAll("input")[1], "many");
    await act(el, "s1", "continue");
    expect(sent()).toEqual([]);
    expect(box.querySelector('[aria-invalid="true"]')).not.toBeNull();
  });

  test("what cannot be made as it stands says why", async () => {
    const [call] = CALLS.calls;
    const bad = { ...CALLS, calls: [{ ...call, problem: "city: Field required" }] };
    const box = question(await waiting(bad), "s1");
    expect(box.querySelector(".nba-fault")?.textContent).toBe("city: Field required");
  });
});

describe("what was written, where the page is loaded again", () => {
  const again = (): void => {
    page.close();
    document.body.replaceChildren();
    page = new FakePage();
  };

  test("of messages and in the model's place, is there and can be sent", async () => {
    const first = question(await waiting(REQUEST), "s1");
    first.querySelector<HTMLElement>('[data-act="edit-message"]')?.click();
    await drawn();
    await fill(first.querySelector("textarea"), "How warm is it in Rome?");
    first.querySelector<HTMLElement>('[data-act="add"]')?.click();
    await drawn();
    await fill([...first.querySelectorAll("textarea")].at(-1), "Be brief.");
    first.querySelectorAll<HTMLElement>('[data-act="drop-message"]')[2]?.click();
    await act(first.closest(".nba-view") ?? document.body, "s1", "model");
    await fill(first.querySelector("select"), "weather");
    await fill(first.querySelector('input:not([type="checkbox"])'), "Oslo");
    await fill(first.querySelector(".nba-step-model textarea"), "I think");
    again();
    const el = await waiting(REQUEST);
    const box = question(el, "s1");
    expect([...box.querySelectorAll("textarea")].map(({ value }) => value)).toEqual([
      "How warm is it in Rome?",
      "Be brief.",
      "I think",
    ]);
    expect(box.querySelectorAll("[data-dropped]")).toHaveLength(2);
    await act(el, "s1", "say");
    const messages = [
      { keep: 0, text: "How warm is it in Rome?" },
      { role: "user", text: "Be brief." },
    ];
    const calls = [{ name: "weather", arguments: { city: "Oslo" } }];
    const value = { messages, text: "I think", calls, action: "continue" };
    expect(sent()).toEqual([{ action: "answer", value }]);
    again();
    const fresh = question(await waiting(REQUEST), "s1");
    expect(fresh.querySelectorAll("textarea")).toHaveLength(0);
  });

  test("of calls, by fields and as JSON, is there and can be sent", async () => {
    const first = question(await waiting(CALLS), "s1");
    const [one, other] = [...first.querySelectorAll(".nba-step-message")];
    one?.querySelector<HTMLElement>('[data-act="call-arguments"]')?.click();
    other?.querySelector<HTMLElement>('[data-act="call-result"]')?.click();
    await drawn();
    await fill(one?.querySelector("input"), "Oslo");
    await fill(other?.querySelector("textarea"), '{"celsius": 19}');
    again();
    const el = await waiting(CALLS);
    await act(el, "s1", "continue");
    const value = {
      edited: { c1: { changes: { city: "Oslo" }, left_out: [] } },
      result: { c2: { celsius: 19 } },
      action: "continue",
    };
    expect(sent()).toEqual([{ action: "answer", value }]);
  });

  test("is left alone at another step, or where the step asks for something else", async () => {
    const first = question(await waiting(REQUEST), "s1");
    first.querySelector<HTMLElement>('[data-act="edit-message"]')?.click();
    await drawn();
    await fill(first.querySelector("textarea"), "Other words");
    again();
    const other = { ...REQUEST, messages: REQUEST.messages.slice(0, 1), new_from: 0 };
    expect(question(await waiting(other), "s1").querySelector("textarea")).toBeNull();
    again();
    expect(question(await waiting(REQUEST, "s2"), "s2").querySelector("textarea")).toBeNull();
  });

  test("is of no harm where it is nothing of ours, or the page may keep nothing", async () => {
    const kept = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    const read = vi.spyOn(Storage.prototype, "getItem").mockReturnValue('{"about": 3');
    const el = await waiting(REQUEST);
    const box = question(el, "s1");
    box.querySelector<HTMLElement>('[data-act="edit-message"]')?.click();
    await drawn();
    await fill(box.querySelector("textarea"), "Rome?");
    await act(el, "s1", "continue");
    expect(sent()).toHaveLength(1);
    kept.mockRestore();
    read.mockRestore();
  });
});

describe("the keyboard", () => {
  test("goes on from step to step by Enter", async () => {
    const { el } = page.view();
    const title = "Step";
    const sample = new Sample().start();
    sample.add("await_step", { await_id: "await 1", title, pause: REQUEST });
    await page.tell(sample);
    await act(el, "await 1", "continue");
    const told = sample.events.length;
    await page.tell(answered(sample, "1", { answer: "continue" }), told);
    const again = sample.events.length;
    sample.add("await_step", { await_id: "await 2", title, pause: CALLS });
    await page.tell(sample, again);
    await drawn();
    expect(document.activeElement).toBe(question(el, "await 2"));
    const about = { key: "Enter", bubbles: true, cancelable: true };
    document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", about));
    await drawn();
    expect(sent()).toHaveLength(2);
    expect(el.querySelectorAll(".nba-await")).toHaveLength(1);
  });
});
