/**
 * A model's Markdown on a page it can do nothing to: no script, style, form, frame or drawing, no address
 * but http, https and mailto, and no picture that would fetch something.
 */
import type { Colours, ProseOptions } from "../bridge";
import { copied } from "./copied";
import { dress } from "./dress";
import { blocksOf } from "./grammar";
import { settledPart } from "./growing";
import { patch } from "./patch";
import { safeNodes } from "./safe";
import { typesetIn } from "./typeset";

/** What stands in an element, block by block. */
interface Standing {
  colours: Colours | null;
  blocks: { html: string; nodes: Node[] }[];
}

const standing = new WeakMap<HTMLElement, Standing>();

/** Show a text in an element that nobody else draws in. Blocks that are what they were are not touched. */
export function prose(el: HTMLElement, text: string, options: ProseOptions): void {
  const known = standing.get(el) ?? begin(el);
  const isKnown = known.colours === options.colours;
  const htmls = blocksOf(options.isGrowing ? settledPart(text) : text);
  const blocks = htmls.map((html, at) => {
    const old = known.blocks[at];
    if (old && isKnown && old.html === html) return old;
    const next = known.blocks.slice(at + 1).find(({ nodes }) => nodes.length)?.nodes[0] ?? null;
    return { html, nodes: patch(el, old?.nodes ?? [], dress(safeNodes(html), options), next) };
  });
  const gone = known.blocks.slice(htmls.length).flatMap(({ nodes }) => nodes);
  for (const node of gone) node.parentNode?.removeChild(node);
  standing.set(el, { colours: options.colours, blocks });
  typesetIn(el);
}

function begin(el: HTMLElement): Standing {
  el.textContent = "";
  el.addEventListener("click", copied);
  return { colours: null, blocks: [] };
}
