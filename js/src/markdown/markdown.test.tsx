import { expect, test } from "vitest";
import { prose } from ".";

function shown(text: string): HTMLElement {
  const el = document.createElement("div");
  prose(el, text, { isGrowing: false, colours: null, wantColours: () => {} });
  return el;
}

test("prose, lists, tables, code and tasks are drawn", () => {
  const el = shown("# T\n\n- [x] **a**\n- [ ] b\n\n|h|\n|-|\n|c|\n\n```py\nx < 1\n```");
  expect(el.querySelector("h1")?.textContent).toBe("T");
  expect(el.querySelectorAll("li.nba-task")[0]?.textContent).toBe("☑ a");
  expect(el.querySelector("td")?.textContent).toBe("c");
  expect(el.querySelector("pre code")?.textContent).toBe("x < 1\n");
});

test.each([
  ["script", "<script>globalThis.harm = 1</script>hello"],
  ["handler", '<img src="data:image/png;base64,AA" onerror="globalThis.harm = 1">'],
  ["handler on a link", '<a href="https://a.org" onclick="globalThis.harm = 1">x</a>'],
  ["style", "<style>body { display: none }</style>hello"],
  ["style attribute", '<p style="position:fixed;inset:0">hello</p>'],
  ["frame", '<iframe src="https://a.org"></iframe>'],
  ["srcdoc", '<iframe srcdoc="<script>globalThis.harm = 1</script>"></iframe>'],
  ["form", '<form action="https://a.org"><input name="key"><button>Log in</button></form>'],
  ["drawing", '<svg onload="globalThis.harm = 1"><script>globalThis.harm = 1</script></svg>'],
  ["mathml", '<math><mi href="javascript:globalThis.harm = 1">x</mi></math>'],
  ["base", '<base href="https://a.org/">hello'],
  ["meta", '<meta http-equiv="refresh" content="0;url=https://a.org">hello'],
  ["object", '<object data="https://a.org"></object><embed src="https://a.org">'],
  ["template", "<template><script>globalThis.harm = 1</script></template>"],
  ["id and class", '<p id="main" class="jp-Dialog" data-x="1" aria-hidden="true">hello</p>'],
  ["nesting that a second parse undoes", '<noscript><p title="</noscript><img src=x onerror=1>">'],
])("%s does nothing", (_name, text) => {
  const el = shown(text);
  const found = "script,style,iframe,form,input,button,svg,math,base,meta,object,embed,template";
  expect(el.querySelector(found)).toBeNull();
  for (const node of el.querySelectorAll("*")) {
    const names = node.getAttributeNames();
    const allowed = ["href", "src", "alt", "title", "rel", "target", "tabindex", "dir"];
    expect(names.filter((name) => !allowed.includes(name))).toEqual([]);
  }
});

test.each([
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "java\nscript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:msgbox(1)",
  "file:///etc/passwd",
  "/relative",
  "#here",
])("a link to %s leads nowhere", (address) => {
  const link = document.createElement("a");
  link.setAttribute("href", address);
  link.textContent = "x";
  const el = shown(`${link.outerHTML} and [x](<${address.replaceAll("\n", "")}>)`);
  expect(el.querySelector("[href]")).toBeNull();
});

test("a link to the web opens beside the notebook and knows nothing of it", () => {
  const link = shown("[x](https://a.org) ").querySelector("a");
  expect(link?.getAttribute("href")).toBe("https://a.org");
  expect(link?.getAttribute("rel")).toBe("noopener noreferrer");
  expect(link?.getAttribute("target")).toBe("_blank");
  expect(shown("<me@a.org>").querySelector("a")?.getAttribute("href")).toBe("mailto:me@a.org");
});

test("a picture from elsewhere is not fetched: it is said in words", () => {
  const el = shown("![a chart](https://a.org/x.png?secret=1) ![y](data:image/png;base64,AA==)");
  expect(el.textContent).toContain("[image: a chart]");
  expect([...el.querySelectorAll("img")].map((img) => img.getAttribute("src"))).toEqual([
    "data:image/png;base64,AA==",
  ]);
});

test("a text that is too long to read is shown whole, as it was written", () => {
  const text = "**$x** <b>1</b>\n\n".repeat(40_000);
  const el = shown(text);
  expect(el.children).toHaveLength(1);
  expect(el.querySelector("pre")?.textContent).toBe(text);
});
