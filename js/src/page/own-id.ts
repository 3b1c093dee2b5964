/**
 * Ids for `aria-controls`, unique on the page. Preact's own begin anew with every view, and a call's
 * id is written by a model.
 */
import { useState } from "preact/hooks";

const PAGE = Math.random().toString(36).slice(2, 7);
let made = 0;

export function useOwnId(): string {
  return useState(() => `nba-${PAGE}-${++made}`)[0];
}
