/** A log: its newest lines in sight, filtered by what is typed or by level. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Pane } from "../page";
import { grouped, plural } from "../words";
import { CopyButton } from "./copy-button";
import { Head } from "./head";

export interface LogLine {
  /** In capitals; nothing where none was said. */
  level: string;
  text: string;
}

/** So many lines are drawn, from the end. */
const LAST_LINES = 500;
/** With fewer lines nobody needs a filter. */
const FILTERED_LINES = 8;
/** The reader is at the end if no more than this is below, in pixels. */
const NEAR_PX = 8;

export function Log({ lines, levels }: { lines: LogLine[]; levels: string[] }): JSX.Element {
  const words = useSignal("");
  const level = useSignal("");
  const drawn = useSignal(LAST_LINES);
  const wanted = words.value.toLowerCase();
  const found = lines.filter(
    (line) =>
      (!level.value || line.level === level.value) &&
      (!wanted || `${line.level} ${line.text}`.toLowerCase().includes(wanted)),
  );
  const size = plural(lines.length, "line");
  const about = found.length === lines.length ? size : `${grouped(found.length)} of ${size}`;
  const isFiltered = lines.length >= FILTERED_LINES;
  return (
    <div class="nba-kind">
      <Head about={`Log · ${about}`}>
        {isFiltered && (
          <input
            type="text"
            class="nba-field"
            placeholder="Filter"
            aria-label="Filter the lines of the log"
            value={words.value}
            onInput={({ currentTarget }) => {
              words.value = currentTarget.value;
            }}
            onKeyDown={keep}
          />
        )}
        {isFiltered && levels.length > 1 && (
          <select
            class="nba-field"
            aria-label="Level"
            value={level.value}
            onChange={({ currentTarget }) => {
              level.value = currentTarget.value;
            }}
            onKeyDown={keep}
          >
            <option value="">All levels</option>
            {levels.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        )}
        <CopyButton text={() => found.map(lineText).join("\n")} what="the lines" />
      </Head>
      <Lines found={found} drawn={drawn.value} />
      {found.length > drawn.value && (
        <button
          type="button"
          class="nba-link"
          onClick={() => {
            drawn.value += 10 * LAST_LINES;
          }}
        >
          Show earlier lines ({grouped(found.length - drawn.value)})
        </button>
      )}
    </div>
  );
}

/** The pane, which stays at its end for as long as the reader is there. */
function Lines({ found, drawn }: { found: LogLine[]; drawn: number }): JSX.Element {
  const pane = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    if (pane.current && isAtEnd.current) pane.current.scrollTop = pane.current.scrollHeight;
  });
  const shown = found.slice(-drawn);
  const first = found.length - shown.length;
  return (
    <Pane
      box={pane}
      class="nba-lines"
      label="Log"
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        isAtEnd.current = scrollHeight - clientHeight - scrollTop <= NEAR_PX;
      }}
    >
      {shown.length === 0 && <p class="nba-small">No such line</p>}
      <pre>
        {shown.map((line, at) => (
          <span key={first + at} class="nba-log-line" data-level={line.level}>
            {line.level && <b>{line.level}</b>}
            {`${line.level ? " " : ""}${line.text}\n`}
          </span>
        ))}
      </pre>
    </Pane>
  );
}

function lineText({ level, text }: LogLine): string {
  return level ? `${level} ${text}` : text;
}

/** What is typed here is no command of the rows around. */
function keep(event: KeyboardEvent): void {
  if (event.key !== "Escape") event.stopPropagation();
}
