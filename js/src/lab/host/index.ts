/** JupyterLab as we use it: its parts in types of our own, and the MIME type of a saved run. */

export type * from "./codemirror";
export * from "./jupyter";
export { RUN_MIME, runsIn } from "./saved-runs";
