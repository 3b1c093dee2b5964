/**
 * The two panes, what is taken elsewhere, and what the kernel has whole: a module of their own, which
 * comes when somebody asks for one of them.
 */
import closer from "../styles/closer.css";
import panels from "../styles/panels.css";

export { AboutRun, Keys } from "../about";
export { Copies } from "../copies";
export { Panes } from "../pane";
export { Fetched } from "../payloads";
export { Rest } from "../whole";

export const css = closer + panels;
