/** A log: its newest lines in sight, filtered by what is typed or by level. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { LinkButton, Pane, sets, writes } from "../page";
import { grouped, plural } from "../words";
import { CopyButton, Head } from "./head";

export interface LogLine {
  /** In capitals; nothing where none was said. */
  level: string;
  text: string;
}

/** So many lines are drawn, from the end. */
const LAST_LINES = 500;
/** With fewer lines nobody needs a filter. */
const FILTERED_LINES = 8;

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
  const shown = found.slice(-drawn.value);
  const first = found.length - shown.length;
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
            onInput={writes(words)}
            onKeyDown={keep}
          />
        )}
        {isFiltered && levels.length > 1 && (
          <select
            class="nba-field"
            aria-label="Level"
            value={level.value}
            onChange={writes(level)}
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
      <Pane class="nba-lines" label="Log" isAtEnd>
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
      {first > 0 && (
        <LinkButton onClick={sets(drawn, drawn.value + 10 * LAST_LINES)}>
          Show earlier lines ({grouped(first)})
        </LinkButton>
      )}
    </div>
  );
}

function lineText({ level, text }: LogLine): string {
  return level ? `${level} ${text}` : text;
}

/** What is typed here is no command of the rows around. */
function keep(event: KeyboardEvent): void {
  if (event.key !== "Escape") event.stopPropagation();
}
