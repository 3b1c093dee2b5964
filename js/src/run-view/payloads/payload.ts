/**
 * How a payload is shown, read from JSON that a tool wrote: only what fits its kind is drawn, and
 * everything else stays JSON.
 */
import { isRecord } from "../../bridge";
import type { MediaProps } from "../../media";
import { type BuiltInKind, entry, once, type Payload } from "../../tree";
import { clipped, size } from "../../words";
import * as texts from "./values";
import { type Fields, type TextShown, textOf as text } from "./values";

export type Shown = Way & {
  /** What was too large to be kept, in words. */
  leftOut?: string;
};

type Way =
  | TextShown
  | { type: "image"; src: string; alt: string; width: number | null }
  | { type: "file"; name: string; about: string; href: string | null }
  | ({ type: "media" } & MediaProps)
  | { type: "html"; html: string; text: string }
  | { type: "text"; text: string }
  | { type: "cut"; words: string; head: string; isView: boolean };

/** The pictures a browser draws without running anything; one of SVG may only be an `<img>`. */
const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml"];
/** What a browser plays; of a file of another type, nothing is tried. */
const PLAYED =
  /^(?:audio\/(?:wav|x-wav|wave|mpeg|mp3|mp4|aac|ogg|webm|flac|x-flac)|video\/(?:mp4|webm|ogg))$/;
const NAME_CHARACTERS = 200;
/** What an object says of itself that has nothing to say. */
const EMPTY_WORDS = /^<[\w.]+ object(?: at 0x[0-9a-f]+)?>$/i;

/** Kinds that are drawn by views of their own, or on a stage. */
const ELSEWHERE = ["apiPool", "chart", "map", "table"] as const;

type Reader = (value: Fields) => Shown | null;

/** A kind that Python knows and that is drawn nowhere here does not compile. */
const BUILT_IN: Record<Exclude<BuiltInKind, (typeof ELSEWHERE)[number]>, Reader> = {
  image,
  file,
  mime,
  cut,
  code: texts.code,
  diff: texts.diff,
  json: texts.json,
  log: texts.log,
  markdown: texts.markdown,
  progress: texts.progress,
};

const READERS: Record<string, Reader> = BUILT_IN;

/** Whether nbagents draws payloads of this kind itself: then no renderer can. */
export function isBuiltIn(kind: string): boolean {
  return Object.hasOwn(READERS, kind) || ELSEWHERE.some((one) => one === kind);
}

const read = new WeakMap<Payload, Shown | null>();

/** How a payload is shown; `null` where its kind is unknown or its value does not fit it. */
export function shownOf(payload: Payload): Shown | null {
  // a batch of events draws all rows again
  return once(read, payload, () => {
    const reader = entry(READERS, payload.kind);
    return (isRecord(payload.value) && reader?.(payload.value)) || null;
  });
}

function image({ media_type, data, width, alt }: Fields): Shown | null {
  if (typeof media_type !== "string" || typeof data !== "string") return null;
  if (!PICTURES.includes(media_type)) return null;
  return picture(`data:${media_type};base64,${data}`, alt, width);
}

function picture(src: string, alt: unknown, width: unknown): Shown {
  return {
    type: "image",
    src,
    alt: (typeof alt === "string" && clipped(alt, NAME_CHARACTERS)) || "Picture",
    width: typeof width === "number" && width > 0 ? width : null,
  };
}

function file({ name, media_type, size: bytes, data }: Fields): Shown | null {
  if (typeof name !== "string") return null;
  const about = [
    typeof media_type === "string" ? media_type : "",
    typeof bytes === "number" ? size(bytes) : "",
  ];
  const said = { name: clipped(name, NAME_CHARACTERS), about: about.filter(Boolean).join(", ") };
  // never its own type: a browser must not take it for a page
  const href = typeof data === "string" ? `data:application/octet-stream;base64,${data}` : null;
  if (href === null || typeof media_type !== "string" || !PLAYED.test(media_type))
    return { type: "file", ...said, href };
  return { type: "media", ...said, href, src: `data:${media_type};base64,${data}` };
}

/** A captured display: its picture, else its prose, its JSON, its HTML in a frame, or its text. */
function mime({ data, metadata, left_out }: Fields): Shown | null {
  if (!isRecord(data)) return null;
  const plain = text(data["text/plain"]);
  const said = plain === null || EMPTY_WORDS.test(plain) ? "" : plain;
  const shown =
    pictureIn(data, isRecord(metadata) ? metadata : {}, said) ??
    proseIn(data) ??
    textIn(data, plain, said);
  const leftOut = leftOutWords(left_out);
  return shown && leftOut ? { ...shown, leftOut } : shown;
}

/** `Left out as too large: text/html (5.0 MB)`. */
function leftOutWords(left_out: unknown): string {
  const sizes = Object.entries(isRecord(left_out) ? left_out : {});
  const words = sizes.flatMap(([media, bytes]) =>
    typeof bytes === "number" ? `${clipped(media)} (${size(bytes)})` : [],
  );
  return words.length ? `Left out as too large: ${words.join(", ")}` : "";
}

function pictureIn(data: Fields, metadata: Fields, alt: string): Shown | null {
  for (const media of PICTURES) {
    const written = text(data[media]);
    if (!written) continue;
    const about = metadata[media];
    const width = isRecord(about) ? about.width : null;
    const isText = media === "image/svg+xml";
    const body = isText ? `,${encodeURIComponent(written)}` : `;base64,${written}`;
    return picture(`data:${media}${body}`, alt, width);
  }
  return null;
}

function proseIn(data: Fields): Shown | null {
  const written = text(data["text/markdown"]);
  return written ? { type: "markdown", text: written } : null;
}

function textIn(data: Fields, plain: string | null, said: string): Shown | null {
  const json = data["application/json"];
  if (json !== undefined) return { type: "json", value: json };
  const html = text(data["text/html"]);
  if (html) return { type: "html", html, text: said };
  return plain ? { type: "text", text: plain } : null;
}

/** What was too large to keep: of what kind it was, how large, and the beginning of what is text. */
function cut({ of, note, head }: Fields): Shown | null {
  if (typeof of !== "string" || typeof note !== "string") return null;
  const isView = isBuiltIn(of);
  const beginning = !isView && typeof head === "string" ? head : "";
  return { type: "cut", words: `${of} · ${note}`, head: beginning, isView };
}
