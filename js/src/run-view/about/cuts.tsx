/** What a saved run lacks, each part named. */
import type { JSX } from "preact";
import { FoldBox } from "../../page";
import { plural } from "../../words";
import type { RunState } from "../state";

export function Cuts({ state }: { state: RunState }): JSX.Element {
  const { cuts } = state;
  return (
    <div class="nba-panel">
      <FoldBox label={`Shortened in ${plural(cuts.length, "place")}; the log has more`}>
        {() => (
          <ul class="nba-small">
            {cuts.map(({ text }, at) => (
              <li key={at}>{text}</li>
            ))}
          </ul>
        )}
      </FoldBox>
    </div>
  );
}
