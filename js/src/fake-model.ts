/** A widget's model for tests: it remembers what the page sent, and says what a kernel would. */
import { isRecord, type MessageListener, type WidgetModel } from "./bridge";
import { UNIT, type Unit } from "./sample-run";

export class FakeModel implements WidgetModel {
  readonly sent: unknown[] = [];
  readonly #heard = new Set<MessageListener>();

  send(content: unknown): void {
    this.sent.push(content);
  }
  on(name: string, heard: MessageListener): void {
    if (name === "msg:custom") this.#heard.add(heard);
  }
  off(_name: string, heard: MessageListener): void {
    this.#heard.delete(heard);
  }
  get(): unknown {
    return undefined;
  }
  set(): void {}
  save_changes(): void {}

  /** How many listen. */
  get listeners(): number {
    return this.#heard.size;
  }

  tell(content: unknown, buffers: readonly DataView[] = []): void {
    for (const heard of [...this.#heard]) heard(content, buffers);
  }

  /** Tell what happened; `from`: the place of the first. */
  tellUnits(units: Unit[], from = 0): void {
    this.tell({ type: "patches", from: from * UNIT, patches: units.flat(), idle_ms: 0 });
  }

  /** Answer what was asked last with an error. */
  refuse(error: string): void {
    const asked = this.sent.findLast((one) => isRecord(one) && "id" in one);
    this.tell({ type: "answer", id: isRecord(asked) ? asked.id : 0, error });
  }

  /** What was sent of this type. */
  sentOf(type: string): unknown[] {
    return this.sent.filter((one) => JSON.stringify(one).includes(`"type":"${type}"`));
  }
}
