/**
 * What a page knows of one run: what it was told, what is asked, open and looked for, and its stages.
 */
export {
  type Answering,
  askedIn,
  type Question,
  resumeLine,
  shownRunStatus,
  shownStatus,
} from "./asked";
export { callCount } from "./find";
export { askStatic, kindsOf, moduleOf } from "./kinds";
export { followRun } from "./live";
export { callKey, wholeKey } from "./opened";
export { type Cut, cameOf, type OfCall, type OfRun, partKey, RunState } from "./run-state";
export type { Stage } from "./stage";
export { type Panel, useView, ViewProvider, ViewState } from "./view-state";
