/**
 * A run in two panes: its tree at the left, and at the right all that is known of what is selected.
 */
export { Panes } from "./panes";
