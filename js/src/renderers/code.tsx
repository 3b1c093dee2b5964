/**
 * Source text: lines with numbers that are not copied with them.
 *
 * @module
 */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { Pane } from "../run-view/pane";
import { plural } from "../run-view/words";
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
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
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
              {`${line}\n`}
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
