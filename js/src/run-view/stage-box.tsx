/** Where a stage of the run stands. Its module is fetched when there is something to draw. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { RunState, Stage } from "./state";

interface Props {
  state: RunState;
  stage: Stage;
}

export function StageBox({ state, stage }: Props): JSX.Element {
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
          <button type="button" class="nba-action" onClick={() => stage.pin(null)}>
            Show the newest
          </button>
        </p>
      )}
      {problem.value && <p class="nba-small">{problem.value}</p>}
    </div>
  );
}
