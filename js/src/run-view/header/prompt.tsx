/** What a run was asked, as it was written, and what was handed over with it. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { flips, LinkButton, Pane } from "../../page";
import type { RunNode } from "../../tree";
import { visible } from "../../visible-text";
import { clipped, isByHand, textSize } from "../../words";

const SHARED_CHARACTERS = 300;
/** Of a prompt that has more of either, the beginning is shown. */
const CHARACTERS = 400;
const LINES = 6;

/** The prompt; of a long one the beginning, which opens. */
export function Prompt({ run }: { run: RunNode }): JSX.Element | null {
  const { prompt } = run;
  const isWhole = useSignal(false);
  const head = isByHand(run) ? "" : headOf(prompt);
  if (!head) return <div class="nba-prompt" />;
  const isLong = head.length < prompt.trim().length;
  return (
    <div class="nba-prompt">
      <span class="nba-spoken">Asked: </span>
      {isLong && isWhole.value ? (
        <Pane label="The prompt">{visible(prompt)}</Pane>
      ) : (
        <span class="nba-prompt-text">{visible(head) + (isLong ? "…" : "")}</span>
      )}
      {isLong && (
        <LinkButton aria-expanded={isWhole.value} onClick={flips(isWhole)}>
          {isWhole.value ? "Show less" : `Show all (${textSize(prompt)})`}
        </LinkButton>
      )}
    </div>
  );
}

function headOf(prompt: string): string {
  const lines = prompt.trim().slice(0, CHARACTERS).split("\n", LINES).join("\n");
  // Not in the middle of a character.
  return lines.replace(/[\ud800-\udbff]$/, "").trimEnd();
}

/** What was handed over with the prompt. */
export function Shared({ run }: { run: RunNode }): JSX.Element | null {
  if (!run.shared.length) return null;
  return (
    <div class="nba-shared">
      <span aria-hidden="true">Shared:</span>
      <ul aria-label="Shared with the model">
        {run.shared.map((one, at) => (
          <li key={at}>{clipped(one, SHARED_CHARACTERS)}</li>
        ))}
      </ul>
    </div>
  );
}
