/** What a kernel has whole of a run, where the page has only a part. */
export { type Asked, ask, useAnswer } from "./answers";
export { askWhole, withWhole } from "./call";
export { Rest } from "./rest";
