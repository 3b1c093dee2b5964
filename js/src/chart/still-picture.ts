/**
 * The chart of a notebook that nobody vouches for: a picture, drawn in a worker within a time.
 *
 * A specification can ask for work without end, at once or when the pointer comes. On the page it
 * would take the page with it; a worker is ended, and a picture answers no pointer.
 */

import { reasonOf } from "../bridge";
import { addSheet } from "../page";
import type { JsonValue } from "../tree";
import css from "./chart.css";

/** So long one chart may be drawn, from when its worker can begin. */
export const BUDGET_MS = 4_000;
/** A browser takes long to show a larger drawing, and that it does on the page. */
const MOST_CHARACTERS = 2_000_000;
const TOO_LONG = `it was not drawn within ${BUDGET_MS / 1000} s`;
const HINT = "A picture, since this notebook is not trusted.";

/** What a worker says: that it hears, and what came of a chart. */
export type FromWorker = { ready: true } | { svg: string; name: string } | { problem: string };

/** What a worker is, as far as it is used here. */
export interface Drawer {
  postMessage(value: JsonValue): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

export class StillFrame {
  readonly #box = document.createElement("figure");
  readonly #words = document.createElement("figcaption");
  #newest = 0;
  drawn: Promise<void>;

  constructor(el: HTMLElement, value: JsonValue, signal: AbortSignal, make = makeWorker) {
    this.#box.className = "nba-chart";
    this.#words.textContent = "Drawing…";
    this.#box.append(this.#words);
    el.append(this.#box);
    addSheet(this.#box, "chart", css);
    signal.addEventListener("abort", () => {
      this.#newest = -1;
      this.#box.remove();
    });
    this.#make = make;
    this.drawn = this.#draw(value);
  }

  readonly #make: () => Drawer;

  update(value: JsonValue): void {
    this.drawn = this.#draw(value);
  }

  async #draw(value: JsonValue): Promise<void> {
    this.#newest += 1;
    const own = this.#newest;
    const isWanted = () => own === this.#newest;
    try {
      const { svg, name } = await inTurn(() => (isWanted() ? drawApart(value, this.#make) : GONE));
      if (isWanted()) this.#show(svg, name);
    } catch (reason) {
      if (!isWanted()) return;
      this.#box.replaceChildren(this.#words);
      this.#words.textContent = `This chart could not be drawn: ${reasonOf(reason)}`;
    }
  }

  #show(svg: string, name: string): void {
    const image = new Image();
    image.alt = name === "Chart" ? "Chart" : `Chart: ${name}`;
    image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
    this.#words.textContent = HINT;
    this.#box.replaceChildren(image, this.#words);
  }
}

interface Drawn {
  svg: string;
  name: string;
}

const GONE: Drawn = { svg: "", name: "" };
let last: Promise<unknown> = Promise.resolve();

/** One chart after the other: many that never end take one core, and not all. */
function inTurn(act: () => Drawn | Promise<Drawn>): Promise<Drawn> {
  const own = last.then(act);
  last = own.catch(() => {});
  return own;
}

/** Draw a chart in a worker of its own; rejects with what kept it from being drawn. */
function drawApart(value: JsonValue, make: () => Drawer): Promise<Drawn> {
  const worker = make();
  const drawn = new Promise<Drawn>((done, failed) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    worker.onerror = ({ message }) => failed(new Error(message || "its worker failed"));
    worker.onmessage = ({ data }) => {
      if ("ready" in data) {
        timer = setTimeout(() => failed(new Error(TOO_LONG)), BUDGET_MS);
        worker.postMessage(value);
        return;
      }
      clearTimeout(timer);
      if ("problem" in data) failed(new Error(data.problem));
      else if (data.svg.length > MOST_CHARACTERS)
        failed(new Error(`its drawing has ${data.svg.length.toLocaleString("en")} characters`));
      else done(data);
    };
  });
  return drawn.finally(() => worker.terminate());
}

/** This module once more, apart from the page; see `answerInWorker`. */
function makeWorker(): Drawer {
  return new Worker(import.meta.url, { type: "module", name: "nbagents chart" });
}

/** Where this module is a worker's: draw the chart that it is given. */
export function answerInWorker(
  draw: (value: JsonValue) => Promise<{ svg: string; name: string }>,
): void {
  const { document, postMessage } = globalThis as { document?: unknown } & Pick<
    Worker,
    "postMessage"
  >;
  if (document !== undefined || typeof postMessage !== "function") return;
  const tell = (said: FromWorker) => postMessage(said);
  globalThis.addEventListener("message", ({ data }: MessageEvent<JsonValue>) => {
    draw(data).then(tell, (reason) => {
      tell({ problem: reasonOf(reason) });
    });
  });
  tell({ ready: true });
}
