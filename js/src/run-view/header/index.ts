/**
 * The first line of a run, what can be done with the whole of it, and what is said to those who listen.
 */
export { Action, Copy } from "../buttons";
export { Spoken } from "./announcer";
export { Chips, Facts, Header } from "./header";
export { hearKey } from "./keys";
export { Prompt, Shared } from "./prompt";
export { Finder } from "./tools";
