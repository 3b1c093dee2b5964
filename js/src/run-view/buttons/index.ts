/** Buttons that do something with a run or a call. */
export { Action, Copy, type CopyProps, Doing } from "./actions";
