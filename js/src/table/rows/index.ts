/** The rows of a table, whoever has them: read, filtered, sorted, paged, selected, copied. */
export { download, type Kind, toClipboard } from "./copying";
export { keepArrangement } from "./kept";
export { type Ask, PAGE_ROWS, TablePages } from "./pages";
export { type Block, blockOf, type Place, partsIn, rowsIn, rowsOf, toggled } from "./selection";
export { type Column, cellText, plainText, type TableValue, tableFrom } from "./table-value";
