/**
 * HTML of a tool's in which nothing moves by itself: a page that is only looked at costs nothing.
 */

/**
 * The first style sheet of a frame: what is important in the first layer wins over all other style
 * sheets, important or not. Only a `style` attribute is stronger, and loses these by `still`.
 * Source: CSS Cascading and Inheritance Level 5, 6.4.4 Cascade Layers.
 */
export const STILL =
  "@layer still{*,::before,::after,::marker,::first-letter,::first-line,::backdrop,::details-content" +
  "{animation:none!important;transition:none!important}}";

/** Elements that move without any style; their words stay. */
const MOVING = "marquee,blink,progress:not([value])";
const STARTS = ["autoplay", "loop", "autofocus"];
const MOVED = /^(animation|transition)/;
const PICTURE = /data:image\/(gif|png|apng|webp|avif|svg\+xml)[^,]*,/i;
const IN_STYLE = /url\(\s*(["']?)(data:image\/[^"')]*)\1\s*\)/gi;

/** Take from a document what moves; pictures of it that move are replaced by nothing, see `movingPictures`. */
export function still(parsed: Document): void {
  for (const one of parsed.querySelectorAll(MOVING))
    one.replaceWith(...(one.childNodes.length ? one.childNodes : [one.textContent ?? ""]));
  for (const one of parsed.querySelectorAll<HTMLElement>("[style]")) stillStyle(one);
  for (const one of parsed.querySelectorAll("style"))
    one.textContent = withoutMovingPictures(normal(one.textContent ?? ""));
  for (const one of parsed.querySelectorAll("*"))
    for (const name of STARTS) one.removeAttribute(name);
}

/** The `src` of each picture that moves, its element being without one from now on. */
export function movingPictures(parsed: Document): Map<Element, string> {
  const moving = new Map<Element, string>();
  for (const one of parsed.querySelectorAll("img[src],img[srcset],source,input[src]")) {
    one.removeAttribute("srcset"); // `src` is the same picture
    const src = one.getAttribute("src") ?? "";
    if (!moves(src)) continue;
    one.removeAttribute("src");
    moving.set(one, src);
  }
  return moving;
}

/** Whether a picture in an address of its own has more than one frame, or may have. */
function moves(address: string): boolean {
  const [head = "", media = ""] = PICTURE.exec(address) ?? [];
  if (!head) return false;
  const type = media.toLowerCase();
  const bytes = bytesOf(address, head);
  if (bytes === null) return true; // what cannot be read may move
  if (type === "gif") return bytes.split("!\xF9\x04").length > 2 || bytes.includes("NETSCAPE");
  if (type === "png" || type === "apng") return bytes.includes("acTL");
  if (type === "webp") return bytes.slice(0, 64).includes("ANIM");
  if (type === "avif") return bytes.slice(0, 64).includes("avis");
  return /<\s*(animate|set\b)|@keyframes|animation|transition|<!ENTITY|\bbegin=/i.test(bytes);
}

/** The first frame of a picture, as a PNG of its own; nothing where it cannot be drawn. */
export async function firstFrame(address: string): Promise<string> {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  return canvas.toDataURL("image/png");
}

function bytesOf(address: string, head: string): string | null {
  const coded = address.slice(address.indexOf(head) + head.length);
  try {
    return /;\s*base64\s*,$/i.test(head)
      ? atob(decodeURIComponent(coded))
      : decodeURIComponent(coded);
  } catch {
    return null;
  }
}

function stillStyle(one: HTMLElement): void {
  const { style } = one;
  for (const name of [...style]) if (MOVED.test(name)) style.removeProperty(name);
  const written = withoutMovingPictures(style.cssText);
  if (written !== style.cssText) style.cssText = written;
}

/** A style sheet as the browser writes it: without escapes, and without what it does not know. */
function normal(css: string): string {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css.replace(/@import[^;]*(;|$)/gi, "")); // nothing is fetched anyway
    return [...sheet.cssRules].map((rule) => rule.cssText).join("\n");
  } catch {
    return css; // no constructed style sheets: as it was written
  }
}

function withoutMovingPictures(css: string): string {
  return css.replace(IN_STYLE, (url, _quote, address: string) => (moves(address) ? "none" : url));
}
