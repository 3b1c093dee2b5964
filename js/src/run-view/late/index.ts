/**
 * The parts of the view that most runs do without: how they come, and what stands for them until then.
 */
export { FIRST, fetchParts, late, latePane, useLateStyles } from "./stand-ins";
