import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { drawn, FakePage } from "../run-view/fake-page";
import { Sample } from "../sample-run";
import type { JsonValue } from "../tree";

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

const HARM = '"><img src=x onerror="globalThis.harm=1"><script>globalThis.harm=1</script>';
const LINK = "javascript:globalThis.harm=1";

const VALUES: [string, JsonValue][] = [
  ["markdown", { text: `${HARM} [a](${LINK})` }],
  ["code", { text: HARM, filename: HARM, language: HARM }],
  ["json", { value: { [HARM]: { [HARM]: [HARM, LINK] } } }],
  ["log", { lines: Array.from({ length: 9 }, () => ({ level: HARM, text: HARM })), level: HARM }],
  ["progress", { value: 1, max: 2, label: HARM }],
  ["diff", { before: HARM, after: `${HARM}\n${HARM}`, name: HARM }],
  ["file", { name: HARM, media_type: HARM, data: HARM }],
  ["image", { media_type: "image/png", data: HARM, alt: HARM }],
  ["mime", { data: { "text/html": HARM, "text/plain": HARM } }],
  ["mime", { data: { "image/svg+xml": HARM } }],
  ["cut", { of: HARM, note: HARM, head: HARM }],
  ["constructor", { text: HARM }],
  ["__proto__", { text: HARM }],
];

test.each(VALUES)("whatever stands in a payload of kind %s, it stays text", async (kind, value) => {
  const { el } = page.view();
  const payload = { kind, version: 1, audience: "timeline", value } as const;
  const sample = new Sample().start().tool("c1");
  await page.tell(sample.add("tool_data", { tool_call_id: "c1", payload_id: "p", payload }));
  for (const closed of el.querySelectorAll<HTMLElement>("[aria-expanded=false]")) closed.click();
  await drawn();
  expect(el.querySelector("script, [onerror], a[href^='javascript']")).toBeNull();
  const sources = [...el.querySelectorAll("img")].map((image) => image.getAttribute("src") ?? "");
  expect(sources.every((source) => source.startsWith("data:image/"))).toBe(true);
  for (const frame of el.querySelectorAll("iframe")) {
    expect(frame.getAttribute("sandbox")).toBe("");
    expect(frame.getAttribute("srcdoc")).not.toMatch(/<script|onerror/);
  }
});
