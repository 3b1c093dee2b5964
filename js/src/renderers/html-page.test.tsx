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
