import { expect, test } from "vitest";
import { prose } from ".";
import { settledPart } from "./growing";

const RICH = `# The *heat* equation

So $u_t = \\alpha u_{xx}$ holds, at $5 and $6 a try, **bold with \`code\`** and [a report](https://a.org/x_y).

$$
\\int_0^1 u(x)\\,dx
= 1
$$

- one with **bold** and \\(x_1\\)
- [x] two
- three [link](https://b.org) &amp; <kbd>K</kbd>

| city | °C |
|------|---:|
| **Oslo** | 9 |
| \`Bergen\` | 11 |

A paragraph
over two lines with ~~none~~ of _these_.

\`\`\`python
def f(x):
    return "$x$ and **x**"
\`\`\`

1. first
2. second

The end: 2 * 3 < 7, a_b_c, and 4 > 3.
`;

function grow(el: HTMLElement, text: string, isGrowing = true): void {
  prose(el, text, { isGrowing, colours: null, wantColours: () => {} });
}

test("while a text grows, no sign of what has only begun is ever in sight", () => {
  const el = document.createElement("div");
  for (let end = 0; end <= RICH.length; end += 1) {
    grow(el, RICH.slice(0, end));
    const outside = el.cloneNode(true) as HTMLElement;
    for (const one of outside.querySelectorAll("pre, .nba-math, code")) one.remove();
    const words = outside.textContent ?? "";
    expect(words, RICH.slice(0, end)).not.toMatch(/```|\*\*|~~|\]\(|https?:|\||--|\\|\$[^56]|&a/);
    expect(words).not.toMatch(/\[(?!image)/);
    expect(el.querySelector("h2")).toBeNull(); // a line of a list is no underline
  }
});

test("blocks that are finished keep their nodes, and the one that grows keeps its beginning", () => {
  const el = document.createElement("div");
  let before: Node[] = [];
  for (let end = 0; end <= RICH.length; end += 1) {
    grow(el, RICH.slice(0, end));
    const nodes = [...el.childNodes];
    const finished = before.slice(0, -1); // the last may turn out to be another kind of block
    expect(nodes.slice(0, finished.length)).toEqual(finished);
    expect(finished.every((node, at) => node === nodes[at])).toBe(true);
    before = nodes;
  }
  grow(el, RICH, false);
  expect(before.every((node, at) => node === el.childNodes[at])).toBe(true);
});

test("nothing is lost or added: grown in steps it is what it is at once", () => {
  const el = document.createElement("div");
  const whole = document.createElement("div");
  for (let end = 0; end < RICH.length; end += 7) grow(el, RICH.slice(0, end));
  grow(el, RICH, false);
  grow(whole, RICH, false);
  expect(el.innerHTML).toBe(whole.innerHTML);
});

test("rows, items and words that stand stay as nodes; what was drawn of a formula stays", () => {
  const el = document.createElement("div");
  grow(el, "|a|\n|-|\n|$x$|\n|2");
  const row = el.querySelector("tbody tr");
  el.querySelector(".nba-math")?.replaceChildren(new Image());
  grow(el, "|a|\n|-|\n|$x$|\n|23|\n|4|\n");
  expect(el.querySelector("tbody tr")).toBe(row);
  expect(el.querySelector(".nba-math img")).not.toBeNull();
  const words = document.createElement("div");
  grow(words, "some");
  const text = words.querySelector("p")?.firstChild;
  grow(words, "some words");
  expect(words.querySelector("p")?.firstChild).toBe(text);
});

test("what a person has opened stays open while more comes", () => {
  const el = document.createElement("div");
  grow(el, "<details><summary>More</summary>\n\nfirst");
  el.querySelector("details")?.setAttribute("open", "");
  grow(el, "<details><summary>More</summary>\n\nfirst and\n\nsecond\n\n</details>\n\nafter");
  expect(el.querySelector("details")?.open).toBe(true);
  expect(el.querySelector("details")?.textContent).toContain("second");
  expect(el.querySelector("details")?.textContent).not.toContain("after");
});

test.each([
  ["a $x", "a "],
  ["a $", "a "],
  ["It costs $5 and then", "It costs $5 and then"],
  ["a [b](http://x", "a "],
  ["a [1, 2] b", "a [1, 2] b"],
  ["a **b", "a **b**"],
  ["a **", "a "],
  ["a `b", "a `b`"],
  ["text\n-", "text\n"],
  ["text\n1.", "text\n"],
  ["| a | b |", ""],
  ["| a | b |\n|--", ""],
  ["| a | b |\n|---|---|\n| 1", "| a | b |\n|---|---|\n| 1"],
  ["```py", ""],
  ["```py\nx = `", "```py\nx = `"],
  ["```py\nx\n``", "```py\nx\n"],
  ["3 * 4 and a_b", "3 * 4 and a_b"],
  ["x &am", "x "],
  ["x <kb", "x "],
  ["x < 3", "x < 3"],
  ["$$\nx\n= 1", ""],
])("of %j is shown %j", (text, shown) => {
  expect(settledPart(text)).toBe(shown);
});

test("nothing is held back for ever", () => {
  const long = "word ".repeat(1000);
  for (const opened of ["$a ", "[", "<b ", "\\(", "$$"]) {
    expect(settledPart(opened + long).length, opened).toBeGreaterThan(1000);
  }
});
