/** What changed between two texts, by lines, with a little of what stands around. */
import { structuredPatch } from "diff";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { grouped, plural } from "../words";
import { Head } from "./head";
import { Lines } from "./lines";

const CONTEXT = 3;
/** A comparison that takes longer is given up. */
export const PATIENCE_MS = 400;

interface Props {
  before: string;
  after: string;
  name: string;
}

interface Changes {
  lines: string[];
  added: number;
  removed: number;
}

/** The lines of a unified diff; `null` where the texts are too long to compare. */
export function changesOf(before: string, after: string): Changes | null {
  const options = { context: CONTEXT, timeout: PATIENCE_MS };
  const patch = structuredPatch("", "", ended(before), ended(after), "", "", options);
  if (!patch) return null;
  const lines = patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: hunk }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...hunk,
  ]);
  const begin = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return { lines, added: begin("+"), removed: begin("-") };
}

/** A last line without its end is no other line for that. */
function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

export function Diff({ before, after, name }: Props): JSX.Element {
  const changes = useMemo(() => changesOf(before, after), [before, after]);
  if (!changes?.lines.length) {
    const about = changes ? "No line differs" : "The texts are too long to compare here";
    return <Head name={name} about={about} />;
  }
  const { lines } = changes;
  const about = `${plural(changes.added, "line")} added, ${grouped(changes.removed)} removed`;
  return (
    <Lines
      name={name}
      about={about}
      class="nba-diff"
      label={`Changes, ${about}`}
      lines={lines}
      draw={(line, at) => <Line key={at} line={line} />}
      text={() => lines.join("\n")}
      what="the changes"
    />
  );
}

/** A line with its sign; added and removed ones are so called for those who listen. */
function Line({ line }: { line: string }): JSX.Element {
  const text = `${line}\n`;
  switch (line[0]) {
    case "+":
      return <ins>{text}</ins>;
    case "-":
      return <del>{text}</del>;
    default:
      return <span data-hunk={line[0] === "@"}>{text}</span>;
  }
}
