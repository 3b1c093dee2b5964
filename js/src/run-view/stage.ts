/**
 * The one map of a run: it takes the successive payloads of kind `map`, in order, and any number of
 * views draw it.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { isRecord, type Library, type RenderOptions } from "../bridge";
import type { JsonValue, Payload } from "../events";

type MapValue = { [key: string]: JsonValue };

export class MapStage {
  /** Whether there is anything to draw. */
  readonly isSet = signal(false);
  readonly #updates = new Set<(value: MapValue) => void>();
  #value: MapValue = {};

  /** All that was said of the map so far: an absent key keeps what an earlier payload gave. */
  get value(): MapValue {
    return this.#value;
  }

  /** Take what a payload says of the map, if it does. */
  show({ kind, audience, value }: Payload): void {
    if (kind !== "map" || audience === "internal" || !isMapValue(value)) return;
    this.#value = { ...this.#value, ...value };
    this.isSet.value = true;
    for (const update of this.#updates) update(value);
  }

  /** Draw the map with what a renderer is given; the person's moves are kept and passed on. */
  async draw(library: Library, options: Omit<RenderOptions, "value">): Promise<void> {
    const emit = (value: JsonValue) => {
      if (isMapValue(value)) this.#value = { ...this.#value, ...value };
      options.emit(value);
    };
    const map = await library.render?.({ ...options, value: this.#value, emit });
    if (!map || options.signal.aborted) return;
    const update = (value: MapValue) => map.update(value);
    this.#updates.add(update);
    options.signal.addEventListener("abort", () => this.#updates.delete(update));
  }
}

function isMapValue(value: JsonValue): value is MapValue {
  return isRecord(value);
}
