/** Where the stages of a run stand. The module of each is fetched when there is something to draw. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { ActionButton } from "../page";
import type { RunState, Stage } from "./state";

export function Stages({ state }: { state: RunState }): JSX.Element {
  return (
    <>
      {state.stages.all.value.map((stage) => (
        <StageBox key={`${stage.kind} ${stage.name}`} state={state} stage={stage} />
      ))}
    </>
  );
}

function StageBox({ state, stage }: { state: RunState; stage: Stage }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const problem = useSignal("");
  useEffect(() => {
    const end = new AbortController();
    if (box.current) {
      state.drawStage(stage, box.current, end.signal).catch((reason: unknown) => {
        problem.value = `The ${stage.name} could not be shown: ${String(reason)}`;
      });
    }
    return () => end.abort();
  }, [state, stage, problem]);
  return (
    <div class="nba-stage">
      <div ref={box} />
      {stage.pinned.value !== null && (
        <p class="nba-pinned nba-small">
          As an earlier step left it
          <ActionButton onClick={() => stage.pin(null)}>Show the newest</ActionButton>
        </p>
      )}
      {problem.value && <p class="nba-small">{problem.value}</p>}
    </div>
  );
}
