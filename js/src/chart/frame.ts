/**
 * The box of a chart: the drawing, what could not be drawn or fetched in words, and its tooltip.
 */

import { reasonOf } from "../bridge";
import { addSheet, themeOf, watchSize, watchTheme } from "../page";
import type { JsonValue } from "../tree";
import css from "./chart.css";
import type { Theme } from "./colours";
import { Drawing, drawnOnPaper } from "./drawing";
import { useInertRenderer } from "./guard";
import { pictureOf } from "./picture";
import { Tooltip } from "./tooltip";

useInertRenderer();

const ADDRESS_CHARACTERS = 80;
const ADDRESSES = 3;

export class ChartFrame {
  readonly #box = document.createElement("figure");
  readonly #words = document.createElement("figcaption");
  readonly #tooltip: Tooltip;
  readonly #refused = new Set<string>();
  #canvas = document.createElement("div");
  #drawing: Drawing | null = null;
  #value: JsonValue;
  #theme: Theme;
  #work: Promise<void>;

  constructor(el: HTMLElement, value: JsonValue, theme: Theme, signal: AbortSignal) {
    this.#value = value;
    this.#theme = theme;
    this.#box.className = "nba-chart";
    this.#canvas.className = "nba-chart-canvas";
    this.#words.hidden = true;
    this.#box.append(this.#canvas, this.#words);
    el.append(this.#box);
    addSheet(this.#box, "chart", css);
    this.#tooltip = new Tooltip(this.#box);
    this.#work = this.#draw();
    this.#watch(signal);
  }

  /** When all that was asked for is drawn. */
  get drawn(): Promise<void> {
    return this.#work;
  }

  /** Show another chart, or the same with other data. */
  update(value: JsonValue): void {
    this.#value = value;
    this.#then(async () => {
      const isTaken = await this.#drawing?.take(value).catch(() => false);
      if (!isTaken) await this.#draw();
    });
  }

  /** The chart as a picture, to be saved; `null` where there is none. */
  async picture(): Promise<Record<string, JsonValue> | null> {
    await this.#work;
    if (!this.#drawing) return null;
    return pictureOf((await drawnOnPaper(this.#value)).svg);
  }

  #then(act: () => Promise<void>): void {
    this.#work = this.#work.then(act);
  }

  async #draw(): Promise<void> {
    const canvas = document.createElement("div");
    canvas.className = "nba-chart-canvas";
    const before = this.#canvas;
    this.#refused.clear();
    before.after(canvas); // in the page, so that it has a width
    let drawing: Drawing | null = null;
    let problem = "";
    try {
      drawing = await Drawing.of(this.#value, {
        el: canvas,
        theme: this.#theme,
        font: getComputedStyle(this.#box).fontFamily,
        tooltip: this.#tooltip,
        refused: (address) => this.#refuse(address),
      });
    } catch (reason) {
      problem = reasonOf(reason);
      canvas.replaceChildren();
    }
    this.#drawing?.close();
    this.#drawing = drawing;
    before.remove();
    this.#canvas = canvas;
    this.#say(problem);
  }

  #say(problem: string): void {
    const parts = problem ? [`This chart could not be drawn: ${problem}`] : [];
    const refused = [...this.#refused];
    if (refused.length) {
      const named = refused.slice(0, ADDRESSES).map((one) => one.slice(0, ADDRESS_CHARACTERS));
      const more = refused.length > ADDRESSES ? ` and ${refused.length - ADDRESSES} more` : "";
      parts.push(`Not fetched, as charts load nothing: ${named.join(", ")}${more}`);
    }
    this.#words.textContent = parts.join(" · ");
    this.#words.hidden = parts.length === 0;
  }

  #refuse(address: string): void {
    this.#refused.add(address);
    this.#then(async () => this.#say(""));
  }

  /** Follow the width of the place and the colours of the page. */
  #watch(signal: AbortSignal): void {
    const fit = () => this.#then(async () => this.#drawing?.fit());
    const unwatch = watchSize([this.#box], fit);
    watchTheme(() => {
      const theme = themeOf(this.#box);
      if (theme === this.#theme) return;
      this.#theme = theme;
      this.#then(() => this.#draw());
    }, signal);
    // Enter in the only text control of a chart would send its form, and so leave the page
    this.#box.addEventListener("submit", (event) => event.preventDefault(), { signal });
    signal.addEventListener("abort", () => {
      unwatch();
      this.#then(async () => this.#drawing?.close());
      this.#box.remove();
    });
  }
}
