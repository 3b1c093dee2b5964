import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Sample } from "../../sample-run";
import { drawn, FakePage } from "../fake-page";

let page: FakePage;

beforeEach(() => {
  vi.useFakeTimers();
  page = new FakePage();
});

afterEach(() => {
  page.close();
  document.body.replaceChildren();
  vi.useRealTimers();
});

const JSON_ANSWER = '{"city": "Oslo", "days": [1, 2], "id": 9007199254740993}';

async function answered(text: string, isOver: boolean): Promise<HTMLElement> {
  const { el } = page.view();
  const sample = new Sample()
    .start()
    .add("assistant_turn", { step: 1, text, citations: [], calls: [] });
  if (isOver) sample.add("workflow", { phase: "completed", step: 1 });
  await page.tell(sample);
  await drawn();
  const answer = el.querySelector<HTMLElement>(".nba-answer");
  if (!answer) throw new Error("There is no answer.");
  return answer;
}

test("an answer that is JSON is a tree, each number as it is", async () => {
  const answer = await answered(JSON_ANSWER, true);
  expect(answer.querySelector(".nba-json")?.textContent).toContain("9007199254740993");
  expect(answer.querySelector(".nba-markdown")).toBeNull();
});

test("while it grows it is code; what begins like JSON and is none is prose", async () => {
  const half = await answered(JSON_ANSWER.slice(0, 30), false);
  expect(half.querySelector("pre code")?.textContent).toContain('{"city": "Oslo"');
  for (const text of [
    "[1] is a source",
    "{a} is no JSON",
    '"a string"',
    "[the report](https://a.org)",
  ]) {
    const answer = await answered(text, true);
    expect(answer.querySelector(".nba-json"), text).toBeNull();
    expect(answer.classList).toContain("nba-markdown");
  }
});
