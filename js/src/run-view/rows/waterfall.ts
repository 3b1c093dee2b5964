/**
 * When a call waited, for what, and when it ran: phases of real times, and where they stand on an axis.
 * Pure, so that it can be drawn elsewhere: all of it comes from the times that nodes have.
 */
import { type CallNode, type RunNode, type Tree, waitingFor } from "../../tree";
import { duration, isOpenCall, runsIn, waitsOf } from "../../words";

/** `model`: it was being thought of; `slot`: it was asked for, and something else had its place. */
export type PhaseKind = "model" | "slot" | "you" | "running";

/** Seconds since 1970; `to_s` is null for as long as it goes on. */
export interface Phase {
  kind: PhaseKind;
  from_s: number;
  to_s: number | null;
}

type Span = readonly [from_s: number, to_s: number | null];

/** Waiting for less than this is no phase; seconds. */
const LEAST_S = 0.001;

/** The phases of a call, in order. */
export function phasesOf(tree: Tree, run: RunNode, call: CallNode): Phase[] {
  const { asked_at, started_at, duration_ms, kept } = call;
  if (kept) return []; // it was made in another run, and then
  const asks = run.awaits.filter((one) => waitingFor(one).includes(call.id));
  const inside = call.child_run_ids.length ? runsIn(tree, [call]).flatMap(waitsOf) : [];
  const own = asks.map((one): Span => [one.asked_at, one.resolved_at ?? run.ended_at]);
  const you = joined([...own, ...inside]);
  const ended_s = started_at === null ? null : endOf(started_at, duration_ms);
  const isOpen = isOpenCall(call) && run.ended_at === null;
  const begun: Span[] =
    started_at === null ? [] : [[started_at, isOpen ? null : (ended_s ?? run.ended_at)]];
  // Of what never began the waiting is known: until it was decided, or still.
  const waited_s = started_at ?? (isOpen ? null : (you.at(-1)?.[1] ?? asked_at));
  const slot: Span[] = asked_at === null ? [] : [[asked_at, waited_s]];
  const sent_at = run.requests.findLast(({ step }) => step === call.step)?.at ?? null;
  const model: Span[] = sent_at === null || asked_at === null ? [] : [[sent_at, asked_at]];
  return [
    ...phases("model", model),
    ...phases("slot", without(slot, you)),
    ...phases("you", you),
    ...phases("running", without(begun, you)),
  ].sort((one, other) => one.from_s - other.from_s);
}

/** The phases of a run that stands for itself: it runs, but for when it asks. */
export function phasesOfRun(tree: Tree, run: RunNode): Phase[] {
  const below = runsIn(tree, Object.values(run.calls));
  const you = joined([run, ...below].flatMap(waitsOf));
  const whole: Span[] = [
    [run.started_at, run.status === "running" ? null : (run.ended_at ?? run.started_at)],
  ];
  return [...phases("you", you), ...phases("running", without(whole, you))].sort(
    (one, other) => one.from_s - other.from_s,
  );
}

function endOf(started_at: number, duration_ms: number | null): number | null {
  return duration_ms === null ? null : started_at + duration_ms / 1000;
}

function phases(kind: PhaseKind, spans: Span[]): Phase[] {
  return spans
    .filter(([from_s, to_s]) => to_s === null || to_s - from_s >= LEAST_S || kind === "running")
    .map(([from_s, to_s]) => ({ kind, from_s, to_s }));
}

/** When phases of one kind were. */
export function spansOf(all: readonly Phase[], kind: PhaseKind): Span[] {
  return all.flatMap((one) => (one.kind === kind ? [[one.from_s, one.to_s] as const] : []));
}

/** Spans that overlap or touch, as one. */
export function joined(spans: readonly Span[]): Span[] {
  const made: [number, number | null][] = [];
  for (const [from_s, to_s] of [...spans].sort(([one], [other]) => one - other)) {
    const last = made.at(-1);
    if (last && (last[1] === null || from_s <= last[1]))
      last[1] = last[1] === null || to_s === null ? null : Math.max(last[1], to_s);
    else made.push([from_s, to_s]);
  }
  return made;
}

/** What of the spans is left without the holes, which do not overlap. */
function without(spans: Span[], holes: Span[]): Span[] {
  return spans.flatMap(([from_s, to_s]) => {
    const left: Span[] = [];
    let at_s: number | null = from_s;
    for (const [hole_s, end_s] of holes) {
      if (at_s === null || (to_s !== null && hole_s >= to_s) || (end_s !== null && end_s <= at_s))
        continue;
      if (hole_s > at_s) left.push([at_s, hole_s]);
      at_s = end_s;
    }
    if (at_s !== null && (to_s === null || at_s < to_s || from_s === to_s)) left.push([at_s, to_s]);
    return left;
  });
}

/** Turns times into seconds from the beginning of the run, with or without the gaps in between. */
export interface Scale {
  from_s: number;
  /** What is left out, in order. */
  gaps: readonly Span[];
}

/** How many seconds from its beginning a time stands on the scale. */
export function secondsAt({ from_s, gaps }: Scale, at_s: number): number {
  let left_out_s = 0;
  for (const [gap_s, end_s] of gaps) {
    if (gap_s >= at_s) break;
    left_out_s += Math.min(end_s ?? at_s, at_s) - gap_s;
  }
  return Math.max(0, at_s - from_s - left_out_s);
}

/** A phase on the scale: where it begins and how long it is in seconds; `null`: it goes on. */
export interface Bar {
  kind: PhaseKind;
  start_s: number;
  length_s: number | null;
}

export function barsOf(all: readonly Phase[], scale: Scale): Bar[] {
  return all.flatMap(({ kind, from_s, to_s }) => {
    if (kind === "you" && scale.gaps.length) return [];
    const start_s = secondsAt(scale, from_s);
    const length_s = to_s === null ? null : secondsAt(scale, to_s) - start_s;
    return [{ kind, start_s, length_s }];
  });
}

/** How far apart the ticks of an axis of so many seconds stand: 1, 2 or 5 of some power of ten. */
export function tickOf(total_s: number): number {
  const least = Math.max(total_s, 0.001) / 4;
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((one) => one * power >= least) ?? 10);
}

const KIND_WORDS: Record<PhaseKind, string> = {
  model: "for the model",
  slot: "for a slot",
  you: "for you",
  running: "running",
};

/** The phases in words: `Waiting for the model 1.2 s, for you 3.0 s; running 2.3 s`. */
export function phaseWords(all: readonly Phase[], now_s: number): string {
  const kinds: PhaseKind[] = ["model", "slot", "you", "running"];
  const told = kinds.flatMap((kind) => {
    const spans = joined(spansOf(all, kind)); // several calls at once take their time once
    const lengths = spans.map(([from_s, to_s]) => Math.max(0, (to_s ?? now_s) - from_s));
    const total_s = lengths.reduce((sum, one) => sum + one, 0);
    return spans.length
      ? [{ kind, words: `${KIND_WORDS[kind]} ${duration(total_s) || "0 s"}` }]
      : [];
  });
  const waits = told.filter(({ kind }) => kind !== "running").map(({ words }) => words);
  const ran = told.filter(({ kind }) => kind === "running").map(({ words }) => words);
  const waiting = waits.length ? `waiting ${waits.join(", ")}` : "";
  const words = [waiting, ...ran].filter(Boolean).join("; ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
