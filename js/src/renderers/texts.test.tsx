import { render } from "preact";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { JsonValue } from "../tree";
import { Code } from "./code";
import { changesOf, Diff, PATIENCE_MS } from "./diff";
import { JsonTree } from "./json-tree";
import { Log } from "./log";
import { Progress } from "./progress";

let box: HTMLElement;

beforeEach(() => {
  vi.useFakeTimers();
  box = document.createElement("div");
  document.body.append(box);
});

afterEach(() => {
  render(null, box);
  box.remove();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function settled(): Promise<void> {
  await vi.advanceTimersByTimeAsync(50);
}

function button(words: string): HTMLButtonElement | undefined {
  return [...box.querySelectorAll("button")].find((one) => one.textContent?.includes(words));
}

describe("code", () => {
  test("has a line each, and copies as it was written", async () => {
    const copied: string[] = [];
    const writeText = async (text: string) => void copied.push(text);
    vi.stubGlobal("navigator", { clipboard: { writeText } });
    render(<Code text={"a\n\tb\n"} name="x.py" language="python" />, box);
    expect(box.querySelectorAll(".nba-code-line")).toHaveLength(2);
    expect(box.querySelector("pre")?.textContent).toBe("a\n\tb\n");
    expect(box.querySelector<HTMLElement>(".nba-pane")?.getAttribute("aria-label")).toBe(
      "Code, x.py, python, 2 lines",
    );
    button("Copy")?.click();
    await settled();
    expect(copied).toEqual(["a\n\tb\n"]);
    expect(button("Copied")).toBeDefined();
  });

  test("where nothing can be copied says so", async () => {
    vi.stubGlobal("navigator", {});
    render(<Code text="a" name="" language="" />, box);
    button("Copy")?.click();
    await settled();
    expect(button("Not copied")).toBeDefined();
  });

  test("of very many lines shows the first, and the others when asked", async () => {
    render(<Code text={"x\n".repeat(1000)} name="" language="" />, box);
    expect(box.querySelectorAll(".nba-code-line")).toHaveLength(400);
    button("Show all")?.click();
    await settled();
    expect(box.querySelectorAll(".nba-code-line")).toHaveLength(1000);
  });
});

describe("JSON", () => {
  const deep: JsonValue = { a: { b: { c: { d: 1 } } }, many: Array.from({ length: 250 }, () => 0) };

  test("makes what is inside when it is opened", async () => {
    render(<JsonTree value={deep} />, box);
    expect(box.textContent).not.toContain("d: 1");
    expect(box.querySelectorAll("li").length).toBeLessThan(10);
    button("many")?.click();
    await settled();
    expect(button("many")?.getAttribute("aria-expanded")).toBe("true");
    expect(button("Show 100 more of 250")).toBeDefined();
    button("Show 100 more")?.click();
    await settled();
    expect(button("Show 50 more of 250")).toBeDefined();
  });

  test("opens and closes by arrow keys, and goes up and down", async () => {
    render(<JsonTree value={deep} />, box);
    const press = async (key: string) => {
      const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
      document.activeElement?.dispatchEvent(event);
      await settled();
    };
    button("many")?.focus();
    await press("ArrowRight");
    expect(button("many")?.getAttribute("aria-expanded")).toBe("true");
    await press("ArrowLeft");
    expect(button("many")?.getAttribute("aria-expanded")).toBe("false");
    await press("ArrowUp");
    expect(document.activeElement?.textContent).not.toContain("many");
    await press("ArrowDown");
    expect(document.activeElement?.textContent).toContain("many");
  });

  test("is searched: what holds the words is shown and open, with the way to it", async () => {
    const value = { runs: [{ city: "Oslo" }, { city: "Rome", list: [1, 2, 3] }], ...deep };
    render(<JsonTree value={value} />, box);
    const field = box.querySelector<HTMLInputElement>("[type=search]");
    const write = async (words: string) => {
      if (field) field.value = words;
      field?.dispatchEvent(new Event("input", { bubbles: true }));
      await settled();
    };
    await write("rome");
    expect(box.querySelector("[role=status]")?.textContent).toBe("1 found");
    expect(box.textContent).toContain('city"Rome"');
    expect(box.textContent).not.toContain("Oslo");
    await write("nowhere");
    expect(box.textContent).toContain("Nothing here holds these words.");
    field?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    await settled();
    expect(box.textContent).toContain("many");
  });

  test("gives the path and the value of the entry that one went to", async () => {
    const wrote = vi.fn(async (_text: string) => {});
    vi.stubGlobal("navigator", { clipboard: { writeText: wrote } });
    render(<JsonTree value={{ runs: [{ "a b": "Oslo" }] }} />, box);
    box.querySelectorAll<HTMLElement>("[data-entry]")[2]?.focus();
    await settled();
    expect(box.querySelector(".nba-json-path")?.textContent).toBe('["runs"][0]["a b"]');
    button("Copy path")?.click();
    button("Copy value")?.click();
    await settled();
    expect(wrote.mock.calls.map(([text]) => text)).toEqual(['["runs"][0]["a b"]', "Oslo"]);
    vi.unstubAllGlobals();
  });

  test("opens and closes all of it, but of what is huge only the beginning", async () => {
    render(<JsonTree value={{ ...deep, huge: [Array.from({ length: 5000 }, () => [1])] }} />, box);
    button("Open all")?.click();
    await settled();
    expect(box.textContent).toContain("d1");
    expect(box.querySelectorAll("li").length).toBeLessThan(1000);
    button("Close all")?.click();
    await settled();
    expect(box.querySelectorAll("li")).toHaveLength(3);
  });

  test("writes fractions as a person does, and keeps the others beside them", () => {
    render(<JsonTree value={{ sum: 0.1 + 0.2, third: 1 / 3, year: 2024, half: 0.5 }} />, box);
    const texts = [...box.querySelectorAll(".nba-json-value")].map((one) => one.textContent);
    expect(texts).toEqual(["0.3", "0.333333333333", "2024", "0.5"]);
    expect(box.querySelector("[title]")?.getAttribute("title")).toBe("0.30000000000000004");
  });

  test("keeps open what was opened when the value is replaced", async () => {
    render(<JsonTree value={{ list: Array.from({ length: 20 }, (_, at) => at) }} />, box);
    button("list")?.click();
    await settled();
    render(<JsonTree value={{ list: Array.from({ length: 21 }, (_, at) => at) }} />, box);
    await settled();
    expect(button("list")?.getAttribute("aria-expanded")).toBe("true");
    expect(box.textContent).toContain("21 items");
  });

  test("is text, whatever its keys and values are", () => {
    const html = "<img src=x onerror=harm()>";
    render(<JsonTree value={{ [html]: html, __proto__: { toString: html } }} />, box);
    expect(box.querySelector("img")).toBeNull();
    expect(box.textContent).toContain(html);
  });

  test("that is no object is one value", () => {
    render(<JsonTree value={"a"} />, box);
    expect(box.querySelector(".nba-json-value")?.textContent).toBe('"a"');
  });
});

describe("a log", () => {
  const lines = Array.from({ length: 2000 }, (_, at) => ({
    level: at % 10 ? "INFO" : "ERROR",
    text: `line ${at}`,
  }));
  const levels = ["ERROR", "INFO"];

  test("shows its end, with levels in words", () => {
    render(<Log lines={lines} levels={levels} />, box);
    const drawn = [...box.querySelectorAll(".nba-log-line")];
    expect(drawn).toHaveLength(500);
    expect(drawn.at(-1)?.textContent).toBe("INFO line 1999\n");
    expect(box.textContent).toContain("Show earlier lines (1,500)");
  });

  test("is filtered by words and by level, and says how many lines are left", async () => {
    render(<Log lines={lines} levels={levels} />, box);
    const [words, level] = [box.querySelector("input"), box.querySelector("select")];
    if (!words || !level) throw new Error("no filters");
    words.value = "line 199";
    words.dispatchEvent(new Event("input", { bubbles: true }));
    await settled();
    expect(box.textContent).toContain("Log · 11 of 2,000 lines");
    level.value = "ERROR";
    level.dispatchEvent(new Event("change", { bubbles: true }));
    await settled();
    expect([...box.querySelectorAll(".nba-log-line")].map((one) => one.textContent)).toEqual([
      "ERROR line 1990\n",
    ]);
    words.value = "nothing";
    words.dispatchEvent(new Event("input", { bubbles: true }));
    await settled();
    expect(box.textContent).toContain("No such line");
  });

  test("of few lines needs no filter", () => {
    render(<Log lines={lines.slice(0, 3)} levels={levels} />, box);
    expect(box.querySelector("input")).toBeNull();
  });

  test("follows its end while the reader is there, and leaves one alone who reads above", async () => {
    render(<Log lines={lines.slice(0, 50)} levels={levels} />, box);
    const pane = box.querySelector<HTMLElement>(".nba-pane");
    if (!pane) throw new Error("no pane");
    Object.defineProperties(pane, {
      scrollHeight: { value: 900, configurable: true },
      clientHeight: { value: 300 },
    });
    render(<Log lines={lines.slice(0, 51)} levels={levels} />, box);
    await settled();
    expect(pane.scrollTop).toBe(900);
    pane.scrollTop = 10;
    pane.dispatchEvent(new Event("scroll"));
    render(<Log lines={lines.slice(0, 52)} levels={levels} />, box);
    await settled();
    expect(pane.scrollTop).toBe(10);
  });
});

test("progress is the same bar when it goes on", () => {
  render(<Progress fraction={0.3} words="Reading: 30%" isDone={false} />, box);
  const bar = box.querySelector("progress");
  expect(bar?.value).toBe(0.3);
  render(<Progress fraction={0.5} words="Reading: 50%" isDone={false} />, box);
  expect(box.querySelector("progress")).toBe(bar);
  expect(bar?.value).toBe(0.5);
  render(<Progress fraction={null} words="Waiting" isDone={false} />, box);
  expect(box.querySelector("progress")?.hasAttribute("value")).toBe(false);
});

describe("a diff", () => {
  test("has signs, and says in words how much changed", () => {
    render(<Diff before={"a\nb\nc"} after={"a\nB\nc\nd\n"} name="x.txt" />, box);
    expect(box.textContent).toContain("x.txt2 lines added, 1 removed");
    expect([...box.querySelectorAll("ins")].map((one) => one.textContent)).toEqual([
      "+B\n",
      "+d\n",
    ]);
    expect(box.querySelector("del")?.textContent).toBe("-b\n");
  });

  test("of equal texts says that no line differs", () => {
    render(<Diff before={"a"} after={"a\n"} name="" />, box);
    expect(box.textContent).toBe("No line differs");
  });

  test("of texts that take too long is given up", () => {
    const noise = (seed: number) =>
      Array.from({ length: 40_000 }, (_, at) => (at * seed) % 7919).join("\n");
    let now_ms = 0;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => now_ms++); // a look takes 1 ms
    const changes = changesOf(noise(31), noise(37));
    clock.mockRestore();
    expect(changes).toBeNull();
    expect(now_ms).toBeGreaterThan(PATIENCE_MS);
    expect(now_ms).toBeLessThan(PATIENCE_MS + 10);
  });
});
