/**
 * Maths in Markdown: what is between `$` or `$$`, `\(` and `\)`, `\[` and `\]`, and what only looks like
 * it: amounts of money, names of a shell's variables. The twin of
 * `nbagents/notebook/markup/maths.py`; both pass `tests/fixtures/maths.json`.
 */

interface Maths {
  /** As it was written, with its delimiters. */
  raw: string;
  tex: string;
  isBlock: boolean;
}

/** Longer formulas are text: a delimiter was forgotten. */
const MOST_CHARACTERS = 4000;
const BLANK_LINE = /\n[ \t]*\n/;
/** `$5 to 10$`, `$5, or 10$`: an amount and then words. */
const AMOUNT = /^\d[\d.,]*[kKmMbB]?[,;:]?\s+\p{L}{2,}/u;
/**
 * What would act on the page or on the formulas of others: links, styles, ids, definitions that a
 * typesetter keeps. A formula with one of them is shown as it was written.
 */
const ACTIVE =
  /\\(?:[exg]?def|let|futurelet|(?:re)?new(?:command|environment)|providecommand|newtheorem|DeclareMathOperator|DeclarePairedDelimiters?X?(?:pp)?|require|href|url|hyperref|style|class|cssId|data|html[A-Za-z]*|includegraphics|unicode|mmlToken|label|ref|eqref|bbox|texttip|mathtip|toggle|catcode|newcolumntype|definecolor)(?![A-Za-z])/;

/** The formula at the beginning of a text that goes on in a line; `before`: the character before it. */
export function mathsIn(text: string, before = ""): Maths | null {
  if (text.startsWith("\\(")) return between(text, "\\(", "\\)", false);
  if (text.startsWith("\\[")) return between(text, "\\[", "\\]", true);
  if (text.startsWith("$$")) return between(text, "$$", "$$", true);
  return text.startsWith("$") && !/[\p{L}\p{N}$]/u.test(before) ? betweenDollars(text) : null;
}

/** The formula that begins a text and has lines of its own. */
export function mathsBlock(text: string): Maths | null {
  const indent = /^ {0,3}(?=\$\$|\\\[)/.exec(text)?.[0];
  if (indent === undefined) return null;
  const found = mathsIn(text.slice(indent.length));
  if (!found) return null;
  const rest = /^[ \t]*(?:\n+|$)/.exec(text.slice(indent.length + found.raw.length));
  return rest && { ...found, raw: indent + found.raw + rest[0] };
}

/** Whether a formula may be handed to a typesetter. */
export function isTame(tex: string): boolean {
  return !ACTIVE.test(tex);
}

function between(text: string, open: string, close: string, isBlock: boolean): Maths | null {
  const end = text.slice(0, MOST_CHARACTERS).indexOf(close, open.length);
  const tex = end < 0 ? "" : text.slice(open.length, end);
  if (!tex.trim() || BLANK_LINE.test(tex)) return null;
  return { raw: open + tex + close, tex: tex.trim(), isBlock };
}

function betweenDollars(text: string): Maths | null {
  const end = closingDollar(text);
  const tex = text.slice(1, end);
  const isMaths =
    end > 1 &&
    !/^\s|\s$/.test(tex) &&
    !/[\p{L}\p{N}]/u.test(text[end + 1] ?? "") &&
    !BLANK_LINE.test(tex) &&
    !AMOUNT.test(tex);
  return isMaths ? { raw: `$${tex}$`, tex, isBlock: false } : null;
}

function closingDollar(text: string): number {
  const last = Math.min(text.length, MOST_CHARACTERS);
  for (let at = 1; at < last; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "$") return at;
  }
  return -1;
}
