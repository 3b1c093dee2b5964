/** JupyterLab as we use it: its parts in types of our own, and the MIME type of a saved run. */

export type * from "./codemirror";
export * from "./jupyter";
export { OVER } from "./kernel-status";
export { RUN_MIME } from "./run-mime";
