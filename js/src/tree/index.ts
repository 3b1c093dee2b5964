/**
 * The tree of runs and calls, as Python folds it and a saved notebook holds it, and how patches change it.
 */
export { callsOf, entry, once, put, runsOf, runWith, waitingFor } from "./entries";
export * from "./nodes";
export { EMPTY, patched } from "./patching";
