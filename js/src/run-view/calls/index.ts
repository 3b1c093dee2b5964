/** What happened in a run, drawn: its rows and groups of rows, agents, and each call opened. */
export { Came } from "./agent-row";
export { AnswerText } from "./answer";
export { CallFacts } from "./details";
export { Data, Views } from "./payload-view";
export { RunList } from "./run-list";
