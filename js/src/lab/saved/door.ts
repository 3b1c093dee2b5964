/**
 * What stands behind the view of a saved run: the notebook it is in, and its kernel, where one is.
 */
import {
  type Door,
  isRecord,
  type Library,
  type NotebookActions,
  type SavedRows,
} from "../../bridge";
import type { JsonValue } from "../../tree";
import type { Kernel } from "../host";

/** What a kernel with nbagents answers: `nbagents/notebook/copies/questions.py`. */
const TARGET = "nbagents.runs";
/** How the kinds of questions begin that it answers. */
const ABOUT_RUN = "run:";
const SAVED = "This is a saved run: run the cell again to ask for more.";

interface Behind {
  load(name: string): Promise<Library>;
  root_id: string;
  isTrusted: boolean;
  /** What the notebook holds of the run, by MIME type. */
  frozen: Readonly<Record<string, JsonValue>>;
  kernel(): Kernel | null;
  notebook: NotebookActions | null;
  /** Who may have the rows of its tables. */
  rows?: SavedRows | null;
}

/** The door of a saved run. What nobody vouches for asks no kernel. */
export function savedDoor(behind: Behind): Door {
  const { load, root_id, isTrusted, frozen, notebook } = behind;
  const kernel = () => (isTrusted ? behind.kernel() : null);
  return {
    isLive: false,
    isUntrusted: !isTrusted,
    canAsk: () => kernel() !== null,
    load,
    emit: () => {},
    ask: (kind, question) => {
      const known = kind.startsWith(ABOUT_RUN) ? kernel() : null;
      if (!known) return Promise.reject(new Error(SAVED));
      return asked(known, { run_id: root_id, kind, question });
    },
    stop: () => {},
    resolve: () => Promise.reject(new Error("This is a saved run: nobody waits for an answer.")),
    frozen: { html: textIn(frozen["text/html"]), text: textIn(frozen["text/plain"]) },
    ...(notebook ? { notebook } : {}),
    ...(isTrusted && behind.rows ? { rows: behind.rows } : {}),
  };
}

/** A question to a kernel, in a conversation of its own. */
function asked(kernel: Kernel, ask: JsonValue): Promise<JsonValue> {
  return new Promise((resolve, reject) => {
    const comm = kernel.createComm(TARGET);
    comm.onClose = () => reject(new Error("The kernel has not loaded nbagents."));
    comm.onMsg = ({ content }) => {
      const answer = isRecord(content) && isRecord(content.data) ? content.data : {};
      comm.onClose = () => {};
      if (typeof answer.error === "string") reject(new Error(answer.error));
      else resolve((answer.value ?? null) as JsonValue);
      comm.close();
    };
    comm.open({ ask });
  });
}

/** A text as notebooks keep it: whole, or in lines. */
function textIn(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return value.join("");
  return typeof value === "string" ? value : "";
}
