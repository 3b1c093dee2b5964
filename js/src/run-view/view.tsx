/**
 * One view of a run: what was asked, right below it, at full size, the answer, and then what happened.
 */
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { followPlaces } from "../bridge";
import { Dots, useKeptHeight } from "../page";
import { entry } from "../tree";
import { ownerOf, runSentence } from "../words";
import { Came, RunList } from "./calls";
import { Action, Header, hearKey, Shared, Spoken } from "./header";
import { late, latePane, useLateStyles } from "./late";
import { PanesBox } from "./panes-box";
import { Stages } from "./stage-box";
import {
  cameOf,
  type OfRun,
  type RunState,
  resumeLine,
  useView,
  ViewProvider,
  ViewState,
} from "./state";

const AboutRun = latePane(({ AboutRun }) => AboutRun);
const Copies = latePane(({ Copies }) => Copies);
const Keys = latePane(({ Keys }) => Keys);
const Cuts = late(({ Cuts }) => Cuts);
const SeenSteps = late(({ SeenSteps }) => SeenSteps);

export function RunView({ state }: { state: RunState }): JSX.Element {
  const [view] = useState(() => new ViewState(state));
  const { root_ids, runs } = state.tree.value;
  useLateStyles(view);
  useLayoutEffect(() => {
    if (view.root) view.takeOver(view.root);
  }, [view]);
  useEffect(() => {
    const end = new AbortController();
    // A view that is gone may still listen for a frame: the link is not for it.
    const show = (place: string) => view.root?.isConnected === true && view.showPlace(place);
    followPlaces(show, end.signal);
    return () => end.abort();
  }, [view]);
  return (
    <ViewProvider value={view}>
      <div
        class="nba-run"
        data-full={view.isFull.value || undefined}
        ref={(root) => {
          view.root = root;
        }}
      >
        <Spoken state={state} />
        {root_ids.length === 0 && <Empty state={state} />}
        {root_ids.map((id) => {
          const run = entry(runs, id);
          return run && <RunCard key={id} state={state} run={run} />;
        })}
      </div>
    </ViewProvider>
  );
}

function Empty({ state }: { state: RunState }): JSX.Element {
  const late = "Waiting for the kernel. If it has stopped, run the cell again.";
  return <p class="nba-empty">{state.silent.value ? late : "Starting…"}</p>;
}

function RunCard({ state, run }: OfRun): JSX.Element {
  const view = useView();
  const { isPaned } = view;
  const { words, calls } = cameOf({ state, run });
  const label = [ownerOf(run), words.toLowerCase(), calls].filter(Boolean).join(", ");
  return (
    <section
      class="nba-card"
      data-status={run.status}
      aria-label={label}
      onKeyDown={(event) => hearKey(event, view)}
    >
      <Header state={state} run={run} />
      <Shared run={run} />
      {state.cuts.length > 0 && <Cuts state={state} />}
      <Panel state={state} run={run} />
      {isPaned && <Suspended state={state} run={run} />}
      {isPaned ? <PanesBox state={state} run={run} /> : <Whole state={state} run={run} />}
    </section>
  );
}

/** The run from top to bottom. */
function Whole({ state, run }: OfRun): JSX.Element {
  return (
    <>
      <Answer state={state} run={run} />
      <Stages state={state} />
      <RunList state={state} run={run} />
    </>
  );
}

/** What came of the run, right below what was asked: while it goes on, what it is doing. */
function Answer({ state, run }: OfRun): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const isRunning = run.status === "running";
  useKeptHeight(box, isRunning);
  return (
    <div class="nba-came" ref={box}>
      <Came run={run} class="nba-answer">
        {isRunning && <Doing state={state} run={run} />}
      </Came>
      <Suspended state={state} run={run} />
    </div>
  );
}

/** What a run is doing, in words, where its answer will be. */
function Doing({ state, run }: OfRun): JSX.Element {
  const asked = state.asked.value.open.map(({ name }) => name);
  return (
    <p class="nba-doing">
      <Dots />
      {runSentence(run, asked, 0, "")}
    </p>
  );
}

/** A run that waits: how it goes on. */
function Suspended({ state, run }: OfRun): JSX.Element | null {
  const line = resumeLine(state.asked.value, run);
  if (run.resumed_by !== undefined)
    return (
      <div class="nba-resume" role="status">
        <p class="nba-small">
          It was answered, or gone on with, elsewhere: it went on as <code>{run.resumed_by}</code>
        </p>
      </div>
    );
  if (line === null) return null;
  const { notebook } = state.door;
  return (
    <div class="nba-resume">
      <p class="nba-small">
        This run waits for an answer. It asks again and goes on with <code>{line}</code>
      </p>
      {notebook && (
        <Action
          label="Resume in a new cell"
          title={`Insert a cell below: ${line}`}
          onClick={() => notebook.insertBelow(line)}
        />
      )}
    </div>
  );
}

/** What a button of the header opened. */
function Panel({ state, run }: OfRun): JSX.Element | null {
  const { panel } = useView();
  if (!panel.value) return null;
  return (
    <div class="nba-panel">
      {panel.value === "about" && <AboutRun state={state} run={run} />}
      {panel.value === "copies" && <Copies state={state} run={run} />}
      {panel.value === "keys" && <Keys />}
      {panel.value === "seen" && <SeenSteps run={run} />}
    </div>
  );
}
