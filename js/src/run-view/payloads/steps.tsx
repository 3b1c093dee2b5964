/** What neighbouring calls drew on, such as the map, taken back to how each of them left it. */
import type { JSX } from "preact";
import { ActionButton } from "../../page";
import type { RunState } from "../state";

interface Props {
  state: RunState;
  /** The keys of the calls, in order. */
  of: readonly string[];
}

/** Goes through the steps of a closed group; opened, each row has a button of its own. */
export function ShowSteps({ state, of }: Props): JSX.Element | null {
  const steps = of.filter((key) => state.stages.of(key).length > 0);
  const [stage] = state.stages.of(steps[0] ?? "");
  if (!stage || steps.length < 2) return null;
  const at = steps.indexOf(stage.pinned.value ?? "");
  const go = (to: number) => stage.pin(steps.at(to % steps.length) ?? null);
  const words = `the ${stage.name} as each of these ${steps.length} calls left it`;
  if (at < 0) {
    return (
      <ActionButton class="nba-step" title={`Show ${words}`} onClick={() => go(0)}>
        Show each step
      </ActionButton>
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <span class="nba-steps" role="group" aria-label={`Steps: ${words}`}>
      <ActionButton aria-label="Step before" onClick={() => go(at - 1)}>
        ‹
      </ActionButton>
      <span class="nba-small" aria-live="polite">
        Step {at + 1} of {steps.length}
      </span>
      <ActionButton aria-label="Next step" onClick={() => go(at + 1)}>
        ›
      </ActionButton>
    </span>
  );
}
