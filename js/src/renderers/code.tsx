/**
 * Source text: lines with numbers that are not copied with them, in colours once these have come.
 */
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { ColouredPiece } from "../bridge";
import { codeColours, wantColours } from "../texts";
import { plural } from "../words";
import { Lines } from "./lines";

interface Props {
  text: string;
  name: string;
  language: string;
}

export function Code({ text, name, language }: Props): JSX.Element {
  const lines = useLines(text, language || endingOf(name));
  const size = plural(lines.length, "line");
  return (
    <Lines
      name={name}
      about={[language, size].filter(Boolean).join(" · ")}
      class="nba-code"
      label={`Code, ${[name, language, size].filter(Boolean).join(", ")}`}
      lines={lines}
      draw={(line, at) => (
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
      )}
      text={() => text}
      what="the code"
    />
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
