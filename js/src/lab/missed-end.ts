/**
 * The end of a run whose page was loaded anew in between.
 *
 * JupyterLab knows by the request that was sent which output an update belongs to, and a page that
 * was loaded anew has sent none: it would keep the run as it was before, with a live view that is
 * gone. We know by the run.
 */
import { isRecord } from "../bridge";
import type { JsonValue } from "../tree";
import type { Bundle, Kernel, KernelMessage, NotebookPanel, Output, SharedCell } from "./host";
import { RUN_MIME, runsIn } from "./host";
import { WIDGET_VIEW } from "./live-view";

/** What a kernel with nbagents answers: `nbagents/notebook/saved/aftermath.py`. */
const TARGET = "nbagents.runs";
/** The states of a run of which a notebook may know less than a log. */
const OPEN = new Set<unknown>(["running", "suspended", "unknown"]);

/** Keep the outputs of a notebook up to date with what its kernel says of runs. */
export function followEnds({ content, context, sessionContext }: NotebookPanel): void {
  const cells = () => content.model?.sharedModel.cells ?? [];
  sessionContext.iopubMessage.connect((_, message) => {
    const data = updateOf(message);
    // JupyterLab's own way first: what it has updated has no live view any more.
    if (data) setTimeout(() => update(cells(), data));
  });
  // What happened while nobody listened, the log of the kernel knows: it is asked when it is there
  // first, and when somebody comes back to the page. Of what it begins from then on JupyterLab hears the
  // end itself; asked at that end, the kernel could answer before, and the focus would go with the output.
  let asked: Kernel | null = null;
  const ask = (again: boolean) => {
    const kernel = sessionContext.session?.kernel;
    if (!content.model || !kernel || (kernel === asked && !again)) return;
    asked = kernel;
    const runs = openRuns(cells());
    if (Object.keys(runs).length) askEnds(kernel, runs, (data) => update(cells(), data));
  };
  let isIdle = false;
  sessionContext.statusChanged.connect((_, status) => {
    isIdle = status === "idle";
    if (isIdle) ask(false);
  });
  context.ready.then(() => isIdle && ask(false), console.warn);
  const page = content.node?.ownerDocument;
  const comeBack = () => page?.visibilityState === "visible" && ask(true);
  page?.addEventListener("visibilitychange", comeBack);
  content.disposed?.connect(() => page?.removeEventListener("visibilitychange", comeBack));
}

/** Ask a kernel what became of runs; it says nothing of those of which there is nothing new. */
function askEnds(kernel: Kernel, runs: Record<string, string>, hear: (data: Bundle) => void): void {
  try {
    const comm = kernel.createComm(TARGET);
    comm.onMsg = ({ content }) => {
      const answer = isRecord(content) && isRecord(content.data) ? content.data.runs : null;
      for (const data of Array.isArray(answer) ? answer : []) if (hasRun(data)) hear(data);
    };
    comm.open({ runs });
  } catch (reason) {
    console.warn("nbagents: a kernel was not asked what became of runs.", reason);
  }
}

/** The runs of which a kernel may know more, each with what the notebook knows of it. */
function openRuns(cells: readonly SharedCell[]): Record<string, string> {
  const outputs = cells.flatMap((cell) => cell.getOutputs?.() ?? []);
  const found = outputs.flatMap(({ data = {} }) => {
    const id = runOf(data);
    const state = stateOf(data);
    return typeof id === "string" && state ? [[id, state] as const] : [];
  });
  return Object.fromEntries(found);
}

/** How an output's run stood when it was saved; empty where nothing more can be known of it. */
function stateOf(data: Bundle): string {
  if (data[WIDGET_VIEW] !== undefined) return "unseen";
  const root = runsIn(data)[String(runOf(data))];
  if (!isRecord(root) || root.resumed_by !== undefined) return "";
  return OPEN.has(root.status) ? String(root.status) : "";
}

function updateOf({ header, content }: KernelMessage): Bundle | null {
  if (header.msg_type !== "update_display_data" || !isRecord(content)) return null;
  const { data } = content;
  return hasRun(data) ? data : null;
}

function hasRun(data: unknown): data is Bundle {
  return isRecord(data) && isRecord(data[RUN_MIME]);
}

/**
 * Put what is known of a run in the place of its outputs.
 *
 * What stands below them in their cell is written anew with them: of an output that is changed from
 * outside JupyterLab takes the old one away at its place, but adds the new one at the cell's end.
 */
function update(cells: readonly SharedCell[], data: Bundle): void {
  const id = runOf(data);
  const isBehind = (said: Bundle | undefined) =>
    said && stateOf(said) && runOf(said) === id && !isSame(said[RUN_MIME], data[RUN_MIME]);
  for (const cell of cells) {
    const outputs = cell.getOutputs?.() ?? [];
    const first = outputs.findIndex((output) => isBehind(output.data));
    if (first < 0) continue;
    const renewed = outputs.slice(first).map((output): Output => {
      const { output_type } = output;
      return isBehind(output.data) ? { output_type, data, metadata: {} } : output;
    });
    cell.updateOutputs?.(first, outputs.length, renewed);
  }
}

/** Whether a page that has one has the other: both are as the kernel wrote them. */
function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function runOf(data: Bundle): JsonValue | undefined {
  const run = data[RUN_MIME];
  return isRecord(run) ? run.root_id : undefined;
}
