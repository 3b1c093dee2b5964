/**
 * What can be done with a whole run: buttons at the end of its header, and the line for words to look for.
 *
 * @module
 */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { RunNode } from "../tree";
import { familyOf } from "./family";
import { callCount } from "./find";
import { ToolIcon, type ToolIconName } from "./icons";
import { cellAgain } from "./python";
import type { RunState } from "./state";
import { useView } from "./view-state";
import { count, plural } from "./words";

/** With more calls than this, the line for words to look for is always there. */
const MANY_CALLS = 20;

interface ToolProps {
  icon: ToolIconName;
  name: string;
  title?: string;
  isOn?: boolean;
  onClick: (at: HTMLElement) => void;
}

function Tool({ icon, name, title = name, isOn, onClick }: ToolProps): JSX.Element {
  return (
    <button
      type="button"
      class="nba-tool"
      aria-label={name}
      title={title}
      aria-pressed={isOn}
      onClick={({ currentTarget }) => onClick(currentTarget)}
    >
      <ToolIcon name={icon} />
    </button>
  );
}

export function Tools({ state, run }: { state: RunState; run: RunNode }): JSX.Element {
  const view = useView();
  const { notebook } = state.door;
  const { isAll } = state.opened;
  const calls = callCount(state.tree.value);
  return (
    <span class="nba-tools">
      {notebook && (
        <Tool
          icon="again"
          name="Edit and re-run"
          title="Edit and re-run: insert a cell that asks this again"
          onClick={() => notebook.insertBelow(cellAgain(run))}
        />
      )}
      {run.requests.length > 0 && (
        <Tool
          icon="seen"
          name="What the model saw"
          title="What the model saw at each step (run.messages)"
          isOn={view.panel.value === "seen"}
          onClick={() => view.togglePanel("seen")}
        />
      )}
      {calls > 1 && (
        <Tool
          icon={isAll ? "close" : "open"}
          name={isAll ? "Close all" : "Open all"}
          title={`${isAll ? "Close all" : "Open all"} (e)`}
          onClick={() => state.opened.setAll(!isAll)}
        />
      )}
      {calls > 1 && calls <= MANY_CALLS && (
        <Tool
          icon="find"
          name="Filter"
          title="Filter the calls (/)"
          isOn={view.isFinding.value}
          onClick={() => view.toggleFinding()}
        />
      )}
      <Tool
        icon="keys"
        name="Keys"
        title="Keys (?)"
        isOn={view.panel.value === "keys"}
        onClick={() => view.togglePanel("keys")}
      />
      <Tool
        icon={view.isFull.value ? "leave" : "full"}
        name={view.isFull.value ? "Leave full screen" : "Full screen"}
        title={view.isFull.value ? "Leave full screen (Esc)" : "Full screen"}
        onClick={(at) => view.toggleFull(at)}
      />
    </span>
  );
}

/** A way to what waits for the person: from one question to the next. */
export function Review({ state, run }: { state: RunState; run: RunNode }): JSX.Element | null {
  const view = useView();
  const last = useRef("");
  const family = new Set(familyOf(state.tree.value, run).map(({ id }) => id));
  const open = state.asked.value.open.filter((one) => family.has(one.run.id));
  if (!open.length) return null;
  return (
    <button
      type="button"
      class="nba-review"
      title="Go to what waits for you"
      onClick={() => {
        const at = open.findIndex(({ node }) => node.id === last.current);
        const next = open[(at + 1) % open.length];
        if (!next) return;
        last.current = next.node.id;
        view.showQuestion(next);
      }}
    >
      Review ({count(open.length)})
    </button>
  );
}

/** The line for words to look for, and how many calls hold them. */
export function Finder({ state }: { state: RunState }): JSX.Element | null {
  const view = useView();
  const box = useRef<HTMLInputElement>(null);
  const found = view.found.value;
  const all = callCount(state.tree.value);
  const isAsked = view.isFinding.value;
  useEffect(() => {
    if (isAsked) box.current?.focus();
  }, [isAsked]);
  if (all <= MANY_CALLS && !isAsked && !found) return null;
  const words = found ? `${count(found.matching)} of ${plural(found.all, "call")}` : "";
  return (
    <search class="nba-finder">
      <input
        ref={box}
        type="search"
        class="nba-query"
        aria-label="Filter the calls"
        title="By name, arguments, result and state (/)"
        placeholder={`Filter ${plural(all, "call")}`}
        value={view.query.value}
        onInput={({ currentTarget }) => {
          view.query.value = currentTarget.value;
          const counted = view.found.value;
          view.notice.value = counted ? `${counted.matching} of ${counted.all} match` : "";
        }}
      />
      {words && <span class="nba-small">{words}</span>}
    </search>
  );
}

const KEYS: [string, string][] = [
  ["↑ ↓ Home End", "go from row to row"],
  ["→ ←", "open and close a row; from a closed row, back to what holds it"],
  ["e", "open all, close all"],
  ["/", "filter; Esc empties it"],
  ["?", "show or hide these keys"],
  ["Esc", "leave full screen"],
];

export function Keys(): JSX.Element {
  return (
    <dl class="nba-keys" aria-label="Keys">
      {KEYS.map(([keys, does]) => (
        <div key={keys}>
          <dt>
            {keys.split(" ").map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}
