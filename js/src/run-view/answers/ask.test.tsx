import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Sample } from "../../sample-run";
import type { Question } from "../../tree";
import { drawn, FakePage } from "../fake-page";
import { act, fill, question, WEATHER } from "../fake-person";

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

const NONE = { missing_fields: [], given: null, tool_call_id: null };

function sentAnswer(): unknown {
  return page.model.sentOf("resolve").at(-1);
}

async function submit(el: Element, id: string): Promise<void> {
  question(el, id).querySelector("form")?.requestSubmit();
  await drawn();
}

describe("a clarification", () => {
  test("is a form of what is missing; what is given stands beside it", async () => {
    const { el } = page.view();
    const missing = { ...NONE, form: WEATHER, given: { unit: "°C" }, tool_call_id: "c1" };
    const sample = new Sample().start().tool("c1");
    await page.tell(
      sample.add("await_clarification", { await_id: "a", question: "Where?", ...missing }),
    );
    const box = question(el, "a");
    expect(box.closest(".nba-call")).not.toBeNull();
    expect(box.querySelector(".nba-await-title")?.textContent).toBe("Where?");
    expect(box.querySelector(".nba-section")?.textContent).toContain("Given alreadyJSONunit°C");
    const [city, days] = box.querySelectorAll<HTMLInputElement>("input.nba-input");
    expect(city?.labels?.[0]?.textContent).toBe("city required");
    expect(city?.getAttribute("aria-required")).toBe("true");
    expect(days?.labels?.[0]?.textContent).toBe("days default: 1");
    expect(days?.placeholder).toBe("1");
    await fill(city, "Oslo");
    await submit(el, "a");
    expect(sentAnswer()).toMatchObject({ answer: { action: "answer", value: { city: "Oslo" } } });
  });

  test("without a form is answered by text, and Enter sends it", async () => {
    const { el } = page.view();
    const sample = new Sample().start();
    await page.tell(
      sample.add("await_clarification", { await_id: "a", question: "Why?", ...NONE }),
    );
    const box = question(el, "a");
    expect(box.closest(".nba-call")).toBeNull();
    const text = box.querySelector("textarea");
    const enter = { key: "Enter", bubbles: true, cancelable: true };
    text?.dispatchEvent(new KeyboardEvent("keydown", enter));
    await drawn();
    expect(box.querySelector('[role="alert"]')?.textContent).toBe("Write something, or decline.");
    await fill(text, "Because");
    text?.dispatchEvent(new KeyboardEvent("keydown", { ...enter, shiftKey: true }));
    expect(sentAnswer()).toBeUndefined();
    text?.dispatchEvent(new KeyboardEvent("keydown", enter));
    await drawn();
    expect(sentAnswer()).toMatchObject({ answer: { action: "answer", value: "Because" } });
  });

  test.each([
    [{ type: "boolean" }, ["Yes", "No"], true],
    [{ enum: ["train", "ship"] }, ["train", "ship", "Decline"], "train"],
  ])("of one value out of few is buttons", async (by, labels, value) => {
    const { el } = page.view();
    const form = { type: "object", properties: { by }, required: ["by"] };
    const sample = new Sample().start();
    const about = { await_id: "a", question: "How?", ...NONE, form };
    await page.tell(sample.add("await_clarification", about));
    const acts = [...question(el, "a").querySelectorAll(".nba-act")];
    expect(acts.map((one) => one.textContent)).toEqual(labels);
    await act(el, "a", "choose");
    expect(sentAnswer()).toMatchObject({ answer: { action: "answer", value: { by: value } } });
  });

  test("says of a field that it may be left out", async () => {
    const { el } = page.view();
    const properties = { city: { type: "string" }, note: { type: "string" } };
    const form = { type: "object", properties, required: ["city"] };
    const sample = new Sample().start();
    const about = { await_id: "a", question: "Where?", ...NONE, form };
    await page.tell(sample.add("await_clarification", about));
    const marks = [...question(el, "a").querySelectorAll("label")].map((one) => one.textContent);
    expect(marks).toEqual(["city required", "note optional"]);
  });

  test("may be declined", async () => {
    const { el } = page.view();
    const sample = new Sample().start();
    await page.tell(
      sample.add("await_clarification", { await_id: "a", question: "Why?", ...NONE }),
    );
    await act(el, "a", "decline");
    expect(sentAnswer()).toMatchObject({ await_id: "a", answer: { action: "deny" } });
  });
});

const FREE = { options: [], multiple: false, free_text: false };
const options = ["bike", "meal"].map((label) => ({ label, description: "" }));

async function asked(...questions: Question[]) {
  const { el } = page.view();
  const sample = new Sample().start().tool("c1");
  const about = { await_id: "a", title: "Before I go on", tool_call_id: "c1" };
  await page.tell(sample.add("await_questions", { ...about, questions }));
  return { el, box: question(el, "a") };
}

/** The control of an answer, by its words. */
function pick(box: Element, words: string): HTMLInputElement {
  const found = [...box.querySelectorAll("label")].find((one) => one.textContent?.trim() === words);
  const input = found?.querySelector("input");
  if (!input) throw new Error(`${words} cannot be chosen`);
  return input;
}

describe("questions", () => {
  test("are radio buttons, checkboxes and text, and all are to be answered", async () => {
    const { el, box } = await asked(
      { id: "seat", text: "Which seat?", ...FREE, options },
      { id: "more", text: "What else?", ...FREE, options, multiple: true },
      { id: "name", text: "In which name?", ...FREE },
    );
    expect([...box.querySelectorAll("legend")].map((one) => one.textContent)).toEqual([
      "Which seat?",
      "What else?",
      "In which name?",
    ]);
    const [seat, more] = box.querySelectorAll("fieldset.nba-question");
    if (!seat || !more) throw new Error("a question is missing");
    expect(pick(seat, "bike").type).toBe("radio");
    expect(pick(more, "bike").type).toBe("checkbox");
    pick(seat, "meal").click();
    await drawn();
    await submit(el, "a");
    expect(box.querySelector('[role="alert"]')?.textContent).toBe(
      "Still to be answered: What else? · In which name?",
    );
    pick(more, "meal").click();
    await drawn();
    pick(more, "bike").click();
    await fill(box.querySelector<HTMLInputElement>('[aria-label="In which name?"]'), "Ada");
    await submit(el, "a");
    const value = { seat: "meal", more: ["bike", "meal"], name: "Ada" };
    expect(sentAnswer()).toMatchObject({ answer: { action: "answer", value } });
  });

  test("with an answer of one's own choose it by writing it", async () => {
    const free = { ...FREE, options, free_text: true };
    const { el, box } = await asked(
      { id: "one", text: "One?", ...free },
      { id: "many", text: "Many?", ...free, multiple: true },
    );
    const [one, many] = box.querySelectorAll("fieldset.nba-question");
    if (!one || !many) throw new Error("a question is missing");
    pick(one, "bike").click();
    await fill(one.querySelector<HTMLInputElement>(".nba-input"), "a pillow");
    expect(pick(one, "Other").checked).toBe(true);
    expect(pick(one, "bike").checked).toBe(false);
    pick(many, "meal").click();
    await drawn();
    await fill(many.querySelector<HTMLInputElement>(".nba-input"), "a view");
    await submit(el, "a");
    const value = { one: "a pillow", many: ["meal", "a view"] };
    expect(sentAnswer()).toMatchObject({ answer: { value } });
  });

  test("with up to three short answers are buttons, and one click answers", async () => {
    const { el, box } = await asked({ id: "seat", text: "Which seat?", ...FREE, options });
    const acts = [...box.querySelectorAll(".nba-act")].map((one) => one.textContent);
    expect(acts).toEqual(["bike", "meal", "Decline"]);
    await act(el, "a", "choose");
    expect(sentAnswer()).toMatchObject({ answer: { action: "answer", value: { seat: "bike" } } });
  });

  test("for yes or no are two buttons and nothing else", async () => {
    const yesOrNo = ["Yes", "No"].map((label) => ({ label, description: "" }));
    const { box } = await asked({ id: "x", text: "Before I go on", ...FREE, options: yesOrNo });
    expect([...box.querySelectorAll(".nba-act")].map((one) => one.textContent)).toEqual([
      "Yes",
      "No",
    ]);
    expect(box.querySelector("input")).toBeNull();
  });

  test.each([
    ["four answers", ["a", "b", "c", "d"]],
    ["a long one", ["a", "so long that nobody would read it on a button"]],
  ])("with %s are chosen first and sent then", async (_, labels) => {
    const many = labels.map((label) => ({ label, description: "" }));
    const { box } = await asked({ id: "x", text: "Which?", ...FREE, options: many });
    expect(box.querySelectorAll('input[type="radio"]')).toHaveLength(labels.length);
    expect(box.querySelector('[data-act="choose"]')).toBeNull();
  });

  test("a question that is the title is not shown twice", async () => {
    const { box } = await asked({ id: "x", text: "Before I go on", ...FREE });
    expect(box.textContent?.split("Before I go on")).toHaveLength(2);
    expect(box.querySelector("legend")).toBeNull();
  });
});

describe("calls whose results come from outside", () => {
  test("have a field each, for JSON or text, at the end of their run", async () => {
    const { el } = page.view();
    const calls = [
      { id: "c1", name: "stock", arguments: '{"item": "tea"}' },
      { id: "c2", name: "price", arguments: "no JSON" },
    ];
    const sample = new Sample().start();
    const turn = { step: 1, text: "", calls, citations: [], refused: false };
    sample.add("assistant_turn", turn).add("await_external_tools", { await_id: "a", calls });
    await page.tell(sample);
    const box = question(el, "a");
    expect(box.closest(".nba-call")).toBeNull();
    expect(el.querySelectorAll('.nba-call[data-status="waiting"]')).toHaveLength(2);
    expect(box.textContent).toContain("itemtea");
    expect(box.textContent).toContain("no JSON");
    const [stock, price] = box.querySelectorAll("textarea");
    expect(stock?.labels?.[0]?.textContent?.trim()).toBe("Result of stock");
    await fill(stock, '{"left": 12}');
    await submit(el, "a");
    expect(box.querySelector('[role="alert"]')?.textContent).toBe("Still without a result: price");
    await fill(price, "3 euros");
    const enter = { key: "Enter", ctrlKey: true, bubbles: true, cancelable: true };
    price?.dispatchEvent(new KeyboardEvent("keydown", enter));
    expect(price?.hasAttribute("data-lm-suppress-shortcuts")).toBe(true); // it would run the cell
    await drawn();
    const value = { c1: { left: 12 }, c2: "3 euros" };
    expect(sentAnswer()).toMatchObject({ answer: { action: "answer", value } });
  });
});
