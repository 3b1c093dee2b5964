/** What a person is asked, while it is open and once it is decided. */
export { AwaitBox } from "./box";
export { Changed, Decisions, Guardrails, Said } from "./decisions";
