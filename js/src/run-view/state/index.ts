/**
 * What a page knows of one run: what it was told, what is asked, open and looked for, and its stages.
 */

export { askStatic, kindsOf, moduleOf } from "./kinds";
export { followRun } from "./live-run";
export { callKey, wholeKey } from "./open-rows";
export {
  type Answering,
  askedIn,
  type Question,
  resumeLine,
  shownRunStatus,
  shownStatus,
} from "./questions";
export { type Cut, cameOf, type OfCall, type OfRun, partKey, RunState } from "./run-state";
export { callCount } from "./search";
export type { Stage } from "./stage";
export { type Panel, useView, ViewProvider, ViewState } from "./view-state";
