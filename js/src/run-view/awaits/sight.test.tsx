import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Sight } from "../../page/sight";
import { Sample } from "../../sample-run";
import { drawn, FakePage } from "../fake-page";
import { act, confirmation, fill, question } from "../fake-person";

describe("how much was seen", () => {
  /** Looks that scroll through a pane of this height, each from where the one before ended, or less far. */
  function scrolled(total: number, height: number, steps: number[]): Sight {
    const sight = new Sight();
    let top = 0;
    sight.look(top, height, total);
    for (const step of steps) {
      top = Math.max(0, Math.min(top + step, total - height));
      sight.look(top, height, total);
    }
    return sight;
  }

  test("is all of what fits", () => {
    for (const total of [0, 1, 99, 100]) expect(scrolled(total, 100, []).isWhole.value).toBe(true);
  });

  test("is all when one has scrolled to the end, by steps of any size that leave nothing out", () => {
    for (const [total, step] of [
      [101.5, 100],
      [1000, 100],
      [1000, 37],
      [12_345, 99],
    ] as const) {
      const needed = Math.ceil((total - 101) / step);
      expect(scrolled(total, 100, Array(needed + 1).fill(step)).isWhole.value).toBe(true);
      expect(scrolled(total, 100, Array(needed - 1).fill(step)).isWhole.value).toBe(false);
    }
  });

  test("is not what a jump left out, until one has gone back to it", () => {
    const jumped = scrolled(1000, 100, [900]);
    expect(jumped.isWhole.value).toBe(false);
    expect(scrolled(1000, 100, [900, -900, 300, 100, 500]).isWhole.value).toBe(false);
    const back = [900, -850, ...Array(9).fill(100)];
    expect(scrolled(1000, 100, back).isWhole.value).toBe(true);
  });

  test("stays what it was when the pane is made smaller or scrolled back", () => {
    const sight = scrolled(150, 100, [50]);
    sight.look(0, 50, 400);
    expect(sight.isWhole.value).toBe(true);
  });
});

let page: FakePage;
let height = 0;
let total = 0;

beforeEach(() => {
  vi.useFakeTimers();
  Element.prototype.scrollIntoView = () => {};
  height = total = 0;
  const layout = { configurable: true };
  Object.defineProperty(Element.prototype, "clientHeight", { ...layout, get: () => height });
  Object.defineProperty(Element.prototype, "scrollHeight", { ...layout, get: () => total });
  page = new FakePage();
});

afterEach(async () => {
  page.close();
  await vi.advanceTimersByTimeAsync(2000);
  document.body.replaceChildren();
  vi.useRealTimers();
});

const RISKY = ["approve", "remember", "edit"];
const SAFE = ["deny", "note", "stop"];

function button(el: Element, which: string): HTMLElement {
  const found = question(el, "await c1").querySelector<HTMLElement>(`[data-act="${which}"]`);
  if (!found) throw new Error(`there is no ${which}`);
  return found;
}

function heldOf(el: Element): string[] {
  return [...RISKY, ...SAFE].filter((one) => button(el, one).getAttribute("aria-disabled"));
}

/** A call whose arguments do not fit, the last of them out of sight. */
async function long(beside: Parameters<typeof confirmation>[2] = {}): Promise<Element> {
  height = 300;
  total = 1000;
  const { el } = page.view();
  const given = { note: "a ".repeat(2000), to: "EVIL", euros: 999_999 };
  const sample = new Sample().start().add("tool_args_delta", { tool_call_id: "c1", text: "" });
  await page.tell(confirmation(sample, "c1", { arguments: given, ...beside }));
  return el;
}

function pane(el: Element): HTMLElement {
  const found = el.querySelector<HTMLElement>(".nba-sight");
  if (!found) throw new Error("there is no pane");
  return found;
}

async function scrollTo(el: Element, top: number): Promise<void> {
  pane(el).scrollTop = top;
  pane(el).dispatchEvent(new Event("scroll"));
  await drawn();
}

describe("an approval of what does not fit", () => {
  test("stands there whole: nothing is cut, nor scrolls in a pane of its own", async () => {
    const el = await long();
    expect(pane(el).textContent).toContain("EVIL");
    expect(pane(el).textContent).toContain("a ".repeat(2000).trim());
    expect(pane(el).querySelectorAll(".nba-pane")).toHaveLength(0);
  });

  test("cannot be given before all was in sight; what is safe can be said at once", async () => {
    const el = await long();
    expect(heldOf(el)).toEqual(RISKY);
    for (const which of RISKY) await act(el, "await c1", which);
    expect(page.model.sentOf("resolve")).toEqual([]);
    expect(question(el, "await c1").querySelector("form.nba-editor")).toBeNull();
    await act(el, "await c1", "deny");
    expect(page.model.sentOf("resolve")).toHaveLength(1);
  });

  test("says so beside the buttons, and they say it to those who listen", async () => {
    const el = await long();
    for (const which of RISKY) {
      const said = document.getElementById(
        button(el, which).getAttribute("aria-describedby") ?? "",
      );
      expect(said?.textContent).toContain("Part of what would run has not been in sight.");
      expect(said?.getAttribute("role")).toBe("status");
    }
  });

  test("can be given once one has scrolled to its end, by keyboard too", async () => {
    const el = await long();
    await act(el, "await c1", "approve");
    expect(document.activeElement).toBe(pane(el)); // there the keys scroll
    expect(pane(el).tabIndex).toBe(0);
    for (const top of [300, 600]) await scrollTo(el, top);
    expect(heldOf(el)).toEqual(RISKY);
    await scrollTo(el, 700);
    expect(heldOf(el)).toEqual([]);
    await act(el, "await c1", "approve");
    const answer = { action: "approve" };
    expect(page.model.sentOf("resolve")).toEqual([expect.objectContaining({ answer })]);
  });

  test("can be given when all is shown at once, and the focus is kept", async () => {
    const el = await long();
    await act(el, "await c1", "show-all");
    expect(heldOf(el)).toEqual([]);
    expect(pane(el).dataset.open).toBe("true");
    expect(document.activeElement).toBe(pane(el));
    expect(el.querySelector(".nba-held")?.textContent).toBe("");
  });

  test("can be edited once all was in sight", async () => {
    const el = await long({ arguments: { city: "P".repeat(5000) } });
    await act(el, "await c1", "show-all");
    await act(el, "await c1", "edit");
    await fill(question(el, "await c1").querySelector("input, textarea"), "Oslo");
    await act(el, "await c1", "approve-edited");
    expect(page.model.sentOf("resolve")).toHaveLength(1);
  });

  test("what fits can be answered at once", async () => {
    height = total = 300;
    const { el } = page.view();
    const sample = new Sample().start().add("tool_args_delta", { tool_call_id: "c1", text: "" });
    await page.tell(confirmation(sample, "c1"));
    expect(heldOf(el)).toEqual([]);
    expect(pane(el).tabIndex).toBe(-1);
  });
});

describe("an approval of which the page has but the beginning", () => {
  const lacking = { arguments: { city: "P… [9 kB of 10 kB left out]" }, left_out_bytes: 9000 };

  test("cannot be given by scrolling; all of it comes from the kernel, and then it can", async () => {
    const el = await long(lacking);
    for (const top of [300, 600, 700]) await scrollTo(el, top);
    expect(heldOf(el)).toEqual(["approve", "remember"]);
    expect(button(el, "show-all").textContent).toBe("Show all (9.0 kB more)");
    await act(el, "await c1", "show-all");
    const asked = { kind: "nbagents:whole-arguments", question: "await c1" };
    expect(page.model.sentOf("ask")).toContainEqual(expect.objectContaining(asked));
    expect(heldOf(el)).toEqual(["approve", "remember"]);
    const [{ id }] = page.model.sentOf("ask").slice(-1) as unknown as [{ id: number }];
    page.model.tell({ type: "answer", id, value: { city: "Paris", to: "EVIL" } });
    await drawn();
    expect(pane(el).textContent).toContain("EVIL");
    expect(heldOf(el)).toEqual([]);
  });

  test("stays held where the kernel cannot tell the rest, and says why", async () => {
    const el = await long(lacking);
    await act(el, "await c1", "show-all");
    const [{ id }] = page.model.sentOf("ask").slice(-1) as unknown as [{ id: number }];
    page.model.tell({ type: "answer", id, error: "Nobody waits for this any more." });
    await drawn();
    expect(question(el, "await c1").textContent).toContain("Nobody waits for this any more.");
    expect(heldOf(el)).toEqual(["approve", "remember"]);
  });
});

test("the leave for later calls stands apart, and says for which tool and how long", async () => {
  const { el } = page.view();
  const sample = new Sample().start();
  sample.add("tool_args_delta", { tool_call_id: "c1", tool_name: "wipe_disk", text: "{" });
  await page.tell(confirmation(sample, "c1"));
  const remember = button(el, "remember");
  expect(remember.textContent).toBe("Approve, and don't ask again for wipe_disk in this session");
  expect(remember.closest(".nba-acts")).not.toBe(button(el, "approve").closest(".nba-acts"));
  expect(remember.title).toContain("%nbagents approvals");
});

test("a later call that nobody was asked about says so in its row, also to those who listen", async () => {
  const { el } = page.view();
  const sample = new Sample().start().tool("c1");
  const verdict = { approved: true, approved_by: "you, earlier", summary: "allowed" };
  const about = { ...verdict, note: null, edited: false, arguments: null, remembered: false };
  sample.add("tool_authorization", { ...about, tool_call_id: "c1", under_grant: true });
  await page.tell(sample.ended("c1"));
  const row = el.querySelector(".nba-row");
  expect(row?.querySelector(".nba-chip")?.textContent).toBe("not asked");
  expect(row?.getAttribute("aria-label")).toContain(", not asked, ");
});
