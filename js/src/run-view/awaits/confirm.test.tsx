import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Sample } from "../../sample-run";
import { drawn, FakePage, rows } from "../fake-page";
import { act, answered, confirmation, fill, question } from "../fake-person";

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
  vi.useRealTimers();
});

async function press(key: string): Promise<void> {
  const about = { key, bubbles: true, cancelable: true };
  document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", about));
  await drawn();
}

/** A run in which these calls wait for consent. */
function asking(...ids: string[]): Sample {
  const sample = new Sample().start();
  for (const id of ids) sample.add("tool_args_delta", { tool_call_id: id, text: "{" });
  for (const id of ids) confirmation(sample, id);
  return sample;
}

describe("a confirmation", () => {
  test("stands open in its call's card: what will run, with what, and why that is asked", async () => {
    const { el } = page.view();
    await page.tell(asking("c1"));
    const box = question(el, "await c1");
    expect(rows(el)[0]?.getAttribute("aria-expanded")).toBe("false");
    expect(box.closest("li")?.querySelector(".nba-row")).toBe(rows(el)[0]);
    expect(box.querySelector(".nba-await-title")?.textContent).toBe("Allow weather?");
    expect(box.textContent).toContain("It may destroy something.");
    expect(box.querySelector("dt")?.textContent).toBe("city");
    expect(box.querySelector("dd")?.textContent).toBe("Paris");
    expect([...box.querySelectorAll(".nba-acts button")].map((one) => one.textContent)).toEqual([
      "Approve",
      "Edit…",
      "Deny",
      "Deny with a note…",
      "Stop the run",
      "Approve, and don't ask again for weather in this session",
    ]);
  });

  test.each([
    ["approve", { action: "approve" }],
    ["remember", { action: "approve", remember: true }],
    ["deny", { action: "deny" }],
  ])("%s is sent at once", async (which, answer) => {
    const { el } = page.view();
    await page.tell(asking("c1"));
    await act(el, "await c1", which);
    expect(page.model.sentOf("resolve")).toEqual([
      { type: "resolve", id: expect.any(Number), await_id: "await c1", answer },
    ]);
  });

  test("is denied with a note by Enter; Escape leaves the note and goes back to its button", async () => {
    const { el } = page.view();
    await page.tell(asking("c1"));
    await act(el, "await c1", "note");
    const box = question(el, "await c1");
    expect(document.activeElement).toBe(box.querySelector("input"));
    await press("Escape");
    expect(document.activeElement?.getAttribute("data-act")).toBe("note");
    await act(el, "await c1", "note");
    await fill(box.querySelector("input"), "Not that one");
    await press("Enter");
    const answer = { action: "deny", note: "Not that one" };
    expect(page.model.sentOf("resolve")).toEqual([expect.objectContaining({ answer })]);
  });

  test("can stop the run instead", async () => {
    const { el } = page.view();
    await page.tell(asking("c1"));
    await act(el, "await c1", "stop");
    expect(page.model.sentOf("stop")).toEqual([{ type: "stop" }]);
  });

  test("cannot be answered twice: nothing can be pressed while an answer is on its way", async () => {
    const { el } = page.view();
    await page.tell(asking("c1"));
    const box = question(el, "await c1");
    await act(el, "await c1", "approve");
    expect(box.querySelector("fieldset")?.disabled).toBe(true);
    expect(box.getAttribute("aria-busy")).toBe("true");
    expect(document.activeElement).toBe(box);
    await vi.advanceTimersByTimeAsync(11_000);
    expect(box.querySelector("fieldset")?.disabled).toBe(false);
    expect(box.querySelector('[role="alert"]')?.textContent).toContain("has not answered yet");
  });
});

describe("the editor", () => {
  test("sends what was changed, and nothing else", async () => {
    const { el } = page.view();
    await page.tell(asking("c1"));
    await act(el, "await c1", "edit");
    const box = question(el, "await c1");
    const [city, days] = box.querySelectorAll<HTMLInputElement>("input.nba-input");
    expect(document.activeElement).toBe(city);
    expect(city?.value).toBe("Paris");
    await fill(city, "Oslo");
    await fill(days, "3");
    await act(el, "await c1", "approve-edited");
    const answer = { action: "approve", changes: { city: "Oslo", days: 3 }, left_out: [] };
    expect(page.model.sentOf("resolve")).toEqual([expect.objectContaining({ answer })]);
  });

  test("shows what is wrong with a field, goes there, and sends nothing", async () => {
    const { el } = page.view();
    await page.tell(asking("c1"));
    await act(el, "await c1", "edit");
    const box = question(el, "await c1");
    await fill(box.querySelectorAll<HTMLInputElement>("input.nba-input")[1], "many");
    await act(el, "await c1", "approve-edited");
    const wrong = box.querySelector('[aria-invalid="true"]');
    expect(document.activeElement).toBe(wrong);
    const fault = document.getElementById(wrong?.getAttribute("aria-describedby") ?? "");
    expect(fault?.textContent).toBe("many is no number.");
    expect(page.model.sentOf("resolve")).toEqual([]);
  });

  test("stays open with the kernel's error, and with what was written", async () => {
    const { el } = page.view();
    await page.tell(asking("c1"));
    await act(el, "await c1", "edit");
    const box = question(el, "await c1");
    await fill(box.querySelector("input"), "Atlantis");
    box.querySelector("input")?.focus();
    await act(el, "await c1", "approve-edited");
    page.model.refuse("city: there is no such city");
    await drawn();
    expect(box.querySelector('[role="alert"]')?.textContent).toBe("city: there is no such city");
    expect(box.querySelector("input")?.value).toBe("Atlantis");
    expect(box.querySelector("fieldset")?.disabled).toBe(false);
    expect(box.contains(document.activeElement)).toBe(true);
    await act(el, "await c1", "approve-edited");
    expect(page.model.sentOf("resolve")).toHaveLength(2);
  });

  test("is fields or JSON, whichever one likes, with the same in it", async () => {
    const { el } = page.view();
    await page.tell(asking("c1"));
    await act(el, "await c1", "edit");
    const box = question(el, "await c1");
    await fill(box.querySelector("input"), "Rome");
    const flip = () => box.querySelector<HTMLElement>(".nba-form > .nba-switch");
    flip()?.click();
    await drawn();
    const text = box.querySelector("textarea");
    expect(text?.value).toBe('{\n  "city": "Rome"\n}');
    await fill(text, "[1]");
    await act(el, "await c1", "approve-edited");
    expect(box.querySelector(".nba-fault")?.textContent).toBe("A JSON object is needed: {…}");
    await fill(text, '{"city": "Bern", "days": 2}');
    flip()?.click();
    await drawn();
    expect(box.querySelector("input")?.value).toBe("Bern");
    await act(el, "await c1", "approve-edited");
    const answer = { action: "approve", changes: { city: "Bern", days: 2 }, left_out: [] };
    expect(page.model.sentOf("resolve")).toEqual([expect.objectContaining({ answer })]);
  });
});

describe("arguments too long for a page", () => {
  const long = { arguments: { city: "P… [9.8 MB of 10.0 MB left out]" }, left_out_bytes: 9.8e6 };

  /** A call that waits, and of whose arguments the page has only the beginning. */
  async function tooLong(): Promise<Element> {
    const { el } = page.view();
    const sample = new Sample().start().add("tool_args_delta", { tool_call_id: "c1", text: "" });
    await page.tell(confirmation(sample, "c1", long));
    return el;
  }

  test("say how much there is more, and who has all", async () => {
    const el = await tooLong();
    expect(question(el, "await c1").querySelector(".nba-section")?.textContent).toContain(
      "… 9.8 MB more; run.calls[0].arguments has all",
    );
  });

  test("are not edited here: nothing that is shown could be sent as if it were all", async () => {
    const el = await tooLong();
    await act(el, "await c1", "edit");
    const box = question(el, "await c1");
    expect(box.textContent).toContain("too long to be edited here");
    expect(box.textContent).toContain("run.awaiting[0].approve(");
    expect(box.querySelectorAll("input, textarea")).toHaveLength(0);
    expect(box.querySelector('[data-act="approve-edited"]')).toBeNull();
    expect(document.activeElement?.getAttribute("data-act")).toBe("cancel");
    await press("Enter");
    await press("Escape");
    await act(el, "await c1", "approve");
    expect(page.model.sentOf("resolve")).toEqual([]);
  });
});

describe("several at once", () => {
  test("have labels of their own, and are gone through by the header's button", async () => {
    const { el } = page.view();
    await page.tell(asking("c1", "c2"));
    const names = [...el.querySelectorAll('[data-act="approve"]')].map((one) =>
      one.getAttribute("aria-label"),
    );
    expect(names).toEqual(['Approve: weather, city="Paris"', 'Approve: weather, city="Paris" (2)']);
    const review = el.querySelector<HTMLElement>(".nba-review");
    expect(review?.textContent).toBe("Review (2)");
    for (const id of ["await c1", "await c2", "await c1"]) {
      review?.click();
      await drawn();
      expect(document.activeElement).toBe(question(el, id));
    }
  });

  test("hand the focus on to the next open one, and then to the row of the last", async () => {
    const { el } = page.view();
    const sample = asking("c1", "c2");
    await page.tell(sample);
    const told = sample.events.length;
    await act(el, "await c1", "approve");
    await page.tell(answered(sample, "c1"), told);
    await drawn();
    expect(document.activeElement).toBe(question(el, "await c2"));
    await act(el, "await c2", "deny");
    await page.tell(answered(sample, "c2", { outcome: "denied" }), told + 1);
    await drawn();
    expect(document.activeElement?.getAttribute("data-call")).toBe("run-1/c2");
  });

  test("take no focus that was elsewhere", async () => {
    const { el } = page.view();
    const sample = asking("c1", "c2");
    await page.tell(sample);
    rows(el)[1]?.focus();
    const before = document.activeElement;
    await page.tell(answered(sample, "c1"), sample.events.length - 1);
    await drawn();
    expect(el.querySelectorAll(".nba-await")).toHaveLength(1);
    expect(document.activeElement).toBe(before);
  });

  test("are told to those who listen", async () => {
    const { el } = page.view();
    await page.tell(asking("c1", "c2"));
    await vi.advanceTimersByTimeAsync(1100);
    expect(el.querySelector('[role="status"]')?.textContent).toBe(
      'Waiting for you: weather, city="Paris"; weather, city="Paris" (2)',
    );
  });
});
