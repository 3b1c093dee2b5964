/** What one takes elsewhere of a run: a link, Markdown, Python, one HTML file. */
export { Copies } from "./copies";
