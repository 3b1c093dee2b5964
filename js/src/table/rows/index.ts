/** The rows of a table, whoever has them: read, filtered, sorted, paged, selected, copied. */
export { keepArrangement } from "./kept-order";
export { PAGE_ROWS, TablePages } from "./pages";
export { range } from "./questions";
export { type Block, blockOf, type Place, partsIn, rowsIn, rowsOf, toggled } from "./selection";
export { type Column, cellText, plainText, type TableValue, tableFrom } from "./table-value";
