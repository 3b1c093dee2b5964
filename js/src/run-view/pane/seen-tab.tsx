/** What the model saw in a step: all of it, or what differs from the step before. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { ActionButton, flips } from "../../page";
import { Diff } from "../../renderers";
import type { RunNode } from "../../tree";
import { OneStep, seenSteps, seenText } from "../seen";

interface Props {
  run: RunNode;
  step: number;
}

export function SeenTab({ run, step }: Props): JSX.Element {
  const isDiff = useSignal(false);
  const all = seenSteps(run);
  const at = all.findIndex((one) => one.step === step);
  const seen = all[at];
  const before = all[at - 1];
  if (!seen) return <p class="nba-small">What was sent in this step is not known.</p>;
  return (
    <>
      {before && (
        <p class="nba-seen-switch">
          <ActionButton aria-pressed={isDiff.value} onClick={flips(isDiff)}>
            Only what differs from step {before.step}
          </ActionButton>
        </p>
      )}
      {before && isDiff.value ? (
        <Diff
          before={seenText(run, before)}
          after={seenText(run, seen)}
          name={`Since step ${before.step}`}
        />
      ) : (
        <OneStep run={run} seen={seen} />
      )}
    </>
  );
}
