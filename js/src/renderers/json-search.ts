/**
 * What of a JSON value is open, found and chosen in its tree. Places are paths as Python would write
 * them: `["runs"][3]`.
 */
import { computed, type Signal, signal } from "@preact/signals";
import { entriesOf, exactText, isHolder, jsonText } from "../numbers";
import type { JsonValue } from "../tree";

export type Holder = JsonValue[] | { [key: string]: JsonValue };

/** Of so many values no more are looked through, and of what is found no more is shown. */
const MOST_VALUES = 200_000;
const MOST_FOUND = 500;
/** What has no more entries than this stands open. */
const OPEN_ENTRIES = 8;
/** `Open all` makes no more entries than this. */
const MOST_OPENED = 3000;

/** One value, and where it is. */
export interface Place {
  path: string;
  name: string;
  value: JsonValue;
  depth: number;
}

interface Found {
  /** What holds the words, or something that does. */
  paths: ReadonlySet<string>;
  many: number;
  /** Whether there is more than is shown or was looked through. */
  isMore: boolean;
}

function pathTo(path: string, name: string, isItem: boolean): string {
  return `${path}[${isItem ? name : JSON.stringify(name)}]`;
}

/** The entries of a value, each with its place. */
export function placesIn(value: Holder, path: string, depth: number): Place[] {
  const isItem = Array.isArray(value);
  return entriesOf(value).map(([name, one]) => ({
    path: pathTo(path, name, isItem),
    name,
    value: one,
    depth,
  }));
}

/** A value that holds others, of which there is at least one. */
export function isBranch(value: JsonValue): value is Holder {
  return isHolder(value) && Object.keys(value).length > 0;
}

export function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  return exactText(value) === null ? typeof value : "number";
}

/** What can be done with a tree, as it stands. */
export class JsonState {
  readonly words = signal("");
  readonly chosen = signal<Place | null>(null);
  readonly found = computed(() => this.#find(this.words.value.trim().toLowerCase()));
  readonly #opened = signal<ReadonlyMap<string, boolean>>(new Map());
  readonly #value: Signal<JsonValue>;

  constructor(value: JsonValue) {
    this.#value = signal(value);
  }

  /** Another value in its place; what is open stays open. */
  replace(value: JsonValue): void {
    this.#value.value = value;
  }

  isOpen({ path, value, depth }: Place): boolean {
    const found = this.found.value;
    if (found?.paths.has(path)) return true;
    const few = depth < 2 && Object.keys(value ?? {}).length <= OPEN_ENTRIES;
    return this.#opened.value.get(path) ?? few;
  }

  flip(place: Place): void {
    const isOpen = this.isOpen(place);
    this.#opened.value = new Map(this.#opened.value).set(place.path, !isOpen);
  }

  /** Open or close all; what is deep in a large value stays closed. */
  setAll(isOpen: boolean): void {
    const all = new Map<string, boolean>();
    let many = 0;
    this.#walk((place) => {
      if (!isBranch(place.value)) return true;
      many += Object.keys(place.value).length;
      all.set(place.path, isOpen && many <= MOST_OPENED);
      return !isOpen || many <= MOST_OPENED;
    });
    this.#opened.value = all;
  }

  #find(words: string): Found | null {
    if (!words) return null;
    const paths = new Set<string>();
    let many = 0;
    const isWhole = this.#walk((place, above) => {
      if (!holds(place, words)) return true;
      many += 1;
      for (const one of [...above, place.path]) paths.add(one);
      return many < MOST_FOUND;
    });
    return { paths, many, isMore: !isWhole };
  }

  /** Look at every place, those above first, as long as `look` wants more; whether all were looked at. */
  #walk(look: (place: Place, above: readonly string[]) => boolean): boolean {
    const whole = this.#value.value;
    if (!isBranch(whole)) return true;
    let left = MOST_VALUES;
    const open: { places: Place[]; at: number; above: string[] }[] = [
      { places: placesIn(whole, "", 0), at: 0, above: [] },
    ];
    for (let level = open.at(-1); level; level = open.at(-1)) {
      const place = level.places[level.at++];
      if (!place) {
        open.pop();
        continue;
      }
      if (left-- === 0 || !look(place, level.above)) return false;
      const { path, value, depth } = place;
      if (isBranch(value))
        open.push({
          places: placesIn(value, path, depth + 1),
          at: 0,
          above: [...level.above, path],
        });
    }
    return true;
  }
}

function holds({ name, value }: Place, words: string): boolean {
  if (name.toLowerCase().includes(words)) return true;
  if (isHolder(value)) return false;
  const text = typeof value === "string" ? value : jsonText(value);
  return text.toLowerCase().includes(words);
}
