/**
 * HTML of a tool's as the document of a frame that can do nothing: no script, nothing fetched, no
 * link that leads away, nothing that moves by itself.
 *
 * The frame's sandbox and the policy below hold by themselves. What is taken out here is what they
 * do not cover: links that would replace the document, and hints to look up names of hosts.
 */
import { firstFrame, movingPictures, STILL, still } from "./still-html";

const POLICY =
  "default-src 'none'; img-src data:; media-src data:; font-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'";
const STYLE =
  "html{color-scheme:light;background:#fff;color:#1f1f1f;font:14px/1.45 system-ui,sans-serif}" +
  "body{margin:8px}table{border-collapse:collapse}th,td{padding:2px 8px;text-align:left}" +
  "th{border-bottom:1px solid #ccc}img,svg,video{max-width:100%}";
const REMOVED =
  "script,link,base,iframe,frame,frameset,object,embed,portal,meta,template,noscript,animate,set,animateTransform,animateMotion";
const ADDRESSES = ["href", "xlink:href", "action", "formaction", "ping", "target", "background"];

export interface HtmlPage {
  /** The frame's `srcdoc`. */
  source: string;
  /** About how tall it is, in pixels: nothing inside of it can tell. */
  height_px: number;
  /** The `srcdoc` with the first frame of each picture that moves; `null` where none does. */
  stilled: (() => Promise<string>) | null;
}

const BLOCKS = "p,div,li,tr,br,h1,h2,h3,h4,h5,h6,pre,dt,dd,hr,blockquote,summary";
const TALL = "p,h1,h2,h3,h4,h5,h6,ul,ol,dl,pre,blockquote";
const LEAST_PX = 48;
const MOST_PX = 320;
const LINE_PX = 25;
const MARGIN_PX = 18;
const PICTURE_PX = 200;
const LINE_CHARACTERS = 110;

/** The document of a frame that shows this HTML. It is parsed where nothing runs or is fetched. */
export function htmlPage(html: string): HtmlPage {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  for (const one of parsed.querySelectorAll(REMOVED)) one.remove();
  for (const one of parsed.querySelectorAll("*")) tame(one);
  const height_px = heightOf(parsed);
  still(parsed);
  const moving = movingPictures(parsed);
  const stilled = async () => {
    for (const [one, src] of moving) {
      const first = await firstFrame(src).catch(() => "");
      if (first) one.setAttribute("src", first);
    }
    return sourceOf(parsed);
  };
  return { source: sourceOf(parsed), height_px, stilled: moving.size ? stilled : null };
}

function sourceOf(parsed: Document): string {
  const head = `<meta http-equiv="Content-Security-Policy" content="${POLICY}"><style>${STILL}${STYLE}</style>`;
  const styles = [...parsed.head.querySelectorAll("style")].map((one) => one.outerHTML).join("");
  const body = parsed.body?.outerHTML ?? "";
  return `<!doctype html><html><head>${head}${styles}</head>${body}</html>`;
}

function tame(one: Element): void {
  for (const { name, value } of [...one.attributes]) {
    const isAddress = ADDRESSES.includes(name.toLowerCase()) && !value.startsWith("#");
    if (isAddress || /^on/i.test(name)) one.removeAttribute(name);
    if (isAddress && name.toLowerCase() === "href") one.setAttribute("title", value);
  }
}

/** A guess from how many lines there are: what stands below one another, or is wrapped. */
function heightOf(parsed: Document): number {
  const blocks = [...parsed.querySelectorAll(BLOCKS)].filter((one) => !one.querySelector(BLOCKS));
  const tall = parsed.querySelectorAll(TALL).length;
  const text = parsed.body?.textContent ?? "";
  const wrapped = Math.ceil(text.length / LINE_CHARACTERS);
  const pictures = parsed.querySelectorAll("img,svg,video").length;
  const guess =
    LEAST_PX +
    Math.max(blocks.length, wrapped) * LINE_PX +
    tall * MARGIN_PX +
    pictures * PICTURE_PX;
  return Math.min(guess, MOST_PX);
}
