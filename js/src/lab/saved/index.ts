/**
 * A saved run: read from its notebook, drawn, asked about where a kernel is, and found by its link. A
 * module of its own, which comes with the first run.
 */
export { showRun } from "./drawing";
export { goToPlace } from "./place";
