/**
 * The tree at the left: one row for each run, step and call. The arrow keys move what is selected.
 */
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Chevron, StatusIcon, useGrowing } from "../../page";
import type { RunNode } from "../../tree";
import {
  argumentsLine,
  CALL_WORDS,
  callSign,
  clipped,
  duration,
  plural,
  preview,
  tellingIn,
  troublesInside,
} from "../../words";
import { cameOf, type RunState, shownStatus } from "../state";
import { nameOf, type PaneNode } from "./node";
import { moveFrom, type OutlineRow, rowKeyOf } from "./outline";

interface Props {
  state: RunState;
  root: RunNode;
  rows: readonly OutlineRow[];
  selected: string;
  select(key: string): void;
  open(key: string, isOpen: boolean): void;
}

export function Tree({ state, root, rows, selected, select, open }: Props): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const current = rowKeyOf(rows, selected);
  const at = rows.findIndex(({ place }) => place.key === current);
  const drawn = Math.max(useGrowing(rows.length), at + 1);
  useLayoutEffect(() => {
    const row = box.current?.querySelector<HTMLElement>('[aria-selected="true"]');
    row?.scrollIntoView?.({ block: "nearest" });
    if (box.current?.contains(document.activeElement)) row?.focus({ preventScroll: true });
  }, [current, rows.length]);
  const hear = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = moveFrom(rows, event.key, current);
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    if ("to" in move) select(move.to);
    else open(move.open, move.isOpen);
  };
  return (
    <div class="nba-tree" role="tree" aria-label="Calls" ref={box} onKeyDown={hear}>
      {rows.slice(0, drawn).map((row) => (
        <TreeRow
          key={row.place.key}
          state={state}
          root={root}
          row={row}
          isSelected={row.place.key === current}
          select={select}
          open={open}
        />
      ))}
    </div>
  );
}

interface RowProps extends Pick<Props, "state" | "root" | "select" | "open"> {
  row: OutlineRow;
  isSelected: boolean;
}

function TreeRow({ state, root, row, isSelected, select, open }: RowProps): JSX.Element {
  const { place, level, isOpen } = row;
  const { sign, about, words, time, from_s, length_s } = rowOf(state, place);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree hears the keys of its rows
    <div
      class="nba-tree-row nba-line"
      role="treeitem"
      data-type={place.type}
      data-status={sign ?? undefined}
      data-key={place.key}
      style={`--nba-level:${level}`}
      aria-level={level}
      aria-selected={isSelected}
      aria-expanded={isOpen ?? undefined}
      aria-label={[nameOf(place), about, words, time].filter(Boolean).join(", ")}
      tabIndex={isSelected ? 0 : -1}
      onClick={(event) => {
        const { target, currentTarget } = event;
        const isFold = target instanceof Element && target.closest(".nba-chevron") !== null;
        if (isFold && isOpen !== null) open(place.key, !isOpen);
        else select(place.key);
        currentTarget.focus({ preventScroll: true });
      }}
    >
      {isOpen === null ? <span class="nba-no-chevron" /> : <Chevron />}
      {sign ? <StatusIcon status={sign} /> : <span class="nba-glyph" />}
      <span class="nba-tree-name">{nameOf(place)}</span>
      <span class="nba-tree-about">{about}</span>
      <span class="nba-tree-bar" aria-hidden="true">
        {from_s !== null && <i style={spanOf(root, from_s, length_s)} />}
      </span>
      <span class="nba-time">{time}</span>
    </div>
  );
}

function spanOf(root: RunNode, from_s: number, length_s: number): string {
  const whole_s = Math.max((root.ended_at ?? from_s + length_s) - root.started_at, 0.001);
  const left = Math.min((100 * (from_s - root.started_at)) / whole_s, 99);
  const width = Math.min((100 * length_s) / whole_s, 100 - left);
  return `left:${left.toFixed(2)}%;width:${width.toFixed(2)}%`;
}

function rowOf(state: RunState, place: PaneNode) {
  const { run } = place;
  if (place.type === "step") {
    const sent = run.requests.find(({ step }) => step === place.step)?.message_count ?? 0;
    const about = `${plural(sent, "message")} to the model`;
    return { sign: null, about, words: "", time: "", from_s: null, length_s: 0 };
  }
  if (place.type === "run") {
    const { sign, words } = cameOf({ state, run });
    const length_s = run.ended_at === null ? 0 : run.ended_at - run.started_at;
    const about = clipped(run.prompt, 60);
    return { sign, about, words, time: duration(length_s), from_s: run.started_at, length_s };
  }
  const { call, child } = place;
  const status = shownStatus(state.asked.value, run.id, call);
  const about =
    clipped(child?.prompt ?? "", 60) ||
    argumentsLine(call, tellingIn(run).get(call.name)) ||
    preview(call);
  const length_s = (call.duration_ms ?? 0) / 1000;
  const time = call.duration_ms === null ? "" : duration(length_s);
  return {
    sign: callSign(call, status, troublesInside(state.tree.value, [call])),
    about,
    words: CALL_WORDS[status],
    time,
    from_s: call.started_at,
    length_s,
  };
}
