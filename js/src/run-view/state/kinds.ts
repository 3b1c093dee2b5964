/** The kinds of payloads that somebody's own modules draw, as the kernel knows them. */
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type Door, isRecord, type Library } from "../../bridge";
import { type JsonValue, once } from "../../tree";

/** How one kind is drawn. */
export interface KindModule {
  /** Changes with the module's text; `null`: it has none, only a static form. */
  hash: string | null;
  /** Whether a run keeps one view of this kind, which takes the payloads in order. */
  stateful: boolean;
}

export type Kinds = ReadonlyMap<string, KindModule>;

/** What the kernel is asked, which kinds there are: no kind can have this name. */
const WHICH = "renderers:";
/** The kernel is asked for the static form of a payload. */
const STATIC = "renderers:static";

interface Known {
  kinds: Signal<Kinds>;
  libraries: Map<string, Promise<Library>>;
}

const ofDoor = new WeakMap<Door, Known>();

/**
 * The kinds that have renderers of their own, by kind. Empty until the kernel has answered, so read it where a
 * change is noticed; a saved run has none, and shows what was saved of a payload.
 */
export function kindsOf({ door }: { door: Door }): ReadonlySignal<Kinds> {
  return known(door).kinds;
}

/** The module of a kind; fetched once for each run. Rejects where it cannot be. */
export function moduleOf({ door }: { door: Door }, kind: string): Promise<Library> {
  return once(known(door).libraries, kind, () => door.load(`renderer:${kind}`));
}

/** What the kernel shows of a payload without its module; rejects where no kernel is. */
export function askStatic({ door }: { door: Door }, kind: string, value: JsonValue) {
  return door.ask(STATIC, { kind, value });
}

function known(door: Door): Known {
  return once(ofDoor, door, () => {
    const about: Known = { kinds: signal(new Map()), libraries: new Map() };
    if (door.isLive) void ask(door, about);
    return about;
  });
}

async function ask(door: Door, { kinds }: Known): Promise<void> {
  try {
    kinds.value = kindsIn(await door.ask(WHICH, null));
  } catch {
    // A kernel that knows of no renderers; payloads of unknown kinds are JSON.
  }
}

function kindsIn(answer: unknown): Kinds {
  const kinds = new Map<string, KindModule>();
  for (const [kind, about] of Object.entries(isRecord(answer) ? answer : {})) {
    if (!isRecord(about)) continue;
    const hash = typeof about.hash === "string" ? about.hash : null;
    kinds.set(kind, { hash, stateful: about.stateful === true });
  }
  return kinds;
}
