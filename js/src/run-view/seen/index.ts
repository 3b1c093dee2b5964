/** What the model saw at each step. */
export { seenSteps, seenText } from "./seen-steps";
export { OfferedTools, OneStep, SeenSteps } from "./seen-view";
