/**
 * Source text: lines with numbers that are not copied with them, in colours once these have come.
 */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { ColouredPiece } from "../bridge";
import { Pane } from "../page";
import { codeColours, wantColours } from "../texts";
import { plural } from "../words";
import { CopyButton } from "./copy-button";
import { Head } from "./head";

/** So many lines are drawn first. */
const FIRST_LINES = 400;

interface Props {
  text: string;
  name: string;
  language: string;
}

export function Code({ text, name, language }: Props): JSX.Element {
  const isWhole = useSignal(false);
  const lines = useLines(text, language || endingOf(name));
  const shown = isWhole.value ? lines : lines.slice(0, FIRST_LINES);
  const size = plural(lines.length, "line");
  const label = `Code, ${[name, language, size].filter(Boolean).join(", ")}`;
  return (
    <div class="nba-kind">
      <Head name={name} about={[language, size].filter(Boolean).join(" · ")}>
        <CopyButton text={() => text} what="the code" />
      </Head>
      <Pane class="nba-code" label={label}>
        <pre style={`--nba-digits:${String(lines.length).length}`}>
          {shown.map((line, at) => (
            <span key={at} class="nba-code-line">
              {line.map(([piece, scope], place) =>
                scope ? (
                  <span key={place} class={`nba-hl-${scope}`}>
                    {piece}
                  </span>
                ) : (
                  piece
                ),
              )}
              {"\n"}
            </span>
          ))}
        </pre>
      </Pane>
      {shown.length < lines.length && (
        <button
          type="button"
          class="nba-link"
          onClick={() => {
            isWhole.value = true;
          }}
        >
          Show all {size}
        </button>
      )}
    </div>
  );
}

/** The ending of a file's name, which often is the name of a language. */
function endingOf(name: string): string {
  return /\.(\w+)$/.exec(name)?.[1] ?? "";
}

/** The lines of a text, each by its pieces. */
function useLines(text: string, language: string): ColouredPiece[][] {
  const colours = codeColours();
  useEffect(() => {
    if (language) wantColours();
  }, [language]);
  return useMemo(() => {
    const whole = text.replace(/\r?\n$/, "").replaceAll("\r\n", "\n");
    return linesOf((language && colours?.(whole, language)) || [[whole, ""]]);
  }, [text, language, colours]);
}

function linesOf(pieces: readonly ColouredPiece[]): ColouredPiece[][] {
  const lines: ColouredPiece[][] = [[]];
  for (const [text, scope] of pieces) {
    const [first = "", ...more] = text.split("\n");
    if (first) lines.at(-1)?.push([first, scope]);
    for (const one of more) lines.push(one ? [[one, scope]] : []);
  }
  return lines;
}
