// @vitest-environment jsdom
import { beforeEach, expect, test } from "vitest";
import { giveFocus, keepFocus } from "./focus";

const ROWS = "<li><button class='nba-row'></button><button class='more'></button></li>".repeat(3);

beforeEach(() => {
  document.body.innerHTML = `<main tabindex="-1"><div id="old">${ROWS}</div></main><button></button>`;
});

const main = () => document.querySelector("main") as HTMLElement;
const old = () => document.querySelector("#old") as HTMLElement;

function replace(): void {
  main().insertAdjacentHTML("beforeend", `<div id="new">${ROWS}</div>`);
  keepFocus(main(), main());
  old().remove();
  giveFocus(main());
}

const focused = () =>
  [...document.querySelectorAll("#new .nba-row")].indexOf(document.activeElement as Element);

test.each([0, 1, 2])("the same row of what is shown next has it: %i", (row) => {
  for (const name of [".nba-row", ".more"]) {
    old().querySelectorAll<HTMLElement>(name)[row]?.focus();
    replace();
    expect(focused()).toBe(row);
    document.querySelector("#new")?.setAttribute("id", "old");
  }
});

test("a focus that is elsewhere stays there, and nothing is remembered", () => {
  const other = document.querySelector<HTMLElement>("body > button");
  other?.focus();
  replace();
  expect(document.activeElement).toBe(other);
  expect(main().dataset.nbaRow).toBeUndefined();
});

test("where nothing like it is shown next, the keeper has it", () => {
  old().querySelector<HTMLElement>(".nba-row")?.focus();
  keepFocus(main(), main());
  old().remove();
  giveFocus(main());
  expect(document.activeElement).toBe(main());
});

test("where two panes are shown next, what is selected in them has it", () => {
  old().querySelector<HTMLElement>(".more")?.focus();
  keepFocus(main(), main());
  old().remove();
  const leaves = [true, false].map((is) => `<i tabindex="-1" aria-selected="${!is}"></i>`).join("");
  main().innerHTML = `<button></button><div class="nba-tree">${leaves}</div>`;
  giveFocus(main());
  expect(document.activeElement).toBe(main().querySelector("i:last-child"));
});
