/** A chart's colours and letters, on a light page and on a dark one. */
import type { Config } from "vega-lite";

export type Theme = "light" | "dark";

const PAPER = {
  strong: "#1f1f1f",
  weak: "#555555",
  line: "#e4e4e4",
  axis: "#999999",
  marks: [
    ...["#3b76b5", "#e07b1f", "#c9474b", "#4a9d94", "#4f9a47", "#c9a227"],
    ...["#96649c", "#e08393", "#8f6a52", "#8b8480"],
  ],
};
const NIGHT = {
  strong: "#e4e4e6",
  weak: "#b4b4b8",
  line: "#3c3c40",
  axis: "#77777c",
  marks: [
    ...["#7ab0e6", "#f2a65e", "#ec8a8c", "#86cbc3", "#8cc783", "#e6cd6e"],
    ...["#c9a0cd", "#f2b3bf", "#c3a48f", "#c2bcb8"],
  ],
};
const FONT = "system-ui, sans-serif";

/** What a chart looks like where it says nothing itself. */
export function configFor(theme: Theme, labelAngle: number, font = FONT): Config {
  const { strong, weak, line, axis, marks } = theme === "dark" ? NIGHT : PAPER;
  return {
    aria: false, // one picture with a name: nobody listens to three thousand points
    background: "transparent",
    font,
    mark: { ...(marks[0] && { color: marks[0] }), tooltip: { content: "encoding" } },
    range: { category: marks },
    view: { stroke: "transparent", continuousHeight: 240, discreteWidth: { step: 36 } },
    axisXBand: { labelAngle },
    axisXPoint: { labelAngle },
    title: { color: strong, fontSize: 14, fontWeight: 600, anchor: "start", subtitleColor: weak },
    style: { "guide-label": { fill: weak, fontSize: 11 }, "guide-title": { fill: weak } },
    axis: {
      domainColor: axis,
      gridColor: line,
      tickColor: axis,
      titleFontSize: 12,
      titleFontWeight: 400,
    },
    legend: { titleFontSize: 12, titleFontWeight: 600, titleColor: weak, labelColor: weak },
    header: { labelColor: weak, titleColor: weak },
    text: { color: strong },
    rule: { color: axis },
  };
}
