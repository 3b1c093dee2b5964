import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Door } from "../../bridge";
import { fold, Sample } from "../../sample-run";
import type { JsonValue } from "../../tree";
import { mountSaved } from "..";
import { controlled, drawn, FakePage, rows } from "../fake-page";

let page: FakePage;

beforeEach(() => {
  vi.useFakeTimers();
  page = new FakePage();
});

afterEach(async () => {
  page.close();
  await vi.advanceTimersByTimeAsync(500);
  document.body.replaceChildren();
  vi.useRealTimers();
});

function give(sample: Sample, kind: string, value: JsonValue, payload_id = kind): Sample {
  const payload = { kind, version: 1, audience: "timeline", value } as const;
  return sample.add("tool_data", { tool_call_id: "c1", payload_id, payload });
}

async function shown(kind: string, value: JsonValue): Promise<HTMLElement> {
  const { el } = page.view();
  await page.tell(give(new Sample().start().tool("c1"), kind, value).ended("c1"));
  return el;
}

const PNG = { media_type: "image/png", data: "AAAA", alt: "A plot" };

describe("a picture", () => {
  test("stands below its row though that is closed, and is not in its details again", async () => {
    const el = await shown("image", PNG);
    const [row] = rows(el);
    expect(row?.getAttribute("aria-expanded")).toBe("false");
    const image = el.querySelector<HTMLImageElement>(".nba-views img");
    expect(image?.src).toBe("data:image/png;base64,AAAA");
    expect(image?.alt).toBe("A plot");
    row?.click();
    await drawn();
    expect(controlled(row)?.textContent).not.toContain("image as JSON");
  });

  test("opens at full size, and closes again", async () => {
    const { el } = page.view();
    await page.tell(give(new Sample().start().tool("c1"), "image", { ...PNG, width: 200 }));
    const button = el.querySelector<HTMLButtonElement>(".nba-picture");
    expect(el.querySelector("img")?.getAttribute("style")).toContain("200px");
    button?.click();
    await drawn();
    const dialog = el.querySelector("dialog");
    expect(dialog?.getAttribute("aria-label")).toBe(PNG.alt);
    const image = dialog?.querySelector("img");
    Object.defineProperty(image, "naturalWidth", { value: 900 });
    Object.defineProperty(image, "clientWidth", { value: 300 });
    image?.dispatchEvent(new Event("load"));
    const press = async (key: string) => {
      dialog?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      await drawn();
      return [image?.style.width, dialog?.querySelector("[role=status]")?.textContent];
    };
    expect(await press("+")).toEqual(["450px", "50 %"]);
    expect(await press("1")).toEqual(["900px", "100 %"]);
    expect(await press("0")).toEqual(["", "Fits"]);
    dialog?.dispatchEvent(new Event("close"));
    await drawn();
    expect(el.querySelector("dialog")).toBeNull();
  });

  test("that is replaced under its id is the same element with another source", async () => {
    const { el } = page.view();
    const sample = give(new Sample().start().tool("c1"), "image", PNG);
    await page.tell(sample);
    const image = el.querySelector("img");
    await page.tell(give(sample, "image", { ...PNG, data: "BBBB" }), 3);
    expect(el.querySelectorAll("img")).toHaveLength(1);
    expect(image?.src).toBe("data:image/png;base64,BBBB");
  });
});

test("a file can be downloaded while its data is there", async () => {
  const file = { name: "a.pdf", media_type: "application/pdf", size: 300, data: "AAAA" };
  const el = await shown("file", file);
  expect(el.querySelector(".nba-file")?.textContent).toBe(
    "a.pdfapplication/pdf, 300 bytesDownload",
  );
  const link = el.querySelector<HTMLAnchorElement>(".nba-file a");
  expect(link?.download).toBe("a.pdf");
  expect(link?.href).toBe("data:application/octet-stream;base64,AAAA");
});

test("a file without data is only named", async () => {
  const el = await shown("file", { name: "a.pdf", media_type: "application/pdf", size: 3_000_000 });
  expect(el.querySelector(".nba-file")?.textContent).toBe("a.pdfapplication/pdf, 3.0 MB");
  expect(el.querySelector(".nba-file a")).toBeNull();
});

describe("a captured display", () => {
  test("of Markdown is drawn as an answer is", async () => {
    const el = await shown("mime", { data: { "text/markdown": "**a** <b onclick=x>c</b>" } });
    await drawn();
    expect(el.querySelector(".nba-views strong")?.textContent).toBe("a");
    expect(el.querySelector("[onclick]")).toBeNull();
  });

  test("of HTML stands in a frame that can do nothing, and its source can be read", async () => {
    const html = '<img src=x onerror="globalThis.harm=1">';
    const el = await shown("mime", { data: { "text/html": html, "text/plain": "[1]" } });
    const frame = el.querySelector("iframe");
    expect(frame?.getAttribute("sandbox")).toBe("");
    expect(frame?.getAttribute("srcdoc")).toContain("default-src 'none'");
    expect(frame?.getAttribute("srcdoc")).not.toContain("onerror");
    const fold = el.querySelector<HTMLElement>(".nba-views .nba-fold-button");
    expect(fold?.textContent).toBe("As text, 39 bytes");
    fold?.click();
    await drawn();
    const texts = [...(controlled(fold ?? undefined)?.querySelectorAll("pre") ?? [])];
    expect(texts.map((one) => one.textContent)).toEqual(["[1]", html]);
    expect(el.querySelector("img")).toBeNull();
  });
});

describe("what was too large", () => {
  test("is said below what is left of a display", async () => {
    const left_out = { "text/html": 5_000_000 };
    const el = await shown("mime", { data: { "text/plain": "Map" }, left_out });
    const words = [...(el.querySelector(".nba-views > div")?.children ?? [])];
    expect(words.map((one) => one.textContent)).toEqual([
      "Map",
      "Left out as too large: text/html (5.0 MB)",
    ]);
  });

  test("is said where its picture would have stood", async () => {
    const el = await shown("cut", { of: "image", note: "3.1 MB left out", head: "{" });
    expect(el.querySelector(".nba-views")?.textContent).toBe("image · 3.1 MB left out");
  });

  test("is said among the data, with its beginning to open, where it would have been JSON", async () => {
    const el = await shown("cut", { of: "rows", note: "3.1 MB left out", head: "[1, 2" });
    expect(el.querySelector(".nba-views")).toBeNull();
    const [row] = rows(el);
    row?.click();
    await drawn();
    const sections = [...(controlled(row)?.querySelectorAll(".nba-section") ?? [])];
    const data = sections.find((one) => one.textContent?.startsWith("Data"));
    expect(data?.textContent).toContain("rows · 3.1 MB left out");
    data?.querySelector<HTMLElement>(".nba-fold-button")?.click();
    await drawn();
    expect(data?.querySelector("pre")?.textContent).toBe("[1, 2");
  });
});

test("a value that does not fit its kind is JSON among the data", async () => {
  const el = await shown("image", { media_type: "text/html", data: "AAAA" });
  expect(el.querySelector(".nba-views")).toBeNull();
  const [row] = rows(el);
  row?.click();
  await drawn();
  expect(controlled(row)?.textContent).toContain("image as JSON");
});

describe("what a saved run has left out", () => {
  const FILE = { name: "a.csv", media_type: "text/csv", size: 4, data: null };

  let end = new AbortController();

  afterEach(() => {
    end.abort();
    end = new AbortController();
  });

  async function saved(canAsk: boolean, ask: Door["ask"]): Promise<HTMLElement> {
    const cut = { of: "image", head: "", note: "50.9 kB left out" };
    const sample = give(new Sample().start().tool("c1"), "file", FILE);
    const { events } = give(sample, "cut", cut).ended("c1");
    const el = document.createElement("div");
    document.body.append(el);
    const door: Door = {
      isLive: false,
      load: page.load,
      emit() {},
      ask,
      canAsk: () => canAsk,
      stop() {},
      resolve: () => Promise.reject(new Error("no kernel")),
    };
    mountSaved(el, end.signal, fold(events), door);
    await drawn();
    return el;
  }

  const get = (el: Element) =>
    [...el.querySelectorAll<HTMLButtonElement>(".nba-fetched button")].map((one) => one.click());

  test("comes from the kernel as long as that lives", async () => {
    const payload = { version: 1, audience: "timeline" };
    const payloads = [
      { id: "file", payload: { ...payload, kind: "file", value: { ...FILE, data: "AAAA" } } },
      { id: "cut", payload: { ...payload, kind: "image", value: PNG } },
    ];
    const ask = vi.fn(async () => ({ payloads }));
    const el = await saved(true, ask);
    expect(el.textContent).toContain("50.9 kB left out");
    get(el);
    await drawn();
    expect(ask).toHaveBeenCalledWith("run:call", { run_id: "run-1", call_id: "c1" });
    expect(el.querySelector("a[download]")?.getAttribute("download")).toBe("a.csv");
    expect(el.querySelector("img")?.alt).toBe("A plot");
  });

  test("is only named without a kernel; a kernel that has it no more says so", async () => {
    const without = await saved(false, () => Promise.reject(new Error("no")));
    expect(without.querySelector(".nba-fetched button")).toBeNull();
    const el = await saved(true, async () => ({ payloads: [] }));
    get(el);
    await drawn();
    expect(el.textContent).toContain("The kernel has it no more.");
  });

  const LOG = "line 1\nline 2… [30.0 kB of 60.0 kB left out]\nline 9\n";

  async function opened(canAsk: boolean, ask: Door["ask"]): Promise<HTMLElement> {
    const sample = new Sample().start().tool("c1");
    give(sample, "cut", { of: "rows", head: "[1, 2", note: "3.1 MB left out" });
    sample.add("tool_output_delta", { tool_call_id: "c1", stream: "stdout", text: LOG });
    sample.ended("c1", { content: "9 °C and… [1.0 MB of 1.1 MB left out]" });
    const el = document.createElement("div");
    document.body.append(el);
    const door = { ...page, isLive: false, emit() {}, stop() {}, ask, canAsk: () => canAsk };
    const resolve = () => Promise.reject(new Error("no kernel"));
    const load = page.load;
    mountSaved(el, end.signal, fold(sample.events), { ...door, load, resolve }, [{ text: "cut" }]);
    rows(el)[0]?.click();
    await drawn();
    return el;
  }

  const named = (el: Element, words: string) =>
    [...el.querySelectorAll("button")].find(({ textContent }) => textContent === words);

  test("and cut in result or output stands in the list, whole, as long as the kernel lives", async () => {
    const whole = {
      content: "9 °C and the rest",
      output: [{ stream: "stdout", text: "x".repeat(60_000) }],
      payloads: [{ id: "cut", payload: { kind: "rows", version: 1, value: [1, 2, 3] } }],
    };
    const ask = vi.fn(async () => whole);
    const el = await opened(true, ask);
    expect(named(el, "Show all 60.0 kB")).toBeDefined();
    named(el, "Show all 1.1 MB")?.focus();
    named(el, "Show all 1.1 MB")?.click();
    await drawn();
    expect(el.textContent).toContain("9 °C and the rest");
    expect(el.textContent).toContain("x".repeat(60_000));
    expect(named(el, "Show all 60.0 kB")).toBeUndefined();
    expect(document.activeElement?.textContent).toContain("All of it is here");
    named(el, "Show all of it")?.click();
    await drawn();
    expect(el.textContent).toContain("rows as JSON");
    expect(ask).toHaveBeenCalledOnce();
  });

  test("is not offered without a kernel, and stays where the kernel knows it no more", async () => {
    const without = await opened(false, () => Promise.reject(new Error("no")));
    expect(named(without, "Show all 1.1 MB")).toBeUndefined();
    expect(without.textContent).toContain("1.0 MB of 1.1 MB left out");
    const el = await opened(true, () => Promise.reject(new Error("This kernel knows nothing.")));
    named(el, "Show all 1.1 MB")?.click();
    await drawn();
    expect(el.textContent).toContain("This kernel knows nothing.");
    expect(el.textContent).toContain("1.0 MB of 1.1 MB left out");
  });
});
