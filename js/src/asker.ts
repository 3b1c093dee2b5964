/** Who asks again and again, as somebody types or clicks: of the answers only the newest counts. */
import { signal } from "@preact/signals";
import { reasonOf } from "./bridge";
import type { JsonValue } from "./tree";

export class Asker {
  readonly isBusy = signal(false);
  /** Why there is no answer. */
  readonly problem = signal("");
  #asked = 0;

  protected async newest(
    answer: Promise<JsonValue>,
    take: (value: JsonValue) => void,
  ): Promise<void> {
    this.#asked += 1;
    const own = this.#asked;
    this.isBusy.value = true;
    try {
      const value = await answer;
      if (own !== this.#asked) return;
      take(value);
      this.problem.value = "";
    } catch (reason) {
      if (own === this.#asked) this.problem.value = reasonOf(reason);
    } finally {
      if (own === this.#asked) this.isBusy.value = false;
    }
  }
}
