/**
 * Tells a notebook's kernel which notebook it runs, and what has changed about that.
 *
 * The kernel asks when it loads nbagents (`nbagents/notebook/place/conversation.py`): an answer that
 * it waits for comes before the cells that are queued. A page that comes later finds the
 * conversation open.
 */
import { isRecord } from "../../bridge";
import type { Application, Comm, NotebookKernel, NotebookPanel } from "../host";
import { Talk } from "./talk";

const TARGET = "nbagents.notebook";

/** Keep a notebook's kernel told of its path, until the notebook is closed. */
export function tellPlace(app: Application, panel: NotebookPanel, root: string): void {
  const { context, sessionContext } = panel;
  const { contents } = app.serviceManager;
  let talk: Talk | null = null;
  const begin = (comm: Comm) => {
    talk = new Talk(comm, panel, contents, root);
    talk.tell();
  };
  let met: NotebookKernel | null = null;
  const meet = () => {
    const kernel = sessionContext.session?.kernel ?? null;
    if (!kernel || kernel === met) return;
    met = kernel;
    kernel.registerCommTarget(TARGET, begin);
    joined(kernel)
      .then((comm) => comm && met === kernel && begin(comm))
      .catch((reason) => console.warn("nbagents: the kernel was not asked who it is.", reason));
  };
  const renew = () => talk?.tell();
  context.ready.then(meet).catch(console.warn);
  sessionContext.kernelChanged.connect(meet);
  context.pathChanged.connect(renew);
  context.saveState.connect((_, state) => {
    if (state === "completed") renew();
  });
}

/** The conversation that a kernel has begun before this page came. */
async function joined(kernel: NotebookKernel): Promise<Comm | null> {
  const { content } = await kernel.requestCommInfo({ target_name: TARGET });
  const ids = isRecord(content) && isRecord(content.comms) ? Object.keys(content.comms) : [];
  const id = ids.at(-1);
  return id === undefined || kernel.hasComm(id) ? null : kernel.createComm(TARGET, id);
}
