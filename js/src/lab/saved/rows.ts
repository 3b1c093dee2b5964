/** The rows of a saved run's tables, as long as the kernel lives that has run it. */

import { fromKernel, isRecord, type SavedRows } from "../../bridge";
import { type Ask, Questions } from "../../kernel-questions";
import type { JsonValue } from "../../tree";
import { type Comm, type Kernel, type NotebookPanel, OVER } from "../host";

/** What a kernel with nbagents answers: `nbagents/notebook/kinds/table_news.py`. */
const TARGET = "nbagents.tables";
/** So long a page that was just opened waits for its kernel. */
const ARRIVAL_MS = 5000;
/** So long for a subshell, by which questions are heard while a cell runs; some kernels have none. */
const SUBSHELL_MS = 1000;

/** A way to the rows of one run's tables, until the signal. */
export function rowsOfRun(
  { sessionContext }: NotebookPanel,
  run_id: string,
  signal: AbortSignal,
): SavedRows {
  const { statusChanged } = sessionContext;
  let line: Promise<Line> | null = null;
  const onEnd = (act: () => void, until: AbortSignal) => {
    const hear = (_: unknown, status: string) => {
      if (OVER.has(status)) act();
    };
    statusChanged.connect(hear);
    until.addEventListener("abort", () => statusChanged.disconnect(hear));
  };
  const arrived = () =>
    new Promise<Kernel | null>((resolve) => {
      const look = () => {
        const kernel = sessionContext.session?.kernel ?? null;
        if (kernel) done(kernel);
      };
      const done = (kernel: Kernel | null) => {
        clearTimeout(late);
        statusChanged.disconnect(look);
        resolve(kernel);
      };
      const late = setTimeout(() => done(null), ARRIVAL_MS);
      statusChanged.connect(look);
      look();
    });
  const open = async (): Promise<Line> => {
    const kernel = await arrived();
    if (!kernel || signal.aborted) throw new Error("There is no kernel.");
    const opened = new Line(kernel.createComm(TARGET));
    onEnd(() => opened.end("The kernel has ended."), signal);
    signal.addEventListener("abort", () => opened.close());
    await opened.open({ run_id });
    return opened;
  };
  const ask: Ask = async (question) => {
    line ??= open();
    line.catch(() => {
      line = null; // there may be a kernel later
    });
    return (await line).ask(question);
  };
  return { ask, onEnd };
}

/** One comm, with the questions that are open on it. */
class Line {
  readonly #comm: Comm;
  readonly #questions = new Questions();
  #why = "";

  constructor(comm: Comm) {
    this.#comm = comm;
    comm.onClose = () => this.end("This kernel does not know the table.");
    comm.onMsg = ({ content }) => {
      const message = fromKernel(isRecord(content) ? content.data : null);
      if (message?.type === "answer") this.#questions.hear(message);
    };
  }

  async open(data: JsonValue): Promise<void> {
    const late = new Promise((resolve) => setTimeout(resolve, SUBSHELL_MS));
    await Promise.race([this.#comm.subshellStarted?.catch(() => {}) ?? late, late]);
    this.#comm.open(data);
  }

  async ask(question: JsonValue): Promise<JsonValue> {
    if (this.#why) throw new Error(this.#why);
    return this.#questions.ask((id) => this.#comm.send({ id, question }));
  }

  /** Nobody answers any more. */
  end(why: string): void {
    this.#why = why;
    this.#questions.close(why);
  }

  close(): void {
    this.end("The view was closed.");
    try {
      this.#comm.close();
    } catch {
      // its kernel has ended
    }
  }
}
