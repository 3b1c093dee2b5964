/**
 * What the model saw at each step.
 *
 * @module
 */
export { seenSteps, seenText } from "./seen";
export { OfferedTools, OneStep, SeenSteps } from "./seen-view";
