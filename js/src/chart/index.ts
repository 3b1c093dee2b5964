/** The chart, as a widget of its own (`mount`) and as the picture of a payload (`render`). */

import { onChange, type RenderOptions, toKernel, type WidgetModel } from "../bridge";
import { boxAlone, themeOf } from "../page";
import type { JsonValue } from "../tree";
import { drawnOnPaper } from "./drawing";
import { ChartFrame } from "./frame";
import { answerInWorker, StillFrame } from "./still-picture";

answerInWorker(drawnOnPaper);

/** How long a chart stands still before its picture is taken. */
const STILL_MS = 150;

interface Drawing {
  update(value: JsonValue): void;
  readonly drawn: Promise<void>;
}

/** Shows payloads of kind `chart`; the picture for a saved notebook is told by `emit`. */
export function render({ el, value, theme, emit, signal, isUntrusted }: RenderOptions): Drawing {
  if (isUntrusted) return new StillFrame(el, value, signal);
  const frame = new ChartFrame(el, value, theme, signal);
  const send = sender(frame, emit, signal);
  send();
  return {
    update(next) {
      frame.update(next);
      send();
    },
    drawn: frame.drawn,
  };
}

/** Shows a `ChartView`. */
export function mount(model: WidgetModel, el: HTMLElement, signal: AbortSignal): void {
  const box = boxAlone(el, signal);
  const chart = () => (model.get("chart") ?? null) as JsonValue;
  const emit = (value: JsonValue) => toKernel(model, { type: "emit", kind: "chart", value });
  const frame = new ChartFrame(box, chart(), themeOf(box), signal);
  const send = sender(frame, emit, signal);
  send();
  const update = () => {
    frame.update(chart());
    send();
  };
  onChange(model, ["chart"], signal, update);
}

/** What sends the picture of a chart when it has stood still for a while. */
function sender(frame: ChartFrame, emit: (value: JsonValue) => void, signal: AbortSignal) {
  let timer: ReturnType<typeof setTimeout>;
  const send = async () => {
    const picture = await frame.picture().catch(() => null); // it is shown all the same
    if (!signal.aborted) emit(picture ?? { none: true }); // somebody may wait for it
  };
  signal.addEventListener("abort", () => clearTimeout(timer));
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => void send(), STILL_MS);
  };
}
