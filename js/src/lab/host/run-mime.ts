/** Under which type a notebook keeps a run; `nbagents/notebook/saved/bundle.py` writes it. */

export const RUN_MIME = "application/vnd.nbagents.run.v1+json";
