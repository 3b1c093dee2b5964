/** What calls gave for people to see: read from JSON, and drawn where it is no plain text. */
export { ChartView, isTable, TableView } from "./by-module";
export { Custom } from "./custom";
export { Fetched } from "./fetched";
export { isLeftOut } from "./left-out";
export { isCustom } from "./own-kind";
export { type Shown, shownOf } from "./payload";
export { ShowSteps } from "./steps";
