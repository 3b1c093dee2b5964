/**
 * The grammar of answers: GitHub's Markdown with maths, as HTML by blocks. Nothing here is safe yet.
 */
import { Marked, type Token, type Tokens } from "marked";
import { mathsBlock, mathsIn } from "./maths";

/** Stand for formulas on their way through the sanitiser. */
export const TEX = "nba-tex";
export const TEX_BLOCK = "nba-tex-block";

/** Longer texts stand as they were written: a parser could take minutes, and nobody reads so much. */
const MOST_CHARACTERS = 150_000;
const VOID = new Set(["br", "hr", "img", "col", "wbr", "input"]);
const HTML_TAG = /<(\/?)([a-z][a-z0-9]*)\b[^>]*?(\/?)>/gi;
const MATHS_BEGIN = /\$|\\[([]/;
const MATHS_LINE = /(?:^|\n)(?= {0,3}(?:\$\$|\\\[))/;

const marked = new Marked({ gfm: true, async: false });
marked.use({
  renderer: {
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
    code: ({ text, lang = "" }) => {
      const language = /^[^\s{,]*/.exec(lang)?.[0] ?? "";
      return `<pre><code title="${escaped(language)}">${escaped(text)}\n</code></pre>\n`;
    },
  },
  extensions: [
    {
      name: "mathsBlock",
      level: "block",
      start: (text) => {
        const found = MATHS_LINE.exec(text);
        return found ? found.index + found[0].length : undefined;
      },
      tokenizer: (text) => {
        const found = mathsBlock(text);
        return found ? { type: "mathsBlock", ...found } : undefined;
      },
      renderer: ({ tex }) => `<${TEX_BLOCK}>${escaped(String(tex))}</${TEX_BLOCK}>\n`,
    },
    {
      name: "maths",
      level: "inline",
      start: (text) => MATHS_BEGIN.exec(text)?.index,
      tokenizer: (text, tokens) => {
        const found = mathsIn(text, tokens.at(-1)?.raw.at(-1));
        return found ? { type: "maths", ...found } : undefined;
      },
      renderer: ({ tex, isBlock }) => {
        const tag = isBlock ? TEX_BLOCK : TEX;
        return `<${tag}>${escaped(String(tex))}</${tag}>`;
      },
    },
  ],
});

/** The HTML of each block of a text; elements that are written as HTML stay in one piece. */
export function blocksOf(text: string): string[] {
  if (text.length > MOST_CHARACTERS) return [`<pre>${escaped(text)}</pre>`];
  const blocks: string[] = [];
  let depth = 0;
  for (const token of marked.lexer(text)) {
    if (token.type === "space" || token.type === "def") continue;
    const html = marked.parser([token]);
    if (depth > 0) blocks.push((blocks.pop() ?? "") + html);
    else blocks.push(html);
    depth = Math.max(0, depth + opened(token));
  }
  return blocks;
}

/** How many elements a block of HTML leaves open. */
function opened(token: Token): number {
  if (token.type !== "html") return 0;
  let depth = 0;
  for (const [, end, name = "", itself] of (token as Tokens.HTML).raw.matchAll(HTML_TAG)) {
    if (VOID.has(name.toLowerCase()) || itself) continue;
    depth += end ? -1 : 1;
  }
  return depth;
}

const SIGNS: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => SIGNS[sign] ?? sign);
}
