/** Branches of one run beside each other: to go to, and to compare with. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type NotebookActions, showPlace } from "../../bridge";
import { LinkButton } from "../../page";
import type { RunNode } from "../../tree";
import { branchInWords } from "../../words";
import type { OfRun } from "../state";
import { compareCell } from "./cells";

/** That a run came onto the page, or a branch of it; `header.tsx` says it, too. */
const NEWS = "nba-branch";
/** What a run is called that is no branch. */
const ORIGINAL = "Original";

/** The other branches in the notebook, and the run that all come from, in its order; nothing without. */
export function BranchList({ state, run }: OfRun): JSX.Element {
  const here = useRef<HTMLElement>(null);
  const [others, setOthers] = useState<HTMLElement[]>([]);
  const words = run.forked_from ? branchInWords(run.forked_from) : ORIGINAL;
  useEffect(() => {
    const header = here.current?.closest("header");
    if (!header) return;
    header.dataset.origin = run.forked_from?.origin_id ?? run.id;
    header.dataset.words = words;
    const hear = () => {
      const found = othersOf(header);
      setOthers(found);
      // a run learns from its branch that it has one, and lists it, too
      if (run.forked_from) for (const one of found) one.dispatchEvent(new Event(NEWS));
    };
    document.addEventListener(NEWS, hear);
    document.dispatchEvent(new Event(NEWS));
    return () => {
      document.removeEventListener(NEWS, hear);
      setTimeout(() => document.dispatchEvent(new Event(NEWS)));
    };
  }, []);
  return (
    <nav class="nba-branches" aria-label="Branches" ref={here} hidden={!others.length}>
      <span class="nba-small">Branches</span>
      <Own run={run} words={words} others={others} />
      {others.map((one) => (
        <Other key={one.dataset.of} one={one} own={run.id} notebook={state.door.notebook} />
      ))}
    </nav>
  );
}

/** The headers of the other runs in the notebook that come from the same one, each once. */
function othersOf(header: HTMLElement): HTMLElement[] {
  const { of: own = "", origin } = header.dataset;
  const found = new Map<string, HTMLElement>();
  const around = header.closest(".jp-Notebook") ?? document;
  for (const one of around.querySelectorAll<HTMLElement>(".nba-header[data-of]")) {
    const { of = "" } = one.dataset;
    if (of !== own && originOf(one) === origin && !found.has(of)) found.set(of, one);
  }
  return [...found.values()];
}

/** The run that a header's run comes from, or itself: what is no branch says nothing of it. */
function originOf({ dataset }: HTMLElement): string | undefined {
  return dataset.origin ?? dataset.of;
}

interface OwnProps {
  run: RunNode;
  words: string;
  others: readonly HTMLElement[];
}

/** The run itself; where the one that it leaves is there, it leads to the place. */
function Own({ run: { forked_from }, words, others }: OwnProps): JSX.Element {
  const left = others.find((one) => one.dataset.of === forked_from?.run_id);
  if (!(forked_from && left))
    return (
      <span class="nba-chip" aria-current="true">
        {words}
      </span>
    );
  const { run_id, call_id } = forked_from;
  return (
    <LinkButton
      class="nba-chip"
      aria-current="true"
      title="Go to where it leaves the other run"
      onClick={() => {
        goTo(left); // its card may go on with another, which has the call
        if (call_id !== null) showPlace(`${run_id}/${call_id}`);
      }}
    >
      {words}
    </LinkButton>
  );
}

interface OtherProps {
  one: HTMLElement;
  own: string;
  notebook: NotebookActions | undefined;
}

function Other({ one, own, notebook }: OtherProps): JSX.Element {
  const { of = "", words = ORIGINAL } = one.dataset;
  return (
    <span class="nba-branch">
      <LinkButton
        title={`Go to this ${words === ORIGINAL ? "run" : "branch"}`}
        onClick={() => goTo(one)}
      >
        {words}
      </LinkButton>
      {notebook && (
        <LinkButton
          aria-label={`Compare with ${words}`}
          title="Insert a cell that compares the two runs"
          onClick={() => notebook.insertBelow(compareCell(of, own))}
        >
          compare
        </LinkButton>
      )}
    </span>
  );
}

function goTo(place: HTMLElement): void {
  place.closest(".nba-run")?.scrollIntoView({ block: "start", behavior: "smooth" });
  place.querySelector<HTMLElement>("button")?.focus({ preventScroll: true });
}
