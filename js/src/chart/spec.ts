/**
 * A chart as a tool gave it, made ready to be drawn: data in its place, a width, and nothing that
 * reaches beyond the chart.
 */
import { isRecord } from "../bridge";
import type { JsonValue } from "../tree";

type Fields = Record<string, unknown>;

export interface ChartValue {
  /** Vega-Lite, with its data inside. */
  spec: Fields;
  /** Whether its width follows that of its place. */
  isResponsive: boolean;
  /** Whether it paints its own background, which may be of any colour. */
  hasBackground: boolean;
  /** How words below its columns are turned, in degrees: short ones stand upright. */
  labelAngle: number;
}

const PARTS = ["layer", "hconcat", "vconcat", "concat"];
const DISCRETE = ["nominal", "ordinal"];
/** A generator may not make more rows than this: it would stop the page. */
const MOST_ROWS = 200_000;
/** Characters that fit below a column. */
const UPRIGHT = 5;
const SLOPED = -40;

/**
 * A copy of the chart that a payload's value describes.
 *
 * Throws where it is none, with words for a person.
 */
export function chartFrom(value: JsonValue): ChartValue {
  if (!isRecord(value) || !isRecord(value.spec))
    throw new Error("a chart is {spec: a Vega-Lite specification, data: its rows}");
  const given: Fields = structuredClone(value.spec);
  if (/\/vega\/v\d/.test(String(given.$schema)))
    throw new Error("this is a specification of Vega, and charts are written in Vega-Lite");
  checkSize(given);
  const rows = Array.isArray(value.data) ? structuredClone(value.data) : null;
  const { usermeta: _, ...filled } = withData(given, rows);
  const spec: Fields = { description: titleOf(given), ...filled };
  const isResponsive = isSingle(spec) && wantsWidth(spec);
  return {
    spec: isResponsive ? { autosize: { type: "fit", contains: "padding" }, ...spec } : spec,
    isResponsive,
    hasBackground: paints(spec) || (isRecord(spec.config) && paints(spec.config)),
    labelAngle: longestLabel(spec) <= UPRIGHT ? 0 : SLOPED,
  };
}

/** What a chart is called for those who do not see it, where it has no description. */
function titleOf({ title }: Fields): string {
  const text = isRecord(title) ? title.text : title;
  const lines = Array.isArray(text) ? text.join(" ") : text;
  return typeof lines === "string" && lines ? lines : "Chart";
}

function paints({ background }: Fields): boolean {
  return typeof background === "string" && background !== "transparent";
}

/** Rows in their place instead of by name: names made from contents would change with them. */
function withData(spec: Fields, rows: unknown[] | null): Fields {
  const sets: Fields = isRecord(spec.datasets) ? spec.datasets : {};
  const used = new Set<string>();
  const place = (data: unknown): unknown => {
    if (!isRecord(data) || typeof data.name !== "string") return data;
    if (data.values !== undefined || !Object.hasOwn(sets, data.name)) return data;
    used.add(data.name);
    const { name: _, ...rest } = data;
    return { ...rest, values: sets[data.name] };
  };
  const fill = (part: Fields): Fields => {
    const filled: Fields = { ...part };
    if (part.data !== undefined) filled.data = place(part.data);
    for (const key of PARTS) {
      const parts = part[key];
      if (Array.isArray(parts)) filled[key] = parts.map((one) => (isRecord(one) ? fill(one) : one));
    }
    if (isRecord(part.spec)) filled.spec = fill(part.spec);
    if (Array.isArray(part.transform)) filled.transform = part.transform.map(fillLookup);
    return filled;
  };
  const fillLookup = (step: unknown): unknown =>
    isRecord(step) && isRecord(step.from)
      ? { ...step, from: { ...step.from, data: place(step.from.data) } }
      : step;
  const format = isRecord(spec.data) ? spec.data.format : undefined;
  const { datasets: _, ...filled } = fill(spec);
  const others = Object.entries(sets).filter(([name]) => !used.has(name));
  if (others.length && !rows) filled.datasets = Object.fromEntries(others);
  if (rows) filled.data = format === undefined ? { values: rows } : { values: rows, format };
  return filled;
}

/** Whether it is one drawing, not several beside one another. */
function isSingle(spec: Fields): boolean {
  const { encoding } = spec;
  if (spec.mark === undefined && !Array.isArray(spec.layer)) return false;
  return !isRecord(encoding) || ["row", "column", "facet"].every((one) => !(one in encoding));
}

/** Whether nobody said how wide it is; columns of words are as wide as they need to be. */
function wantsWidth(spec: Fields): boolean {
  if (spec.width === "container") return true;
  if (spec.width !== undefined) return false;
  const layers = Array.isArray(spec.layer) ? spec.layer.filter(isRecord) : [];
  return ![spec, ...layers].some(({ encoding }) => isRecord(encoding) && isDiscrete(encoding.x));
}

function isDiscrete(channel: unknown): boolean {
  if (!isRecord(channel)) return false;
  if (typeof channel.type === "string") return DISCRETE.includes(channel.type);
  const computed = ["aggregate", "bin", "timeUnit"].some((one) => one in channel);
  return typeof channel.field === "string" && !computed;
}

function longestLabel({ data, encoding }: Fields): number {
  const x = isRecord(encoding) && isRecord(encoding.x) ? encoding.x.field : null;
  const rows = isRecord(data) && Array.isArray(data.values) ? data.values : [];
  if (typeof x !== "string" || !rows.length) return Number.POSITIVE_INFINITY;
  return rows.reduce((most, row) => Math.max(most, isRecord(row) ? String(row[x]).length : 0), 0);
}

function checkSize(part: unknown): void {
  if (Array.isArray(part)) for (const one of part) checkSize(one);
  if (!isRecord(part)) return;
  const { sequence } = part;
  if (isRecord(sequence)) {
    const { start = 0, stop, step = 1 } = sequence;
    if (!(Math.abs((Number(stop) - Number(start)) / Number(step)) <= MOST_ROWS))
      throw new Error(`it would make more than ${MOST_ROWS.toLocaleString("en-US")} rows`);
  }
  for (const [key, one] of Object.entries(part)) if (key !== "values") checkSize(one);
}
