/**
 * One chart in its box: drawn, drawn anew where it changed, or given other data where only those did.
 */
import { changeset, type Data, parse, read, type Spec, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile, type TopLevelSpec } from "vega-lite";
import { isRecord, reasonOf } from "../bridge";
import type { JsonValue } from "../tree";
import { configFor, type Theme } from "./colours";
import { confined, refusingLoader } from "./guard";
import { type ChartValue, chartFrom } from "./spec";
import type { Tooltip } from "./tooltip";

const LEAST_PX = 160;
const MOST_PX = 640;
/** The width of a picture, and of a chart whose place has none yet. */
const USUAL_PX = 560;
const PAPER = "#ffffff";

interface Place {
  /** What the chart is drawn into; nothing else stands there. */
  el: HTMLElement;
  theme: Theme;
  font: string;
  tooltip: Tooltip;
  /** An address that the chart wanted, and was not given. */
  refused(address: string): void;
}

export class Drawing {
  readonly #place: Place;
  readonly #chart: ChartValue;
  readonly #form: string;
  readonly #view: View;
  #problem = "";

  private constructor(place: Place, chart: ChartValue) {
    this.#place = place;
    this.#chart = chart;
    const spec = compiled(
      chart,
      chart.hasBackground ? "light" : place.theme,
      place.font,
      this.#width,
    );
    this.#form = formOf(spec);
    this.#view = viewOf(spec, place, (problem) => {
      this.#problem ||= problem;
    });
  }

  /** Draw a chart; throws, in words, what keeps it from being drawn. */
  static async of(value: JsonValue, place: Place): Promise<Drawing> {
    const drawing = new Drawing(place, chartFrom(value));
    try {
      await drawing.#view.initialize(place.el).runAsync();
      drawing.#check();
      name(place.el, drawing.#chart.spec.description);
    } catch (reason) {
      drawing.close();
      throw reason;
    }
    return drawing;
  }

  /** Take over other data; whether that was all that changed. */
  async take(value: JsonValue): Promise<boolean> {
    const { hasBackground } = this.#chart;
    const theme = hasBackground ? "light" : this.#place.theme;
    const spec = compiled(chartFrom(value), theme, this.#place.font, this.#width);
    if (formOf(spec) !== this.#form) return false;
    for (const data of dataOf(spec)) {
      if (!("values" in data) || !Array.isArray(data.values)) continue;
      const { format } = data;
      const form = format && !("signal" in format) ? format : { type: "json" as const };
      const rows = read(JSON.stringify(data.values), form);
      this.#view.change(
        data.name,
        changeset()
          .remove(() => true)
          .insert(rows),
      );
    }
    await this.#view.runAsync();
    this.#check();
    return true;
  }

  /** Be as wide as the place is now. */
  async fit(): Promise<void> {
    if (!this.#chart.isResponsive || this.#view.width() === this.#width) return;
    await this.#view.width(this.#width).runAsync();
  }

  close(): void {
    this.#view.finalize();
  }

  get #width(): number {
    const { clientWidth } = this.#place.el;
    return clientWidth ? Math.max(LEAST_PX, Math.min(clientWidth, MOST_PX)) : USUAL_PX;
  }

  #check(): void {
    if (this.#problem) throw new Error(this.#problem);
  }
}

/** A chart on paper as SVG, for a notebook that is read without a page's code, and what it is called. */
export async function drawnOnPaper(value: JsonValue): Promise<{ svg: string; name: string }> {
  const chart = chartFrom(value);
  const spec = compiled(chart, "light", undefined, USUAL_PX);
  const background = chart.hasBackground ? spec.background : PAPER;
  const view = viewOf({ ...spec, background: background ?? PAPER }, null, () => {});
  try {
    return { svg: await view.toSVG(), name: String(chart.spec.description) };
  } finally {
    view.finalize();
  }
}

/** One picture with a name; what can be set beside it keeps its own. */
function name(el: HTMLElement, description: unknown): void {
  for (const attribute of ["role", "aria-roledescription", "aria-label"])
    el.removeAttribute(attribute);
  const svg = el.querySelector("svg");
  svg?.setAttribute("role", "img");
  svg?.setAttribute("aria-label", description === "Chart" ? "Chart" : `Chart: ${description}`);
}

function compiled(chart: ChartValue, theme: Theme, font: string | undefined, width: number): Spec {
  const sized = chart.isResponsive ? { ...chart.spec, width } : chart.spec;
  if (!isTopLevel(sized)) throw new Error("the specification is no object");
  const config = configFor(theme, chart.labelAngle, font);
  return confined(compile(sized, { config, logger: SILENT }).spec);
}

function viewOf(spec: Spec, place: Place | null, failed: (why: string) => void): View {
  // `ast`: expressions are walked by an interpreter; no code is made from a chart's text
  const runtime = parse(spec, undefined, { ast: true });
  return new View(runtime, {
    expr: expressionInterpreter,
    loader: refusingLoader((address) => place?.refused(address)),
    logger: { ...SILENT, error: (...said) => silenced(() => failed(said.map(reasonOf).join(" "))) },
    renderer: place ? "svg" : "none",
    hover: place !== null,
    ...(place && { tooltip: (_, event, _item, value) => place.tooltip.show(event, value) }),
  });
}

/** What a chart is but for its rows. */
function formOf(spec: Spec): string {
  const data = dataOf(spec).map((one) => ({ ...one, values: null }));
  return JSON.stringify({ ...spec, data });
}

function dataOf(spec: Spec): Data[] {
  return spec.data ?? [];
}

function isTopLevel(value: unknown): value is TopLevelSpec {
  return isRecord(value);
}

function silenced<T>(act: () => T) {
  act();
  return SILENT;
}

/** Warnings are for the author of a chart, who is a model or a library here. */
const SILENT = {
  level: () => SILENT,
  error: () => SILENT,
  warn: () => SILENT,
  info: () => SILENT,
  debug: () => SILENT,
};
