/**
 * Formulas drawn by the page around us: JupyterLab's typesetter, MathJax or KaTeX, if it has one. Ours
 * would cost a page more than everything else together, and look unlike the notebook's own.
 */
import { hostOfPage } from "../bridge";
import { isTame } from "./maths";
import { TEX_ATTRIBUTE } from "./patch";

/** Draws one formula, which stands in `el` between its delimiters. */
type Typesetter = (el: HTMLElement, tex: string, isBlock: boolean) => unknown;

/** What pages may have, as far as we use it. */
declare global {
  var MathJax:
    | {
        typesetPromise?(els: HTMLElement[]): Promise<unknown>;
        Hub?: { Queue(...what: unknown[]): unknown };
      }
    | undefined;
  var katex: { render(tex: string, el: HTMLElement, options: object): void } | undefined;
}

/** What says that a formula could not be read. */
const ERRORS = "mjx-merror, .MathJax_Error, .katex-error";
const KATEX = { throwOnError: true, trust: false, strict: "ignore", maxSize: 20, maxExpand: 200 };

/** Have the formulas drawn that were not yet. */
export function typesetIn(el: HTMLElement): void {
  const waiting = [...el.querySelectorAll<HTMLElement>(`[${TEX_ATTRIBUTE}]:not([data-set])`)];
  const typeset = waiting.length ? typesetterOf(el) : null;
  if (!typeset) return;
  for (const one of waiting) {
    one.dataset.set = "";
    if (isTame(one.getAttribute(TEX_ATTRIBUTE) ?? "")) void set(one, typeset);
  }
}

/** In a shadow root no typesetter finds its own styles. */
function typesetterOf(el: HTMLElement): Typesetter | null {
  if (!(el.getRootNode() instanceof Document)) return null;
  const { typeset } = hostOfPage();
  if (typeset) return (one) => typeset(one);
  const { MathJax, katex } = globalThis;
  if (katex) return (one, tex, displayMode) => katex.render(tex, one, { ...KATEX, displayMode });
  if (MathJax?.typesetPromise) return (one) => MathJax.typesetPromise?.([one]);
  const hub = MathJax?.Hub;
  return hub ? (one) => queued(hub, one) : null;
}

function queued(hub: { Queue(...what: unknown[]): unknown }, el: HTMLElement): Promise<void> {
  return new Promise((done) => hub.Queue(["Typeset", hub, el], () => done()));
}

/** Until it is drawn, and where it cannot be, the formula stands as it was written. */
async function set(el: HTMLElement, typeset: Typesetter): Promise<void> {
  const tex = el.getAttribute(TEX_ATTRIBUTE) ?? "";
  const isBlock = el.classList.contains("nba-math-block");
  const box = document.createElement("span");
  box.textContent = isBlock ? `\\[${tex}\\]` : `\\(${tex}\\)`;
  box.hidden = true;
  el.append(box);
  try {
    await typeset(box, tex, isBlock);
    if (!box.children.length || box.querySelector(ERRORS)) throw new Error(tex);
    el.firstElementChild?.remove();
    box.hidden = false;
  } catch {
    box.remove();
  }
}
