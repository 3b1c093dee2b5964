/**
 * The one view that a run keeps of a stateful kind: it takes the payloads in order, any number of
 * places draw it, and it may be taken back to an earlier step.
 */
import { signal } from "@preact/signals";
import { isRecord, type Library, type Rendering, type RenderOptions } from "../../bridge";
import type { JsonValue } from "../../tree";

type Options = Omit<RenderOptions, "value">;

/** What was said of a stage, and by which call; `null`: by the person. */
interface Said {
  of: string | null;
  value: JsonValue;
}

export class Stage {
  /** The call as of which it is shown; `null`: as it is now. */
  readonly pinned = signal<string | null>(null);
  readonly #said: Said[] = [];
  readonly #calls = new Set<string>();
  readonly #drawings = new Set<Drawing>();

  /** `name` is the kind, or what the payloads call their target. */
  constructor(
    readonly kind: string,
    readonly name: string,
  ) {}

  /** Whether a call said something of it. */
  isOf(call_key: string): boolean {
    return this.#calls.has(call_key);
  }

  /** Take the next payload; that of a new step shows what is new. */
  show(of: string, value: JsonValue): void {
    this.#said.push({ of, value });
    this.#calls.add(of);
    if (this.pinned.value !== null) this.pin(null);
    else for (const drawing of this.#drawings) drawing.update(value);
  }

  /** What the person did there: a later view begins with it. */
  moved(value: JsonValue): void {
    const last = this.#said.at(-1);
    if (this.pinned.value !== null) return;
    if (last?.of === null && isRecord(last.value) && isRecord(value)) {
      last.value = { ...last.value, ...value };
    } else this.#said.push({ of: null, value });
  }

  /** Show it as it stood after a call, or as it is now. */
  pin(call_key: string | null): void {
    this.pinned.value = call_key;
    for (const drawing of this.#drawings) void drawing.begin();
  }

  /** All that was said, up to the pinned call. */
  get values(): JsonValue[] {
    const pinned = this.pinned.peek();
    const last = this.#said.findLastIndex(({ of }) => of === pinned);
    const said = pinned === null ? this.#said : this.#said.slice(0, last + 1);
    const shown = pinned === null ? said : said.filter(({ of }) => of !== null);
    return shown.map(({ value }) => value);
  }

  /** Draw it until the signal. */
  async draw(library: Library, options: Options): Promise<void> {
    const drawing = new Drawing(this, library, options);
    this.#drawings.add(drawing);
    options.signal.addEventListener("abort", () => this.#drawings.delete(drawing));
    await drawing.begin();
  }
}

/** One place where a stage is drawn. */
class Drawing {
  readonly #stage: Stage;
  readonly #library: Library;
  readonly #options: Options;
  #end = new AbortController();
  #rendering: Rendering | undefined;

  constructor(stage: Stage, library: Library, options: Options) {
    this.#stage = stage;
    this.#library = library;
    this.#options = options;
    options.signal.addEventListener("abort", () => this.#end.abort());
  }

  /** Draw anew: the first payload, and then the others, as they came. */
  async begin(): Promise<void> {
    this.#end.abort();
    this.#rendering = undefined;
    if (this.#options.signal.aborted) return;
    const end = new AbortController();
    this.#end = end;
    const { el, emit } = this.#options;
    const place = el.ownerDocument.createElement("div");
    el.style.minHeight = `${el.offsetHeight}px`; // the page must not jump
    el.replaceChildren(place);
    const rendering = await this.#library.render?.({
      ...this.#options,
      el: place,
      signal: end.signal,
      value: this.#stage.values[0] ?? null,
      emit: (value) => {
        if (end.signal.aborted) return;
        this.#stage.moved(value);
        emit(value);
      },
    });
    if (end.signal.aborted) return;
    el.style.minHeight = "";
    if (!rendering) return;
    for (const value of this.#stage.values.slice(1)) rendering.update(value);
    this.#rendering = rendering;
  }

  update(value: JsonValue): void {
    this.#rendering?.update(value); // one that is still on its way will take it with the others
  }
}
