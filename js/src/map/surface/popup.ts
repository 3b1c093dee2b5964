/** What stands at a feature or pin that was clicked: its name and its properties, as text. */

import { keepFromMap } from "./wheel";

const ROWS_MOST = 12;
const TEXT_MOST = 200;
const TITLES = ["name", "title", "label"];

interface Content {
  readonly title: string;
  readonly rows: readonly (readonly [string, string])[];
}

/** The name of a feature, and what else is said of it; of one without a name, its layer's. */
export function contentOf(properties: Readonly<Record<string, unknown>>, layer: string): Content {
  const said = Object.entries(properties).flatMap(([key, value]) => {
    const words = isPlain(value) ? cut(String(value)) : "";
    return words === "" ? [] : [[cut(key), words] as const];
  });
  const named = TITLES.flatMap((one) => said.filter(([key]) => key.toLowerCase() === one))[0];
  const rows = said.filter((row) => row !== named).slice(0, ROWS_MOST);
  return { title: named?.[1] ?? layer, rows };
}

export class Popup {
  /** Where it stands; `null` while it is closed. */
  at: { lon: number; lat: number } | null = null;
  readonly #box = document.createElement("div");
  readonly #content = document.createElement("div");

  constructor(map: HTMLElement, signal: AbortSignal, dismissed: () => void) {
    this.#box.className = "nba-map-popup";
    this.#box.setAttribute("role", "group");
    this.#box.hidden = true;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "×";
    button.ariaLabel = "Close";
    button.title = "Close";
    this.#content.ariaLive = "polite";
    this.#box.append(button, this.#content);
    map.append(this.#box);
    const dismiss = () => {
      this.close();
      dismissed();
    };
    button.addEventListener("click", dismiss, { signal });
    keepFromMap(this.#box, signal);
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && this.at !== null) dismiss();
    };
    map.addEventListener("keydown", onKey, { signal });
  }

  open(at: { lon: number; lat: number }, { title, rows }: Content): void {
    this.at = at;
    const heading = document.createElement("strong");
    heading.textContent = title;
    const list = document.createElement("dl");
    for (const [key, value] of rows) {
      const [name, words] = [document.createElement("dt"), document.createElement("dd")];
      name.textContent = key;
      words.textContent = value;
      list.append(name, words);
    }
    this.#content.replaceChildren(heading, ...(rows.length > 0 ? [list] : []));
    this.#box.ariaLabel = title;
    this.#box.hidden = false;
  }

  close(): void {
    this.at = null;
    this.#box.hidden = true;
  }

  /** Stand above a point of a map, or below it where there is no room above; and inside the map. */
  place(x: number, y: number, width: number, height: number): void {
    const { offsetWidth: wide, offsetHeight: high } = this.#box;
    if (wide === 0) return; // its cell is out of sight: the page has no room for it just now
    const isOut = x < 0 || y < 0 || x > width || y > height;
    this.#box.style.visibility = isOut ? "hidden" : "visible";
    const left = Math.min(Math.max(4, x - wide / 2), Math.max(4, width - wide - 4));
    const top =
      y - high - 12 >= 4 ? y - high - 12 : Math.min(y + 12, Math.max(4, height - high - 4));
    this.#box.style.left = `${Math.round(left)}px`;
    this.#box.style.top = `${Math.round(top)}px`;
  }
}

function isPlain(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

function cut(text: string): string {
  const letters = [...text];
  return letters.length > TEXT_MOST ? `${letters.slice(0, TEXT_MOST - 1).join("")}…` : text;
}
