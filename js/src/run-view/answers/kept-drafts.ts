/**
 * What somebody has written where a run waits in step mode, kept for as long as the page's tab lives: also
 * where the page is loaded again, or the notebook closed and opened.
 *
 * @module
 */
import { effect } from "@preact/signals";
import type { JsonValue } from "../../tree";
import { isJsonRecord } from "../forms";
import type { Question } from "../state";

/** What can be written down, and had again. */
interface Kept {
  readonly kept: JsonValue;
  restore(kept: JsonValue | undefined): void;
}

/** A run waits at one step at a time: what is kept of an earlier one gives way. */
function keyOf({ run }: Question): string {
  return `nbagents.step.${run.id}`;
}

/** What it was written about: a run that is repeated may have the same ids, and say something else. */
function aboutOf({ node: { id, pause } }: Question): string {
  const told = pause?.messages.map(({ text }) => text.length) ?? [];
  return JSON.stringify([id, pause?.of, pause?.step, told, pause?.calls.map((one) => one.id)]);
}

/** Have what was written here before, and keep what is written from now on. */
export function keepDrafts(question: Question, parts: Readonly<Record<string, Kept>>): void {
  const key = keyOf(question);
  const about = aboutOf(question);
  const known = read(key);
  const drafts = isJsonRecord(known) && known.about === about ? known.drafts : null;
  for (const [name, one] of Object.entries(parts)) {
    one.restore(isJsonRecord(drafts) ? drafts[name] : undefined);
  }
  effect(() => {
    const now = Object.fromEntries(Object.entries(parts).map(([name, one]) => [name, one.kept]));
    const hasNothing = Object.values(now).every((one) => one === null || isEmpty(one));
    write(key, hasNothing ? null : { about, drafts: now });
  });
}

/** They were sent. */
export function forgetDrafts(question: Question): void {
  write(keyOf(question), null);
}

function isEmpty(value: JsonValue): boolean {
  return Array.isArray(value) && value.length === 0;
}

function read(key: string): JsonValue {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null");
  } catch {
    return null; // a page may forbid it, or somebody else have written there
  }
}

function write(key: string, value: JsonValue): void {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // forbidden, or full: they are kept for as long as the page is, as ever
  }
}
