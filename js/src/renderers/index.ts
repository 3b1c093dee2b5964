/** How one value is drawn: code, JSON, logs, progress and differences, and pages in a frame. */
export { Code } from "./code";
export { CopyButton } from "./copy-button";
export { Diff } from "./diff";
export { HtmlFrame } from "./html-frame";
export { JsonTree } from "./json-tree";
export { Log, type LogLine } from "./log";
export { type Pool, poolFrom } from "./pool";
export { PoolView } from "./pool-view";
export { Progress } from "./progress";
