/** A chart as a picture for a saved notebook: small, on paper, with nothing in it that acts. */
import type { JsonValue } from "../tree";

/** Larger drawings are sent as bitmaps. */
const MOST_SVG = 60_000;
const SCALES = [2, 1];
/** Characters of base64. */
const MOST_BITMAP = 80_000;
/** Many points that shine through one another make a large PNG. */
const BITMAP = "image/webp";
const QUALITY = 0.85;

/** What only a live page needs: words for each mark, classes, and what follows the pointer. */
const NEEDLESS = / (?:aria-[\w-]+|role|class|tabindex|pointer-events|data-[\w-]+)="[^"]*"/g;
const LINKS = /<\/?a\b[^>]*>/g;
const EXACT = /-?\d+\.\d{3,}(?:e-?\d+)?/g;

/** A drawing without what a picture does not need. */
export function slim(svg: string): string {
  return svg
    .replace(NEEDLESS, "")
    .replace(LINKS, "")
    .replace(EXACT, (number) => String(Math.round(Number(number) * 100) / 100));
}

/** A drawing as what is sent to the kernel; `null` where it is too large for every form. */
export async function pictureOf(svg: string): Promise<Record<string, JsonValue> | null> {
  const small = slim(svg);
  if (small.length <= MOST_SVG) return { svg: small };
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(small)}`;
  await image.decode();
  for (const scale of SCALES) {
    const [media_type, data] = bitmap(image, scale);
    if (media_type && data && data.length <= MOST_BITMAP) return { media_type, data };
  }
  return null;
}

/** The media type, PNG where a browser writes no other, and the bitmap as base64. */
function bitmap(image: HTMLImageElement, scale: number): (string | undefined)[] {
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth * scale;
  canvas.height = image.naturalHeight * scale;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const url = canvas.toDataURL(BITMAP, QUALITY);
  return /^data:([^;]+);base64,(.*)$/.exec(url)?.slice(1) ?? [];
}
