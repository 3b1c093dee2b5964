/** Buttons that do something with a run or a call. */
export { Action, Copy, Doing } from "./actions";
