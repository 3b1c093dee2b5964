/**
 * The one map of a run: it takes the successive payloads of kind `map`, in order, and any number of
 * views draw it.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { isRecord, type Library } from "../bridge";
import type { AnyEvent, JsonValue } from "../events";

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

  /** Take what an event says of the map, if it does. */
  take(event: AnyEvent): void {
    if (event.type !== "tool_data" || event.payload.kind !== "map") return;
    const { audience, value } = event.payload;
    if (audience === "internal" || !isMapValue(value)) return;
    this.#value = { ...this.#value, ...value };
    this.isSet.value = true;
    for (const update of this.#updates) update(value);
  }

  /** Draw the map into `el` until the signal; `moved` hears where the person took it. */
  draw(
    library: Library,
    el: HTMLElement,
    moved: (value: JsonValue) => void,
    end: AbortSignal,
  ): void {
    const emit = (value: JsonValue) => {
      if (isMapValue(value)) this.#value = { ...this.#value, ...value };
      moved(value);
    };
    const map = library.renderMap?.({ el, value: this.#value, emit, signal: end });
    if (!map) return;
    const update = (value: MapValue) => map.update(value);
    this.#updates.add(update);
    end.addEventListener("abort", () => this.#updates.delete(update));
  }
}

function isMapValue(value: JsonValue): value is MapValue {
  return isRecord(value);
}
