/** Tabs: one of several panels, chosen with the arrow keys or by a click. */
import type { Signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { placeAfter, sets, useOwnId } from "../../page";
import type { CallNode, RunNode } from "../../tree";

export interface Tab {
  name: string;
  label: string;
  draw(): ComponentChildren;
}

/** What the view draws in tabs, since it draws the same elsewhere. */
export interface Lent {
  /** The answer of a run, where it has one. */
  answer(run: RunNode): ComponentChildren;
  /** What a call gave for people to see. */
  views(call: CallNode): ComponentChildren;
  /** What is asked about a call and waits for an answer, and what was decided. */
  decisions(run: RunNode, call: CallNode): ComponentChildren;
  /** What the model wanted, and what ran instead. */
  changed(call: CallNode): ComponentChildren;
  /** What else is known of a call, as a list. */
  facts(call: CallNode): ComponentChildren;
  /** What is asked at the end of a run. */
  questions(run: RunNode): ComponentChildren;
  /** How a run goes: state, time, calls, tokens, chips. */
  figures(run: RunNode): ComponentChildren;
  /** What the calls of a run drew on together, such as a map. */
  stages(): ComponentChildren;
}

interface Props {
  label: string;
  tabs: readonly Tab[];
  /** The name of the tab that is chosen; of one that is not there, the first is. */
  chosen: Signal<string>;
}

export function Tabs({ label, tabs, chosen }: Props): JSX.Element | null {
  const id = useOwnId();
  const open = tabs.find(({ name }) => name === chosen.value) ?? tabs[0];
  if (!open) return null;
  const hear = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const at = tabs.indexOf(open) + tabs.length; // they go round
    const to = placeAfter(event.key, at, tabs.length, ["ArrowLeft", "ArrowRight"]);
    const next = to < 0 ? undefined : tabs[to % tabs.length];
    if (!next || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    chosen.value = next.name;
    const tab = event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next.name}"]`);
    tab?.focus();
  };
  return (
    <>
      <div class="nba-tabs" role="tablist" aria-label={label} onKeyDown={hear}>
        {tabs.map(({ name, label: words }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            data-tab={name}
            aria-selected={name === open.name}
            aria-controls={name === open.name ? id : undefined}
            tabIndex={name === open.name ? 0 : -1}
            onClick={sets(chosen, name)}
          >
            {words}
          </button>
        ))}
      </div>
      <div
        class="nba-tab-panel"
        role="tabpanel"
        id={id}
        aria-labelledby={`${id}-${open.name}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel of text must take the keyboard
        tabIndex={0}
      >
        {open.draw()}
      </div>
    </>
  );
}
