/**
 * The parts of the run view that most runs do without: a module of their own, which comes when the
 * first of them is drawn. `late.tsx` stands in for each until then.
 *
 * @module
 */
export { Diff } from "../renderers/diff";
export { HtmlFrame } from "../renderers/html-frame";
export { Log } from "../renderers/log";
export { AskForm } from "./await-ask";
export { Editor } from "./await-editor";
export { ExternalForm } from "./await-external";
export { TableView } from "./payload-table";
export { SeenSteps } from "./seen-view";
