/** The glyphs of states. They are decorative: the state is always said in words beside them. */
import type { JSX } from "preact";
import type { CallStatus } from "../tree";
import type { Sign } from "../words";

const PATHS: Record<Exclude<CallStatus | Sign, "running">, string> = {
  partly: "M8 3.5v5.5M8 12h.01",
  preparing: "M4 8h.01M8 8h.01M12 8h.01",
  waiting: "M6 4.5v7M10 4.5v7",
  done: "M3.5 8.5l3 3 6-7",
  completed: "M3.5 8.5l3 3 6-7",
  failed: "M4.5 4.5l7 7M11.5 4.5l-7 7",
  denied: "M8 2.8a5.2 5.2 0 100 10.4A5.2 5.2 0 008 2.8zM4.4 4.4l7.2 7.2",
  cancelled: "M4.8 4.8h6.4v6.4H4.8z",
  suspended: "M6 4.5v7M10 4.5v7",
  timed_out: "M8 2.8a5.2 5.2 0 100 10.4A5.2 5.2 0 008 2.8zM8 5v3.2l2 1.3",
  limit: "M3.5 12.5v-9M12.5 12.5v-9M6 8h4",
  skipped: "M4.5 8h7",
  unknown: "M6 6.2a2 2 0 113 1.7c-.7.4-1 .8-1 1.6M8 12h.01",
};

/** How it is drawn, the stylesheet says: a run may have thousands. */
function Icon({ d, class: name }: { d: string; class: string }): JSX.Element {
  return (
    <svg class={name} viewBox="0 0 16 16" aria-hidden="true">
      <path d={d} />
    </svg>
  );
}

export function StatusIcon({ status }: { status: CallStatus | Sign }): JSX.Element {
  if (status === "running") return <span class="nba-glyph nba-spinner" aria-hidden="true" />;
  return <Icon class="nba-glyph" d={PATHS[status]} />;
}

/** What the buttons of the header do. */
const TOOLS = {
  open: "M5 6.5l3-3 3 3M5 9.5l3 3 3-3",
  close: "M5 3.5l3 3 3-3M5 12.5l3-3 3 3",
  seen: "M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8zM8 6.4a1.6 1.6 0 110 3.2 1.6 1.6 0 010-3.2z",
  find: "M7 2.8a4.2 4.2 0 110 8.4 4.2 4.2 0 010-8.4zM10.2 10.2l3.3 3.3",
  full: "M2.8 6V2.8H6M10 2.8h3.2V6M13.2 10v3.2H10M6 13.2H2.8V10",
  leave: "M6 2.8V6H2.8M13.2 6H10V2.8M10 13.2V10h3.2M2.8 10H6v3.2",
  again: "M3 11.6L3 13h1.4l7.8-7.8-1.4-1.4zM9.6 5l1.4 1.4",
  rerun: "M12.6 6.4A5 5 0 1013 9M12.9 3v3.5H9.4",
  copies: "M6 5.5V3h7v7h-2.5M3 6h7v7H3z",
  about: "M8 2.6a5.4 5.4 0 110 10.8A5.4 5.4 0 018 2.6zM8 7.4v3.4M8 5.2h.01",
  panes: "M2 3.5h12v9H2zM6.8 3.5v9",
  keys: "M2 4.5h12v7H2zM4.6 6.8h.01M8 6.8h.01M11.4 6.8h.01M5 9.3h6",
} as const;

export type ToolIconName = keyof typeof TOOLS;

export function ToolIcon({ name }: { name: ToolIconName }): JSX.Element {
  return <Icon class="nba-tool-icon" d={TOOLS[name]} />;
}

/** Stands for what goes on. */
export function Dots(): JSX.Element {
  return (
    <span class="nba-glyph nba-dots" aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  );
}

export function Chevron(): JSX.Element {
  return <Icon class="nba-chevron" d="M6 4l4 4-4 4" />;
}
