/**
 * The first line of a run, what can be done with the whole of it, and what is said to those who listen.
 */
export { Action, Copy } from "../buttons";
export { Chips, Facts, Header } from "./header";
export { hearKey } from "./keys";
export { Prompt, Shared } from "./prompt";
export { Spoken } from "./spoken";
export { Finder } from "./tools";
