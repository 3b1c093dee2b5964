/**
 * What was edited in step mode, in words; `nbagents/runs/wording/edits.py` says the same, and both pass
 * `tests/fixtures/edits.json`.
 */
import type { EditNode } from "../tree";
import { clipped } from "./words";

const WIDTH = 120;

/** What somebody made other than it was: `step 2: you changed message 2 (tool): 4 → 5`. */
export function editInWords(edit: EditNode): string {
  return `step ${edit.step}: ${edit.by} ${did(edit)}`;
}

function did({ what, place, role, call_id, before, after }: EditNode): string {
  switch (what) {
    case "message": {
      const which = `message ${place} (${role})`;
      if (before === null) return `added ${which}: ${clipped(after ?? "", WIDTH)}`;
      if (after === null) return `dropped ${which}: ${clipped(before, WIDTH)}`;
      return `changed ${which}: ${clipped(before, WIDTH)} → ${clipped(after, WIDTH)}`;
    }
    case "answer":
      return "answered in the model's place";
    case "skip":
      return call_id === null ? "did not ask the model" : "skipped it: it was not made";
    case "result":
      return "gave the result: it was not made";
    case "arguments":
      return "changed the arguments";
  }
}
