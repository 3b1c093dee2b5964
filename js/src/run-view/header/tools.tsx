/**
 * What can be done with a whole run: buttons at the end of its header, and the line for words to look for.
 */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Button, flips, ToolIcon, type ToolIconName } from "../../page";
import { cellAgain, familyOf, grouped, plural } from "../../words";
import { callCount, type OfRun, type Panel, type RunState, useView } from "../state";

/** With more calls than this, the line for words to look for is always there. */
const MANY_CALLS = 20;

interface ToolProps {
  icon: ToolIconName;
  name: string;
  title?: string;
  isOn?: boolean;
  onClick: () => void;
}

function Tool({ icon, name, title = name, isOn, onClick }: ToolProps): JSX.Element {
  return (
    <Button
      class="nba-tool"
      aria-label={name}
      title={title}
      aria-pressed={isOn}
      data-tool={icon}
      onClick={onClick}
    >
      <ToolIcon name={icon} />
    </Button>
  );
}

/** One that opens and closes a panel below the header. */
function PanelTool({ panel, ...said }: { panel: Panel; name: string; title: string }): JSX.Element {
  const view = useView();
  const isOn = view.panel.value === panel;
  return <Tool {...said} icon={panel} isOn={isOn} onClick={() => view.togglePanel(panel)} />;
}

export function Tools({ state, run }: OfRun): JSX.Element {
  const view = useView();
  const { notebook } = state.door;
  const { isPaned } = view;
  const isOver = run.status !== "running";
  const { isAll } = state.opened;
  const calls = callCount(state.tree.value);
  return (
    <span class="nba-tools">
      {notebook && isOver && (
        <Tool
          icon="rerun"
          name="Re-run"
          title="Re-run: run this cell again"
          onClick={() => notebook.runAgain(cellAgain(run))}
        />
      )}
      {notebook && (
        <Tool
          icon="again"
          name="Edit and re-run"
          title="Edit and re-run: insert a cell that asks this again, and write in it"
          onClick={() => notebook.insertBelow(cellAgain(run))}
        />
      )}
      {isOver && (
        <PanelTool
          panel="copies"
          name="Copy and save"
          title="Copy a link, Markdown or Python; save as HTML"
        />
      )}
      {run.requests.length > 0 && (
        <PanelTool
          panel="seen"
          name="What the model saw"
          title="What the model saw at each step (run.messages)"
        />
      )}
      {calls > 1 && !isPaned && (
        <Tool
          icon={isAll ? "close" : "open"}
          name={isAll ? "Close all" : "Open all"}
          title={`${isAll ? "Close all" : "Open all"} (e)`}
          onClick={() => state.opened.setAll(!isAll)}
        />
      )}
      {calls > 1 && calls <= MANY_CALLS && !isPaned && (
        <Tool
          icon="find"
          name="Filter"
          title="Filter the calls (/)"
          isOn={view.isFinding.value}
          onClick={() => view.toggleFinding()}
        />
      )}
      <PanelTool
        panel="about"
        name="About this run"
        title="About this run: what it has used, and its limits"
      />
      <PanelTool panel="keys" name="Keys" title="Keys (?)" />
      {!view.isFull.value && (
        <Tool
          icon="panes"
          name="Side by side"
          title="The calls beside what is known of each"
          isOn={view.isSplit.value}
          onClick={flips(view.isSplit)}
        />
      )}
      <Tool
        icon={view.isFull.value ? "leave" : "full"}
        name={view.isFull.value ? "Leave full screen" : "Full screen"}
        title={view.isFull.value ? "Leave full screen (Esc)" : "Full screen"}
        onClick={() => view.toggleFull()}
      />
    </span>
  );
}

/** A way to what waits for the person: from one question to the next. */
export function Review({ state, run }: OfRun): JSX.Element | null {
  const view = useView();
  const last = useRef("");
  const family = new Set(familyOf(state.tree.value, run).map(({ id }) => id));
  const open = state.asked.value.open.filter((one) => family.has(one.run.id));
  if (!open.length) return null;
  return (
    <Button
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
      Review ({grouped(open.length)})
    </Button>
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
  const many = found ? `${grouped(found.matching)} of ${plural(found.all, "call")}` : "";
  const words = found?.cut
    ? `${many}; of ${plural(found.cut, "long result")} only the beginning`
    : many;
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
