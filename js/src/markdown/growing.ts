/**
 * What of a text can be shown while more of it comes: nothing that may turn out to be something else.
 *
 * What has only begun (a formula, a link, a fence, the head of a table) is held back until it is whole,
 * or can be nothing any more; what is emphasised, or code in a line, is closed for the time being.
 */
import { mathsIn } from "./maths";

/** Nothing is held back longer than this. */
const MOST_HELD = 200;
const MOST_ADDRESS = 2000;
const MOST_FORMULA = 4000;
/** A dollar before a digit is money more often than not. */
const MOST_AMOUNT = 40;

const FENCE = /^\s*(?:(?:[-*+]|\d+[.)])\s+)*(`{3,}|~{3,})/;
const NEW_PART = /^\s*(?:[-*+]\s|\d+[.)]\s|#{1,6}\s|>|\|)/;
/** A line of which nobody knows yet what it begins: a list, a rule, a heading, a fence. */
const ONLY_SIGNS = /^[ \t]*(?:[-*+=_#>~`:|]+|\d{1,9}[.)]?)[ \t]*$/;
/** An item that may become a task: `- [x]`. */
const TASK = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]?\]?\s*)?$/;
const ROW = /^ {0,3}\|/;
const DELIMITERS = /^[\s|:-]+$/;
const WORD = /[\p{L}\p{N}]/u;

/** The text as far as it can be shown. */
export function settledPart(text: string): string {
  const { at, fence } = lastPart(text);
  if (!fence && ROW.test(text.slice(at))) {
    const shown = withoutHead(text);
    if (shown !== text) return shown;
  }
  const [head, tail] = [text.slice(0, at), text.slice(at)];
  if (fence === FORMULA && tail.length <= MOST_FORMULA) return head;
  if (fence) return head + withoutSigns(tail);
  return head + new Part(withoutSigns(tail)).settled();
}

/** Where the last part begins that may still change, and the fence that is open there. */
function lastPart(text: string): { at: number; fence: string } {
  let at = 0;
  let fence = "";
  let begin = 0;
  while (begin <= text.length) {
    const next = text.indexOf("\n", begin);
    const line = text.slice(begin, next < 0 ? text.length : next);
    const found = fence ? fence : beginsAt(line);
    if (fence && isEnd(line, fence) && next >= 0) [fence, at] = ["", next + 1];
    else if (fence) at = fence === FORMULA ? at : begin;
    else if (found && next >= 0) [fence, at] = [found, found === FORMULA ? begin : next + 1];
    else if (found || isNewPart(line, next >= 0)) at = begin;
    if (next < 0) break;
    begin = next + 1;
  }
  return { at, fence };
}

/** Stands for the fence of a formula: it is held back from its beginning. */
const FORMULA = "$$";
const FORMULA_BEGINS = /^ {0,3}(?:\$\$(?!.*\$\$)|\\\[(?!.*\\\]))/;

function beginsAt(line: string): string {
  return FORMULA_BEGINS.test(line) ? FORMULA : (FENCE.exec(line)?.[1] ?? "");
}

/** A formula ends with its sign, and has no blank line. */
function isEnd(line: string, fence: string): boolean {
  if (fence === FORMULA) return /\$\$|\\\]/.test(line) || !line.trim();
  return FENCE.exec(line)?.[1]?.startsWith(fence) ?? false;
}

function isNewPart(line: string, isWhole: boolean): boolean {
  return NEW_PART.test(line) || (isWhole && !line.trim());
}

function withoutSigns(tail: string): string {
  const line = tail.slice(tail.lastIndexOf("\n") + 1);
  const isOpen = ONLY_SIGNS.test(line) || TASK.test(line) || FENCE.test(line);
  return isOpen ? tail.slice(0, tail.length - line.length) : tail;
}

/** Without the first row of a table, and the line below that: until both are there they are none. */
function withoutHead(text: string): string {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const first = lines.findLastIndex((line) => !ROW.test(line)) + 1;
  const [head, below] = lines.slice(first);
  const isOpen =
    below === undefined ||
    (lines.length === first + 2 && DELIMITERS.test(below) && !text.endsWith("\n"));
  return head !== undefined && isOpen ? [...lines.slice(0, first), ""].join("\n") : text;
}

/** The text of a paragraph, an item or a cell, read from its beginning. */
class Part {
  readonly #text: string;
  /** Emphasis that is open: its sign, and where its words begin. */
  readonly #open: { sign: string; from: number }[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  settled(): string {
    let at = 0;
    while (at < this.#text.length) {
      const next = this.#after(at);
      if (next === null) return this.#closed(at);
      if (typeof next === "string") return this.#closed(this.#text.length, next);
      at = next;
    }
    return this.#closed(at);
  }

  /** Where it goes on after what stands there; `null`: nobody knows; a text: what would close it. */
  #after(at: number): number | string | null {
    switch (this.#text[at]) {
      case "\\":
        return this.#afterBackslash(at);
      case "$":
        return this.#afterDollar(at);
      case "`":
        return this.#afterTicks(at);
      case "[":
        return this.#afterBracket(at);
      case "!":
        return at + 1 === this.#text.length ? null : at + 1;
      case "<":
        return this.#afterAngle(at);
      case "&":
        return /^&#?\w{0,10}$/.test(this.#text.slice(at, at + 13)) ? null : at + 1;
      case "*":
      case "_":
      case "~":
        return this.#afterSign(at);
      default:
        return at + 1;
    }
  }

  #afterBackslash(at: number): number | null {
    const next = this.#text[at + 1];
    if (next === undefined) return null;
    if (next !== "(" && next !== "[") return at + 2;
    return this.#afterMaths(at, MOST_FORMULA);
  }

  #afterDollar(at: number): number | null {
    const before = this.#text[at - 1] ?? "";
    const next = this.#text[at + 1];
    if (WORD.test(before)) return at + 1;
    if (next === undefined) return null;
    if (next === "$") return this.#afterMaths(at, MOST_FORMULA);
    if (/\s/.test(next)) return at + 1;
    if (/[^\\]\$/.test(this.#text.slice(at + 1, at + MOST_FORMULA))) {
      const found = mathsIn(this.#text.slice(at), before);
      const isLast = found && at + found.raw.length === this.#text.length; // a digit may follow
      return isLast ? null : at + (found?.raw.length ?? 1);
    }
    return this.#afterMaths(at, /\d/.test(next) ? MOST_AMOUNT : MOST_HELD);
  }

  #afterMaths(at: number, most: number): number | null {
    const rest = this.#text.slice(at);
    const found = mathsIn(rest, this.#text[at - 1] ?? "");
    if (found) return at + found.raw.length;
    const isAmount = /^\$\d[\d.,]*[kKmMbB]?[,;:]?\s+\p{L}{2,}/u.test(rest);
    return rest.length > most || isAmount || /\n[ \t]*\n/.test(rest) ? at + 1 : null;
  }

  #afterTicks(at: number): number | string | null {
    const ticks = /^`+/.exec(this.#text.slice(at))?.[0] ?? "`";
    const from = at + ticks.length;
    if (from === this.#text.length) return null;
    const rest = this.#text.slice(from);
    const close = [...rest.matchAll(/`+/g)].find(([found]) => found === ticks);
    if (close) return from + close.index + ticks.length;
    const half = /`*$/.exec(rest)?.[0].length ?? 0;
    return half ? null : ticks;
  }

  #afterBracket(at: number): number | null {
    const close = this.#closing(at, "[", "]");
    if (close < 0) return this.#text.length - at > MOST_HELD ? at + 1 : null;
    const next = this.#text[close + 1];
    if (next === undefined) return null;
    if (next !== "(" && next !== "[") return at + 1;
    const end = this.#closing(close + 1, next, next === "(" ? ")" : "]");
    if (end >= 0) return end + 1;
    return this.#text.length - close > MOST_ADDRESS ? at + 1 : null;
  }

  #closing(at: number, open: string, close: string): number {
    let depth = 0;
    for (let place = at; place < this.#text.length; place += 1) {
      const one = this.#text[place];
      if (one === "\\") place += 1;
      else if (one === open) depth += 1;
      else if (one === close) depth -= 1;
      if (depth === 0) return place;
    }
    return -1;
  }

  #afterAngle(at: number): number | null {
    const rest = this.#text.slice(at);
    if (rest.length > 1 && !/^<[a-z/!]/i.test(rest)) return at + 1;
    const end = rest.indexOf(">");
    if (end >= 0) return at + end + 1;
    return rest.length > MOST_HELD ? at + 1 : null;
  }

  #afterSign(at: number): number | null {
    const sign = /^(?:\*+|_+|~+)/.exec(this.#text.slice(at))?.[0] ?? "*";
    const from = at + sign.length;
    const [before, next] = [this.#text[at - 1] ?? " ", this.#text[from]];
    if (next === undefined) return null;
    const top = this.#open.at(-1);
    if (top?.sign === sign && /\S/.test(before)) this.#open.pop();
    else if (/\S/.test(next) && sign.length < 4 && !(sign[0] === "_" && WORD.test(before)))
      this.#open.push({ sign, from });
    return from;
  }

  /** The text up to a place; what is open there is closed. */
  #closed(at: number, code = ""): string {
    let text = this.#text.slice(0, at) + code;
    if (!this.#open.length) return text;
    text = text.trimEnd();
    let close = "";
    for (const { sign, from } of this.#open.toReversed()) {
      if (text.length <= from && !close) text = text.slice(0, from - sign.length).trimEnd();
      else close += sign;
    }
    return text + close;
  }
}
