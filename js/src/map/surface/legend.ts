/** What the signs on a map mean: its layers and pins, each of which can be taken off it and put back. */

import type { Layer } from "../paint";
import type { Pin } from "../world";
import { element } from "./pins";
import { keepFromMap } from "./wheel";

/** On a smaller map it would cover what it explains, until somebody opens it. */
const ROOMY_PX = { width: 480, height: 240 };
/** By kind, a path and what it looks like. */
const SIGNS = {
  area: { d: "M1.5 1.5h15v9h-15Z", "fill-opacity": ".25", "stroke-width": "1.5" },
  line: { d: "M1 9 17 3", fill: "none", "stroke-width": "2.5" },
  dot: { d: "M5 6a4 4 0 1 0 8 0a4 4 0 1 0-8 0Z" },
  pin: { d: "M9 13C8 10 4.8 8 4.8 4.2a4.2 4.2 0 0 1 8.4 0C13.2 8 10 10 9 13Z" },
} as const;
type Sign = keyof typeof SIGNS;

const NO_PINS: readonly Pin[] = [];

export class Legend {
  readonly el = document.createElement("div");
  readonly #head = document.createElement("button");
  readonly #list = document.createElement("ul");
  readonly #hidden = new Set<string>();
  readonly #changed: () => void;
  readonly #signal: AbortSignal;
  #hidesPins = false;
  #isOpen: boolean | null = null;
  #shown: readonly [pins: number, layers: readonly Layer[]] = [0, []];

  /** `changed` is told when something is taken off or put back, and when the legend opens. */
  constructor(changed: () => void, signal: AbortSignal) {
    this.#changed = changed;
    this.#signal = signal;
    this.el.className = "nba-map-legend";
    this.el.setAttribute("role", "group");
    this.el.ariaLabel = "Legend";
    this.#head.type = "button";
    this.#head.className = "nba-map-legend-head";
    this.#head.textContent = "Legend";
    this.#head.addEventListener("click", () => this.#open(this.#list.hidden !== false, true), {
      signal,
    });
    keepFromMap(this.el, signal);
    this.el.append(this.#head, this.#list);
  }

  /** The layers that are not taken off. */
  layers(all: readonly Layer[]): readonly Layer[] {
    return this.#hidden.size === 0 ? all : all.filter(({ name }) => !this.#hidden.has(name));
  }

  pins(all: readonly Pin[]): readonly Pin[] {
    return this.#hidesPins ? NO_PINS : all;
  }

  show(pins: readonly Pin[], layers: readonly Layer[]): void {
    // One pin says itself what it is.
    this.el.hidden = layers.length === 0 && pins.length < 2;
    if (this.#shown[0] === pins.length && this.#shown[1] === layers) return;
    this.#shown = [pins.length, layers];
    const rows = layers.map((layer) => this.#layerRow(layer));
    if (pins.length > 0) rows.push(this.#pinRow(pins.length));
    this.#list.replaceChildren(...rows);
  }

  /** Opens by itself where there is room, unless somebody said otherwise. */
  fit(width: number, height: number): void {
    const isRoomy = width >= ROOMY_PX.width && height >= ROOMY_PX.height;
    this.#open(this.#isOpen ?? isRoomy, false);
  }

  #open(isOpen: boolean, byHand: boolean): void {
    if (byHand) this.#isOpen = isOpen;
    this.#list.hidden = !isOpen;
    this.#head.ariaExpanded = String(isOpen);
    if (byHand) this.#changed();
  }

  #layerRow({ name, color, features }: Layer): HTMLElement {
    const kinds = new Set(features.flatMap(({ parts }) => parts.map(({ kind }) => kind)));
    const sign: Sign = kinds.has("area") ? "area" : kinds.has("line") ? "line" : "dot";
    const picture = signPicture(sign, color);
    const toggle = () => !this.#hidden.delete(name) && this.#hidden.add(name);
    return this.#row(name, picture, () => !this.#hidden.has(name), toggle);
  }

  #pinRow(count: number): HTMLElement {
    const toggle = () => {
      this.#hidesPins = !this.#hidesPins;
    };
    const words = count === 1 ? "1 pin" : `${count} pins`;
    return this.#row(words, signPicture("pin"), () => !this.#hidesPins, toggle);
  }

  #row(words: string, picture: SVGElement, isOn: () => boolean, toggle: () => void): HTMLElement {
    const button = document.createElement("button");
    button.type = "button";
    const name = document.createElement("span");
    name.textContent = words;
    button.append(picture, name);
    const say = () => {
      button.ariaPressed = String(isOn());
      button.title = isOn()
        ? "Shown: press to take it off the map"
        : "Taken off the map: press to show it";
    };
    const press = () => {
      toggle();
      say();
      this.#changed();
    };
    button.addEventListener("click", press, { signal: this.#signal });
    say();
    const row = document.createElement("li");
    row.append(button);
    return row;
  }
}

function signPicture(sign: Sign, color?: string): SVGElement {
  const picture = element("svg", { viewBox: "0 0 18 12", "aria-hidden": "true" });
  const look = color === undefined ? { class: "nba-map-pin" } : { fill: color, stroke: color };
  picture.append(element("path", { ...look, ...SIGNS[sign] }));
  return picture;
}
