/** Stops one call, or one run inside the run. */
import type { JSX } from "preact";
import type { Part } from "../../bridge";
import { Button } from "../../page";
import { entry } from "../../tree";
import { visibleName } from "../../visible-text";
import { partKey, type RunState } from "../state";

interface Props extends Part {
  state: RunState;
  name: string;
}

export function StopPart({ state, name, ...part }: Props): JSX.Element | null {
  const run = entry(state.tree.value.runs, part.run_id);
  if (!state.door.isLive || run?.status !== "running") return null;
  const isStopping = state.stoppingParts.value.has(partKey(part));
  const label = `${isStopping ? "Stopping" : "Stop"} ${visibleName(name)}`;
  return (
    <Button
      class="nba-stop-part"
      aria-label={label}
      title={label}
      onClick={() => state.stopPart(part)}
    >
      <span class="nba-stop-square" aria-hidden="true" />
      {isStopping && "Stopping…"}
    </Button>
  );
}
