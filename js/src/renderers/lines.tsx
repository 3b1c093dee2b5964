/** A text by its lines: at first so many of them, and a button for the others. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { LinkButton, Pane, sets } from "../page";
import { plural } from "../words";
import { CopyButton, Head } from "./head";

const FIRST_LINES = 400;

interface Props<Line> {
  name: string;
  about: string;
  lines: readonly Line[];
  draw: (line: Line, at: number) => ComponentChildren;
  /** What is copied, and what that is for those who listen. */
  text: () => string;
  what: string;
  /** Of the pane. */
  class: string;
  label: string;
}

export function Lines<Line>(props: Props<Line>): JSX.Element {
  const { name, about, lines, draw, text, what, class: kind, label } = props;
  const isWhole = useSignal(false);
  const shown = isWhole.value ? lines : lines.slice(0, FIRST_LINES);
  return (
    <div class="nba-kind">
      <Head name={name} about={about}>
        <CopyButton text={text} what={what} />
      </Head>
      <Pane class={kind} label={label}>
        <pre style={`--nba-digits:${String(lines.length).length}`}>{shown.map(draw)}</pre>
      </Pane>
      {shown.length < lines.length && (
        <LinkButton onClick={sets(isWhole, true)}>
          Show all {plural(lines.length, "line")}
        </LinkButton>
      )}
    </div>
  );
}
