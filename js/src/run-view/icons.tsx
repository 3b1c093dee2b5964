/**
 * The glyphs of states. They are decorative: the state is always said in words beside them.
 *
 * @module
 */
import type { JSX } from "preact";
import type { CallStatus, RunStatus } from "../tree";

const PATHS: Record<Exclude<CallStatus | RunStatus, "running">, string> = {
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

function Icon({ d, class: name }: { d: string; class: string }): JSX.Element {
  return (
    <svg
      class={name}
      viewBox="0 0 16 16"
      width="16"
      height="16"
      aria-hidden="true"
      focusable="false"
    >
      <path
        d={d}
        fill="none"
        stroke="currentColor"
        stroke-width="1.7"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

export function StatusIcon({ status }: { status: CallStatus | RunStatus }): JSX.Element {
  if (status === "running") return <span class="nba-glyph nba-spinner" aria-hidden="true" />;
  return <Icon class="nba-glyph" d={PATHS[status]} />;
}

export function Chevron(): JSX.Element {
  return <Icon class="nba-chevron" d="M6 4l4 4-4 4" />;
}
