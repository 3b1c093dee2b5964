/**
 * What a call prints, piece by piece. However much there is already, a piece costs what it is long:
 * only the last line is read again, and only where something goes back on it.
 *
 * @module
 */
import { written } from "./terminal";
import type { CallNode } from "./tree";

type Output = CallNode["output"][number];

/** A text in two: `text` is both joined. */
interface Tail {
  before: string;
  line: string;
  /** Whether the last line is being written over. */
  isReturned: boolean;
}

const tails = new WeakMap<Output, Tail>();

/** Put a piece behind what a call of ours has printed. */
export function addOutput(call: CallNode, { stream, text }: Output): void {
  const last = call.output.at(-1);
  const goesOn = last?.stream === stream;
  const tail = longer(goesOn ? (tails.get(last) ?? tailOf(last.text)) : tailOf(""), text);
  const node = { stream, text: tail.before + tail.line };
  tails.set(node, tail);
  call.output.splice(goesOn ? -1 : call.output.length, 1, node);
}

function longer({ before, line, isReturned }: Tail, more: string): Tail {
  if (isReturned || more.includes("\r")) {
    const { before: ended, line: last, isReturned: isNow } = tailOf(written(line, more));
    return { before: before + ended, line: last, isReturned: isNow };
  }
  const ends = more.lastIndexOf("\n") + 1;
  if (!ends) return { before, line: line + more, isReturned };
  return { before: before + line + more.slice(0, ends), line: more.slice(ends), isReturned };
}

function tailOf(text: string): Tail {
  const begins = text.lastIndexOf("\n") + 1;
  const line = text.slice(begins);
  return { before: text.slice(0, begins), line, isReturned: line.includes("\r") };
}
