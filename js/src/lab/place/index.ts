/**
 * Tells a notebook's kernel where the notebook is. A module of its own, which comes with a notebook.
 */
export { tellPlace } from "./whereabouts";
