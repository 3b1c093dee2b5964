/**
 * The end of a run whose page was loaded anew in between.
 *
 * JupyterLab knows by the request that was sent which output an update belongs to, and a page that
 * was loaded anew has sent none: it would keep the run as it was before, with a live view that is
 * gone. We know by the run.
 *
 * @module
 */
import { isRecord } from "../bridge";
import type { JsonValue } from "../events";
import type { KernelMessage, NotebookPanel, Output, SharedCell } from "./jupyter";
import { WIDGET_VIEW } from "./live";
import { RUN_MIME } from "./saved-run";

type Bundle = Readonly<Record<string, JsonValue>>;

/** Keep the outputs of a notebook up to date with what its kernel says of runs. */
export function followEnds({ content, sessionContext }: NotebookPanel): void {
  sessionContext.iopubMessage.connect((_, message) => {
    const data = updateOf(message);
    // JupyterLab's own way first: what it has updated has no live view any more.
    if (data) setTimeout(() => update(content.model?.sharedModel.cells ?? [], data));
  });
}

function updateOf({ header, content }: KernelMessage): Bundle | null {
  if (header.msg_type !== "update_display_data" || !isRecord(content)) return null;
  const { data } = content;
  return isRecord(data) && isRecord(data[RUN_MIME]) ? (data as Bundle) : null;
}

function update(cells: readonly SharedCell[], data: Bundle): void {
  const id = runOf(data);
  for (const cell of cells) {
    cell.getOutputs?.().forEach((output, place) => {
      if (output.data?.[WIDGET_VIEW] === undefined || runOf(output.data) !== id) return;
      const ended: Output = { output_type: output.output_type, data, metadata: {} };
      cell.updateOutputs?.(place, place + 1, [ended]);
    });
  }
}

function runOf(data: Bundle): JsonValue | undefined {
  const run = data[RUN_MIME];
  return isRecord(run) ? (run.root_id as JsonValue) : undefined;
}
