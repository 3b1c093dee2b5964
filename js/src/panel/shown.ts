/**
 * What a panel shows: sections of rows, each with what can be done about it. Python decides all words.
 */
import { isRecord, textIn } from "../bridge";
import type { JsonValue } from "../tree";

export interface Act {
  label: string;
  title: string;
  /** What Python is asked to do. */
  asks: JsonValue;
}

export interface Row {
  cells: string[];
  acts: Act[];
}

export interface Section {
  title: string;
  head: string[];
  rows: Row[];
  /** What is said where there are none. */
  empty: string;
}

/** What rows are chosen by; each is a text, empty where it does not matter. */
export interface Filters {
  words: string;
  tool: string;
  status: string;
  cost: string;
}

export interface Shown {
  title: string;
  notes: string[];
  sections: Section[];
  filters: Filters | null;
  /** What may be chosen. */
  tools: string[];
  statuses: string[];
}

/** A panel as it came; `null` where it is none. */
export function shownFrom(value: unknown): Shown | null {
  if (!isRecord(value) || !Array.isArray(value.sections)) return null;
  const filters = isRecord(value.filters) ? value.filters : null;
  return {
    title: textIn(value.title),
    notes: texts(value.notes),
    sections: value.sections.filter(isRecord).map(sectionFrom),
    filters: filters && {
      words: textIn(filters.words),
      tool: textIn(filters.tool),
      status: textIn(filters.status),
      cost: textIn(filters.cost),
    },
    tools: texts(value.tools),
    statuses: texts(value.statuses),
  };
}

function sectionFrom(value: Record<string, unknown>): Section {
  const rows = Array.isArray(value.rows) ? value.rows.filter(isRecord) : [];
  return {
    title: textIn(value.title),
    head: texts(value.head),
    rows: rows.map(({ cells, acts }) => ({
      cells: texts(cells),
      acts: Array.isArray(acts) ? acts.filter(isRecord).map(actFrom) : [],
    })),
    empty: textIn(value.empty),
  };
}

function actFrom(value: Record<string, unknown>): Act {
  const asks = (value.asks ?? null) as JsonValue;
  return { label: textIn(value.label), title: textIn(value.title), asks };
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textIn) : [];
}
