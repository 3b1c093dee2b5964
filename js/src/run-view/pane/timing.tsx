/** What the time went into, as bars against the whole run and in words. */
import type { JSX } from "preact";
import type { RunNode } from "../../tree";
import { duration, ticking } from "../../words";
import { type Fact, FactList } from "../about";
import type { Phase } from "../rows";

const WORDS: Record<Phase["kind"], string> = {
  model: "Waiting for the model",
  slot: "Waiting for a slot",
  you: "Waiting for you",
  running: "Running",
};

interface Props {
  /** The run against which the bars stand. */
  root: RunNode;
  phases: readonly Phase[];
  now_s: number;
}

export function Timing({ root, phases, now_s }: Props): JSX.Element {
  const [first] = phases;
  const last = phases.at(-1);
  if (!first || !last) return <p class="nba-small">It never began.</p>;
  const ran = phases.find(({ kind }) => kind === "running");
  const whole_s = Math.max((root.ended_at ?? now_s) - root.started_at, 0.001);
  const since = (at: number) => Math.max(0, at - root.started_at);
  const share = (of_s: number) => `${((100 * of_s) / whole_s).toFixed(2)}%`;
  const lengthOf = ({ from_s, to_s }: Phase) => Math.max(0, (to_s ?? now_s) - from_s);
  const about = (phase: Phase) => `${WORDS[phase.kind]}, ${duration(lengthOf(phase))}`;
  return (
    <div class="nba-timing">
      <div class="nba-axis" aria-hidden="true">
        <span>0</span>
        <span>{duration(whole_s)}</span>
      </div>
      <div class="nba-phases" aria-hidden="true">
        {phases.map((phase, at) => (
          <i
            key={at}
            title={about(phase)}
            data-waiting={phase.kind !== "running"}
            style={`left:${share(since(phase.from_s))};width:${share(lengthOf(phase))}`}
          />
        ))}
      </div>
      <FactList
        facts={[
          ["Began", ran && beginning(since(ran.from_s))],
          ...phases.map((one): Fact => [WORDS[one.kind], duration(lengthOf(one)) || "0 s"]),
          ["In all", phases.length > 1 ? duration((last.to_s ?? now_s) - first.from_s) : ""],
        ]}
      />
    </div>
  );
}

function beginning(after_s: number): string {
  return after_s < 0.0005 ? "with the run" : `${ticking(after_s)} after the run`;
}
