import { expect, test } from "vitest";
import { htmlPage } from "./html-page";

/** The document that a frame would make of some HTML. */
function page(html: string): Document {
  return new DOMParser().parseFromString(htmlPage(html).source, "text/html");
}

test("a policy stands before all else: nothing is fetched", () => {
  const first = page("<p>a").head.firstElementChild;
  expect(first?.getAttribute("http-equiv")).toBe("Content-Security-Policy");
  expect(first?.getAttribute("content")).toMatch(/^default-src 'none'; img-src data:;/);
});

test.each([
  "<script>harm()</script>",
  "<svg><script>harm()</script></svg>",
  "<link rel=dns-prefetch href=//evil.example>",
  "<base href=//evil.example>",
  "<meta http-equiv=refresh content='0;url=//evil.example'>",
  "<iframe srcdoc='<script>harm()</script>'></iframe>",
  "<object data=//evil.example></object>",
  "<embed src=//evil.example>",
  "<template><script>harm()</script></template>",
  "<math><mtext></form><form><mglyph><style></math><img src onerror=harm()>",
])("of %s nothing is left that acts", (html) => {
  const made = page(`<p>kept</p>${html}`);
  const acting = "script, link, base, meta:not(:first-child), iframe, object, embed, template";
  expect(made.querySelector(acting)).toBeNull();
  expect(made.querySelector("[onerror]")).toBeNull();
  expect(made.body.textContent).toContain("kept");
});

test("links lead nowhere, and say where they would have led", () => {
  const html = '<a href="https://a.example" ping="//b" target="_top">a</a><a href="#b">b</a>';
  const [away, inside] = page(`${html}<svg><a xlink:href="//c"></a></svg>`).querySelectorAll("a");
  expect(away?.getAttributeNames()).toEqual(["title"]);
  expect(away?.title).toBe("https://a.example");
  expect(inside?.getAttribute("href")).toBe("#b");
  expect(
    page("<svg><a xlink:href='//c'>c</a></svg>").querySelector("svg a")?.attributes,
  ).toHaveLength(0);
});

test("forms are sent nowhere", () => {
  const made = page(
    "<form action=//evil.example><button formaction=//evil.example>x</button></form>",
  );
  expect(made.querySelector("[action], [formaction]")).toBeNull();
});

test("style sheets stay, so that tables look as they were meant to", () => {
  expect(
    page("<style>td{color:red}</style><table><td>1</table>").querySelectorAll("style"),
  ).toHaveLength(2);
});

test("it is about as tall as it has lines, within bounds", () => {
  const rows = (count: number) => `<table>${"<tr><td>a</td></tr>".repeat(count)}</table>`;
  expect(htmlPage(rows(2)).height_px).toBeLessThan(htmlPage(rows(6)).height_px);
  expect(htmlPage(rows(1000)).height_px).toBe(320);
  expect(htmlPage("").height_px).toBe(48);
});

test.each([
  ["<marquee>kept</marquee>", "marquee"],
  ["<progress>kept</progress>", "progress"],
  ["<video autoplay loop>kept</video>", "[autoplay], [loop]"],
  ["<input autofocus>", "[autofocus]"],
  ['<p style="animation: spin 1s infinite !important">kept</p>', "[style*=animation]"],
  ['<p style="transition: all 9s; color: red">kept</p>', "[style*=transition]"],
])("of %s nothing moves by itself", (html, moving) => {
  const made = page(html);
  expect(made.querySelector(moving)).toBeNull();
  if (html.includes("kept")) expect(made.body.textContent).toContain("kept");
});

const HEAD = "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xFF\xFF\xFF";
const CONTROL = "!\xF9\x04\x00\x00\x00\x00\x00";
const FRAME = ",\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00";
const gif = (frames: number) =>
  `data:image/gif;base64,${btoa(`${HEAD}${`${CONTROL}${FRAME}`.repeat(frames)};`)}`;
const svg = (inside: string) => `data:image/svg+xml,${encodeURIComponent(`<svg>${inside}</svg>`)}`;

test.each([
  ["a GIF of two frames", gif(2), true],
  ["a GIF of one frame", gif(1), false],
  ["an APNG", `data:image/png;base64,${btoa("\x89PNG....acTL")}`, true],
  ["a PNG", `data:image/png;base64,${btoa("\x89PNG....IDAT")}`, false],
  ["a WebP with frames", `data:image/webp;base64,${btoa("RIFF....WEBPVP8X..ANIM")}`, true],
  ["an SVG that animates", svg('<animate attributeName="x" dur="1s"/>'), true],
  ["an SVG with a style that animates", svg("<style>@keyframes a{}</style>"), true],
  ["an SVG that stands still", svg("<rect/>"), false],
  ["a picture that cannot be read", "data:image/gif;base64,%%%", true],
])("%s is told from one that stands still, as an element and in a style", (_, address, moving) => {
  expect(page(`<img src="${address}" alt="kept">`).querySelector("[src]") === null).toBe(moving);
  expect(htmlPage(`<img src="${address}">`).stilled === null).toBe(!moving);
  const styled = page(`<style>p{background:url("${address}")}</style><p>a`);
  const written = styled.querySelectorAll("style")[1]?.textContent ?? "";
  expect(written.includes("data:image")).toBe(!moving);
});
