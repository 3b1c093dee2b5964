/** Questions of a widget's view to its kernel, and the answers. */
import { fromKernel, toKernel, type WidgetModel } from "./bridge";
import type { JsonValue } from "./tree";

/** Of the page, so that two views of one model tell their answers apart. */
let asked = 0;

/** A way to ask the kernel of one model, until the signal. */
export function askerOf(
  model: WidgetModel,
  kind: string,
  signal: AbortSignal,
): (question: JsonValue) => Promise<JsonValue> {
  const waiting = new Map<number, { resolve(value: JsonValue): void; reject(why: Error): void }>();
  const hear = (content: unknown) => {
    const message = fromKernel(content);
    if (message?.type !== "answer") return;
    const question = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) question?.resolve(message.value ?? null);
    else question?.reject(new Error(message.error));
  };
  model.on("msg:custom", hear);
  signal.addEventListener("abort", () => {
    model.off("msg:custom", hear);
    for (const { reject } of waiting.values()) reject(new Error("The view was closed."));
    waiting.clear();
  });
  return (question) =>
    new Promise((resolve, reject) => {
      asked += 1;
      waiting.set(asked, { resolve, reject });
      toKernel(model, { type: "ask", id: asked, kind, question });
    });
}
