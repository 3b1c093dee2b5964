/** The box in which a person says which rows they want to see. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { flips } from "../../page";
import { GridButton } from "./button";
import type { GridView } from "./grid-view";
import { matchWords } from "./size-words";

/** So long nothing more is typed until the rows are looked for. */
const TYPED_MS = 150;
const HELP =
  'Words anywhere in a row: light rain · one column: city:oslo · compare: celsius>5, measured>=2024-03 · a whole cell: =Oslo · missing: note:=none · not: -rain · together: "light rain"';

export function FilterBox({ view }: { view: GridView }): JSX.Element {
  const { pages } = view;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const box = useRef<HTMLInputElement>(null);
  const isHelped = useSignal(false);
  useLayoutEffect(() => {
    if (box.current) box.current.value = pages.begun;
  }, [pages]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = (query: string, after_ms: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (query.trim() === pages.query.peek()) return;
      view.chooseNothing();
      view.opened.value = null;
      void pages.search(query);
    }, after_ms);
  };
  return (
    <div class="nba-grid-bar">
      <input
        ref={box}
        type="search"
        class="nba-grid-filter"
        placeholder="Filter rows"
        aria-label="Filter rows"
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => search(currentTarget.value, TYPED_MS)}
        onKeyDown={(event) => {
          if (event.key === "Enter") search(event.currentTarget.value, 0);
          if (event.key !== "Escape" || !event.currentTarget.value) return;
          event.stopPropagation();
          event.currentTarget.value = "";
          search("", 0);
        }}
      />
      <GridButton
        aria-expanded={isHelped.value}
        title="What a filter may say"
        aria-label="What a filter may say"
        onClick={flips(isHelped)}
      >
        ?
      </GridButton>
      <span role="status">{matchWords(pages)}</span>
      {isHelped.value && <p>{HELP}</p>}
    </div>
  );
}
