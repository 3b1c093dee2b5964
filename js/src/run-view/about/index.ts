/** What is told on demand: what a run has used, its keys, and what else is known of a call. */
export { AboutRun } from "./about";
export { BranchList } from "./branch-list";
export { Cuts } from "./cuts";
export { Edits } from "./edits";
export { CallFacts, type Fact, FactList } from "./facts";
export { ForkHere } from "./fork-here";
export { Keys } from "./keys";
