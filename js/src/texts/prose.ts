/**
 * Markdown on a page: its module comes once, when a view is made; until then, and where it cannot
 * come, the text stands as it was written. The colours of code come with the first code.
 */
import { signal } from "@preact/signals";
import type { Colours, Door, Library } from "../bridge";

type Draw = NonNullable<Library["prose"]>;

const draw = signal<Draw | null>(null);
const colours = signal<Colours | null>(null);
/** By which modules come; until there is one, nothing is asked for. */
let door: Pick<Door, "load"> | null = null;
let isAsked = false;

/** What draws Markdown; `null` until it has come. */
export function proseDrawer(): Draw | null {
  return draw.value;
}

/** What colours code; `null` until it has come. */
export function codeColours(): Colours | null {
  return colours.value;
}

/** Have the module come, unless it has. */
export async function fetchMarkdown(by: Pick<Door, "load">): Promise<void> {
  door ??= by;
  if (draw.peek()) return;
  const library = await by.load("markdown").catch(() => null);
  if (library?.prose) door = by; // one that answers
  draw.value = library?.prose ?? draw.peek();
}

/** There is code that may have colours: have them come. Without them it is plain. */
export function wantColours(): void {
  if (isAsked || !door) return;
  isAsked = true;
  door.load("code-colours").then(
    (library) => {
      colours.value = library.colours ?? null;
    },
    () => {
      isAsked = false; // the next code may have more luck
    },
  );
}
