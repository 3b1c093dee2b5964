/** How what was said is drawn: prose, plain text, arguments, failures and sources. */
export { Arguments } from "./arguments";
export { Lacking, leftOut, wholeCallInPython } from "./cut-text";
export { Explained, FailureBox } from "./failure";
export { codeColours, fetchMarkdown, wantColours } from "./prose";
export { Sources } from "./sources";
export { Json, Markdown, Plain, Printed, plainText } from "./texts";
