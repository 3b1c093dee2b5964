/** What a person is asked, while it is open and once it is decided. */
export { AwaitBox, AwaitLine } from "./box";
export { Changed, Decisions, Guardrails } from "./decisions";
