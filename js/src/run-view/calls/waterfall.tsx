/**
 * The column beside the rows that shows when each waited and ran: its bars, its axis, and what they say
 * in words where one points.
 */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { Button, flips } from "../../page";
import { type CallNode, entry, type RunNode, type Tree } from "../../tree";
import { duration, isWaitingWorth, usedBy, waited } from "../../words";
import {
  barsOf,
  joined,
  type Phase,
  phasesOf,
  phasesOfRun,
  phaseWords,
  type Row,
  type Scale,
  secondsAt,
  spansOf,
  tickOf,
} from "../rows";
import { type RunState, useView } from "../state";

/** Of a group with more calls than this only the whole time is drawn. */
const MANY = 40;
/** With a shorter whole an axis says nothing. */
const LEAST_S = 0.001;

/** Seconds from the run's beginning; where the waiting for people is left out, without it. */
export function useScale(state: RunState, run: RunNode): Scale {
  const isWithout = useView().leavesOut.value;
  const gaps = isWithout ? JSON.stringify(joined(usedBy(state.tree.value, run).waits)) : "[]";
  return useMemo(
    () => ({ from_s: run.started_at, gaps: JSON.parse(gaps) }),
    [run.started_at, gaps],
  );
}

/** How long the scale is. */
export function lengthOf(scale: Scale, run: RunNode, now_s: number): number {
  return Math.max(secondsAt(scale, run.ended_at ?? now_s), LEAST_S);
}

interface Kept {
  /** What it was made of, beside the call. */
  of: unknown[];
  phases: Phase[];
}

const kept = new WeakMap<CallNode, Kept>();

/** The phases of a row; the same object for as long as nothing of them changes. */
export function phasesOfCall(tree: Tree, run: RunNode, call: CallNode): Phase[] {
  const runs = call.child_run_ids.map((id) => entry(tree.runs, id));
  const of = [run.awaits, run.requests, run.ended_at, ...runs];
  const known = kept.get(call);
  if (known && known.of.length === of.length && known.of.every((one, at) => one === of[at]))
    return known.phases;
  const made = phasesOf(tree, run, call);
  // The next request of the run changes nothing for a call that is over.
  const phases = known && isSame(known.phases, made) ? known.phases : made;
  kept.set(call, { of, phases });
  return phases;
}

function isSame(some: Phase[], others: Phase[]): boolean {
  return some.length === others.length && some.every((one, at) => isAlike(one, others[at]));
}

function isAlike({ kind, from_s, to_s }: Phase, other: Phase | undefined): boolean {
  return kind === other?.kind && from_s === other.from_s && to_s === other.to_s;
}

/** When several calls ran together: each of them, or of very many the whole. */
export function phasesOfGroup(tree: Tree, run: RunNode, calls: CallNode[]): Phase[] {
  const all = calls.flatMap((call) => phasesOfCall(tree, run, call));
  return (["you", "running"] as const).flatMap((kind) => {
    const spans = spansOf(all, kind);
    const drawn = calls.length > MANY ? joined(spans) : spans;
    return drawn.map(([from_s, to_s]) => ({ kind, from_s, to_s }));
  });
}

interface FallProps {
  phases: Phase[];
  scale: Scale;
}

/** The bars of one row: seconds as custom properties, scaled by the stylesheet. */
export function Fall({ phases, scale }: FallProps): JSX.Element {
  return (
    <span class="nba-fall" aria-hidden="true">
      {barsOf(phases, scale).map(({ kind, start_s, length_s }, at) => (
        <i
          key={at}
          data-phase={kind}
          style={`--nba-start:${start_s.toFixed(4)}${length_s === null ? "" : `;--nba-length:${length_s.toFixed(4)}`}`}
        />
      ))}
    </span>
  );
}

interface OfRun {
  state: RunState;
  run: RunNode;
  scale: Scale;
}

/** The axis above the bars, and what leaves the waiting for people out. */
export function Axis({ state, run, scale }: OfRun): JSX.Element {
  const view = useView();
  const now_s = run.ended_at ?? state.clock.now_s.value;
  const waited_s = waited(usedBy(state.tree.value, run).waits, now_s);
  const total_s = lengthOf(scale, run, now_s);
  const tick_s = tickOf(total_s);
  const ticks = Array.from({ length: Math.floor(total_s / tick_s) }, (_, at) => (at + 1) * tick_s);
  const isWithout = view.leavesOut.value;
  return (
    <>
      {isWaitingWorth(waited_s) && (
        <Button
          class="nba-switch nba-leave-out"
          aria-pressed={isWithout}
          title={`Bars ${isWithout ? "with" : "without"} the time you were waited for`}
          onClick={flips(view.leavesOut)}
        >
          {isWithout ? "Without waiting for you" : "With waiting for you"}
        </Button>
      )}
      <span class="nba-axis" aria-hidden="true">
        {ticks.map((at_s) => (
          <span key={at_s} style={`left:${((100 * at_s) / total_s).toFixed(2)}%`}>
            {tickWords(at_s)}
          </span>
        ))}
      </span>
    </>
  );
}

function tickWords(at_s: number): string {
  if (at_s < 1) return `${Math.round(at_s * 1e6) / 1e3} ms`;
  return at_s < 60 ? `${Math.round(at_s * 10) / 10} s` : duration(at_s);
}

interface Told {
  words: string;
  top_px: number;
}

/** What the bars of a row say in words, while it is pointed at or has the focus of the keyboard. */
export function useTip({ state, run: root, scale }: OfRun, rows: Row[]) {
  const told = useSignal<Told | null>(null);
  const tell = (target: EventTarget | null, isPointed: boolean) => {
    const at = target instanceof Element ? target : null;
    const found = at?.closest(isPointed ? ".nba-fall" : ".nba-row:focus-visible");
    const item = found?.closest<HTMLElement>("li");
    const row = item && rows.find(({ key }) => key === item.dataset.id);
    const phases = row ? phasesOfRow(state.tree.peek(), row) : [];
    if (!item || !phases.length) {
      told.value = null;
      return;
    }
    const now_s = root.ended_at ?? state.clock.now_s.peek();
    const drawn = scale.gaps.length ? phases.filter(({ kind }) => kind !== "you") : phases;
    const words = `${phaseWords(drawn, now_s)}${fromWords(drawn, scale)}`;
    told.value = { words, top_px: item.offsetTop };
  };
  const heard = {
    onPointerOver: (event: PointerEvent) => tell(event.target, true),
    onPointerLeave: () => tell(null, true),
    onFocusIn: (event: FocusEvent) => tell(event.target, false),
    onFocusOut: () => tell(null, false),
    onKeyUp: (event: KeyboardEvent) => {
      if (event.key === "Escape") tell(null, false);
    },
  };
  return { told, heard };
}

/** Those words, near the row. */
export function Tip({ told }: { told: ReadonlySignal<Told | null> }): JSX.Element | null {
  const tip = told.value;
  return (
    tip && (
      <div class="nba-tip" role="tooltip" style={`top:${tip.top_px}px`}>
        {tip.words}
      </div>
    )
  );
}

function phasesOfRow(tree: Tree, row: Row): Phase[] {
  if (row.type === "call") return phasesOfCall(tree, row.run, row.call);
  if (row.type === "group") return phasesOfGroup(tree, row.run, row.group.calls);
  return row.type === "run" ? phasesOfRun(tree, row.child) : [];
}

/** `; from 1.2 s on`, as the axis counts. */
function fromWords(phases: Phase[], scale: Scale): string {
  if (!phases.length) return "";
  const from_s = secondsAt(scale, Math.min(...phases.map((one) => one.from_s)));
  return `; from ${duration(from_s) || "0 s"} on`;
}
