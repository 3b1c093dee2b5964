/** What a mark says when somebody points at it: text, never markup. */
import { isRecord } from "../bridge";

const MOST_LINES = 20;
const LONGEST = 200;
const GAP_PX = 12;

/** Shows texts beside the pointer, inside of `box`. */
export class Tooltip {
  readonly #tip = document.createElement("div");
  readonly #box: HTMLElement;

  constructor(box: HTMLElement) {
    this.#box = box;
    this.#tip.className = "nba-chart-tip";
    this.#tip.hidden = true;
    box.append(this.#tip);
  }

  /** Say `value` at the place of an event; nothing for no value. */
  show(at: { clientX: number; clientY: number }, value: unknown): void {
    const lines = linesOf(value);
    this.#tip.hidden = lines.length === 0;
    if (!lines.length) return;
    this.#tip.replaceChildren(
      ...lines.map(([name, text]) => {
        const line = document.createElement("div");
        if (name)
          line.append(Object.assign(document.createElement("b"), { textContent: name }), " ");
        line.append(text);
        return line;
      }),
    );
    this.#place(at);
  }

  #place({ clientX, clientY }: { clientX: number; clientY: number }): void {
    const box = this.#box.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = this.#tip;
    const x = clientX - box.left + GAP_PX;
    const y = clientY - box.top + GAP_PX;
    const left = x + offsetWidth > box.width ? x - offsetWidth - 2 * GAP_PX : x;
    const top = y + offsetHeight > box.height ? y - offsetHeight - 2 * GAP_PX : y;
    this.#tip.style.left = `${Math.max(0, left)}px`;
    this.#tip.style.top = `${Math.max(0, top)}px`;
  }
}

/** The lines of a tooltip: a name and a text each. */
export function linesOf(value: unknown): [name: string, text: string][] {
  if (value === null || value === undefined || value === "") return [];
  if (!isRecord(value) || value instanceof Date) return [["", said(value)]];
  return Object.entries(value)
    .slice(0, MOST_LINES)
    .map(([name, one]) => [clip(name), said(one)]);
}

function said(value: unknown): string {
  if (value instanceof Date) return value.toLocaleString();
  return clip(typeof value === "object" ? (JSON.stringify(value) ?? "") : String(value));
}

function clip(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}
