/** How one value is drawn: code, JSON, logs, progress and differences, and pages in a frame. */
export { Code } from "./code";
export { Diff } from "./diff";
export { CopyButton } from "./head";
export { HtmlFrame } from "./html-frame";
export { JsonTree } from "./json-tree";
export { Log, type LogLine } from "./log";
export { poolFrom } from "./pool";
export { PoolView } from "./pool-view";
export { Progress } from "./progress";
