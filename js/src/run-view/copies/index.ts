/**
 * What one takes elsewhere of a run: a link, Markdown, Python, one HTML file.
 *
 * @module
 */
export { Copies } from "./copies";
