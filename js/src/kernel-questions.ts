/** Questions to a kernel, and the answers. */
import { type Answer, fromKernel, toKernel, type WidgetModel } from "./bridge";
import type { JsonValue } from "./tree";

export type Ask = (question: JsonValue) => Promise<JsonValue>;

/** Of the page, so that two views of one model tell their answers apart. */
let asked = 0;

/** Questions that are on their way, by their ids. */
export class Questions {
  readonly #waiting = new Map<
    number,
    { resolve(value: JsonValue): void; reject(why: Error): void }
  >();

  /** Send a question; what it comes to. */
  ask(send: (id: number) => void): Promise<JsonValue> {
    return new Promise((resolve, reject) => {
      asked += 1;
      this.#waiting.set(asked, { resolve, reject });
      send(asked);
    });
  }

  hear({ id, value, error }: Answer): void {
    const question = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) question?.resolve(value ?? null);
    else question?.reject(new Error(error));
  }

  /** Nobody will answer any more. */
  close(why = "The view was closed."): void {
    for (const { reject } of this.#waiting.values()) reject(new Error(why));
    this.#waiting.clear();
  }
}

/** A way to ask the kernel of one model, until the signal. */
export function askerOf(model: WidgetModel, kind: string, signal: AbortSignal): Ask {
  const questions = new Questions();
  const hear = (content: unknown) => {
    const message = fromKernel(content);
    if (message?.type === "answer") questions.hear(message);
  };
  model.on("msg:custom", hear);
  signal.addEventListener("abort", () => {
    model.off("msg:custom", hear);
    questions.close();
  });
  return (question) => questions.ask((id) => toKernel(model, { type: "ask", id, kind, question }));
}
