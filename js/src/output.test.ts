import { expect, test, vi } from "vitest";
import type { AnyEvent } from "./events";
import { TreeFold } from "./fold";
import { Sample } from "./sample-events";
import { written } from "./terminal";
import { entry } from "./tree";

function printed(pieces: string[]): string | undefined {
  const sample = new Sample().start().tool("c1");
  for (const text of pieces) {
    sample.add("tool_output_delta", { tool_call_id: "c1", stream: "stdout", text });
  }
  const folding = new TreeFold();
  for (const event of sample.events) folding.take([event]);
  const run = entry(folding.tree.runs, "run-1");
  return run && entry(run.calls, "c1")?.output[0]?.text;
}

test.each([
  [["a\nb", "c\n", "d"]],
  [["long line ", "that goes on ", "and on\n", "next"]],
  [["10 %\r", "20 %\r", "done\nnext\r", "n"]],
  [["abc\rX", "Y", "\nend"]],
  [["", "\n", "\r\n", "a\r\n"]],
])("pieces are joined as a terminal joins the whole: %j", (pieces) => {
  expect(printed(pieces)).toBe(pieces.reduce((text, more) => written(text, more), ""));
});

test.each([
  ["lines", `${"x".repeat(199)}\n`],
  ["one line", "x".repeat(200)],
  ["a bar that is written over", `${"x".repeat(99)}\r${"y".repeat(98)}\r\n`],
])("of %s each piece is read once, however much there is already", (_, text) => {
  expect(charactersRead(text, 4_000)).toBeLessThan(2.1 * charactersRead(text, 2_000));
});

/** How much of texts is searched while so many pieces are folded. */
function charactersRead(text: string, pieces: number): number {
  const sample = new Sample().start().tool("c1");
  const [first, second] = sample.events;
  if (!first || !second) throw new Error("the sample is empty");
  const events = Array.from({ length: pieces }, (_, at): AnyEvent => {
    const event = { type: "tool_output_delta", tool_call_id: "c1", stream: "stdout", text };
    return { ...second, ...event, seq: at + 2 } as AnyEvent;
  });
  const folding = new TreeFold();
  folding.take([first, second]);
  let read = 0;
  const searched = ["lastIndexOf", "includes", "split"] as const;
  const spies = searched.map((name) => {
    const search = String.prototype[name] as (...given: unknown[]) => unknown;
    return vi.spyOn(String.prototype, name).mockImplementation(function (
      this: string,
      ...given: unknown[]
    ) {
      read += this.length;
      return Reflect.apply(search, this, given) as never;
    });
  });
  for (let at = 0; at < events.length; at += 80) folding.take(events.slice(at, at + 80));
  for (const spy of spies) spy.mockRestore();
  if (read < pieces) throw new Error("nothing was counted");
  return read;
}
