/** Draws the pins and their labels, as text and never as markup: a model wrote them. */

import type { Pin } from "./position";

const SVG = "http://www.w3.org/2000/svg";
const HEAD = "M0 0C-2.5-5-7-8.6-7-14A7 7 0 0 1 7-14C7-8.6 2.5-5 0 0Z";
const HEIGHT_PX = 22;
const REACH_PX = 9;
const LABEL_MOST = 40;
const CHARACTER_PX = 6.8;

export type Place = (pin: Pin) => { x: number; y: number };

export function pinLayer(): SVGSVGElement {
  const layer = element("svg", { class: "nba-map-pins", "aria-hidden": "true" });
  return layer;
}

export function drawPins(
  layer: SVGSVGElement,
  pins: readonly Pin[],
  place: Place,
  width: number,
): void {
  layer.replaceChildren(...pins.map((pin) => drawn(pin, place(pin), width)));
}

/** The topmost pin whose head is at a point of the view. */
export function pinAt(pins: readonly Pin[], place: Place, x: number, y: number): Pin | null {
  const at = (pin: Pin) => {
    const foot = place(pin);
    return Math.abs(foot.x - x) <= REACH_PX && y <= foot.y + 2 && y >= foot.y - HEIGHT_PX;
  };
  return pins.findLast(at) ?? null;
}

function drawn(pin: Pin, { x, y }: { x: number; y: number }, width: number): SVGElement {
  const group = element("g", { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
  group.append(
    element("path", { class: "nba-map-pin", d: HEAD }),
    element("circle", { class: "nba-map-pin-eye", cy: "-14", r: "2.6" }),
  );
  const label = cut(pin.label);
  if (label === "") return group;
  const turned = x + 11 + CHARACTER_PX * label.length > width && x > width / 2;
  const text = element("text", {
    class: "nba-map-label",
    x: turned ? "-11" : "11",
    y: "-10",
    "text-anchor": turned ? "end" : "start",
  });
  text.textContent = label;
  group.append(text);
  return group;
}

function cut(label: string): string {
  const letters = [...label.replace(/\s+/g, " ").trim()];
  return letters.length > LABEL_MOST
    ? `${letters.slice(0, LABEL_MOST - 1).join("")}…`
    : letters.join("");
}

function element<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
