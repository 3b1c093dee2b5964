/** The tree and the pane beside each other, over the whole screen or in a wide cell. */
import { effect, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { isFree, outputsOf, useSheet, writes } from "../../page";
import type { JsonValue, RunNode, Tree as Runs } from "../../tree";
import { grouped, plural } from "../../words";
import { callCount, type RunState, useView, type ViewState } from "../state";
import { ask } from "../whole";
import { Detail } from "./detail";
import { firstOf, placeAt, runPlace } from "./node";
import { outlineOf } from "./outline";
import css from "./panes.css";
import { partialTables, search, withHolders } from "./search";
import type { Lent } from "./tabs";
import { Tree } from "./tree";

/** Of a run with more calls than this only the first level is open at first. */
const MANY_CALLS = 100;
/** So long a person may type before the kernel is asked. */
const TYPING_MS = 250;

interface Props {
  state: RunState;
  run: RunNode;
  lent: Lent;
}

export function Panes({ state, run, lent }: Props): JSX.Element {
  const view = useView();
  const box = useSheet<HTMLDivElement>("panes", css);
  const folded = useSignal<Readonly<Record<string, boolean>>>({});
  const tree = state.tree.value;
  const query = view.query.value.trim();
  const searched = useSearch(state, query);
  const isShort = callCount(tree) <= MANY_CALLS;
  const rows = outlineOf(tree, run, {
    isOpen: (key) => folded.value[key] ?? isShort,
    found: searched.found,
  });
  const selected = view.selected.value || firstOf(tree, run);
  const place = placeAt(tree, selected) ?? runPlace(run);
  const select = (key: string) => {
    view.selected.value = key;
  };
  useLayoutEffect(() => {
    const { root } = view; // in place of a view that has gone the focus may be elsewhere
    if (root && isFree(root))
      box.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
  }, []);
  useEffect(() => keepPanes(view), [view]);
  return (
    <div class="nba-panes" ref={box}>
      <div class="nba-tree-pane">
        <Search words={searched.words} />
        <Tree
          state={state}
          root={run}
          rows={rows}
          selected={selected}
          select={select}
          open={(key, isOpen) => {
            folded.value = { ...folded.value, [key]: isOpen };
          }}
        />
      </div>
      <Detail
        state={state}
        root={run}
        place={place}
        select={select}
        chosen={view.tabs}
        lent={lent}
      />
    </div>
  );
}

/** Tell the view that may take this one's place, as at the end of the run, what is in sight. */
function keepPanes(view: ViewState): () => void {
  const outputs = view.root && outputsOf(view.root);
  if (!outputs) return () => {};
  const stop = effect(() => {
    const open = Object.entries(view.tabs).map(([kind, { value }]) => [kind, value]);
    outputs.dataset.nbaPanes = JSON.stringify({
      of: view.state.tree.value.root_ids[0],
      selected: view.selected.value,
      isSplit: view.isSplit.value,
      tabs: Object.fromEntries(open),
    });
  });
  return () => {
    stop();
    if (!view.isPaned) delete outputs.dataset.nbaPanes;
  };
}

function Search({ words }: { words: string }): JSX.Element {
  const view = useView();
  return (
    <search class="nba-pane-search">
      <input
        type="search"
        class="nba-query"
        aria-label="Search in everything"
        title="In names, arguments, results, output and what was shown (/)"
        placeholder="Search in everything"
        value={view.query.value}
        onInput={writes(view.query)}
        onKeyDown={(event) => {
          const isLeaving = event.key === "Escape" && view.query.peek() === "";
          if (event.key !== "ArrowDown" && !isLeaving) return;
          event.preventDefault();
          event.stopPropagation();
          view.root?.querySelector<HTMLElement>('.nba-tree [tabindex="0"]')?.focus();
        }}
      />
      {words && (
        <p class="nba-small" role="status">
          {words}
        </p>
      )}
    </search>
  );
}

interface Searched {
  /** `null`: nothing is looked for. */
  found: ReadonlySet<string> | null;
  /** How many there are, and what could not be looked through. */
  words: string;
}

type Kernel = "idle" | "asking" | "done" | "silent";

/** What holds all words: of what the page has, and of what the kernel has beside it. */
function useSearch(state: RunState, query: string): Searched {
  const { door, cuts } = state;
  const more = useSignal<readonly string[]>([]);
  const kernel = useSignal<Kernel>("idle");
  useEffect(() => {
    more.value = [];
    kernel.value = "idle";
    if (!query || !door.canAsk?.()) return;
    kernel.value = "asking";
    let isOver = false;
    const timer = setTimeout(() => {
      ask(door, "run:search", { query }).then(
        (value) => {
          if (isOver) return;
          more.value = keysIn(value);
          kernel.value = "done";
        },
        () => {
          if (!isOver) kernel.value = "silent";
        },
      );
    }, TYPING_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [door, query]);
  if (!query) return { found: null, words: "" };
  const tree = state.tree.value;
  const own = search(tree, query);
  const found = new Set([...own, ...more.value.filter((key) => placeAt(tree, key) !== null)]);
  const tables = partialTables(tree);
  const isPartly = cuts.length > 0 || lacks(tree);
  const words = [
    `${grouped(found.size)} of ${plural(callCount(tree), "call")}`,
    kernel.value === "asking" && isPartly ? "asking the kernel for what is not here" : "",
    isPartly && (kernel.value === "idle" || kernel.value === "silent")
      ? `not searched: what was left out here in ${plural(Math.max(cuts.length, 1), "place")}, which only the kernel has`
      : "",
    tables ? `of ${plural(tables, "long table")} only the first rows were searched` : "",
  ];
  return { found: withHolders(tree, found), words: words.filter(Boolean).join("; ") };
}

function keysIn(value: JsonValue): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** Whether the page was sent only a part of some arguments. */
function lacks({ runs }: Runs): boolean {
  return Object.values(runs).some(({ calls }) =>
    Object.values(calls).some(({ left_out_bytes }) => left_out_bytes !== undefined),
  );
}
