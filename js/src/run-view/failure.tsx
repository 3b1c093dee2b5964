/**
 * Why something failed: what the model was told, then what only the person sees.
 *
 * @module
 */
import type { JSX } from "preact";
import type { Failure } from "../events";
import { FoldBox } from "./fold-box";
import { Plain, plainText } from "./texts";

const KINDS: Record<Failure["kind"], string> = {
  invalid_call: "The call was not valid",
  domain_rejection: "The tool refused",
  unavailable: "Not available",
  rate_limited: "Too many requests",
  timeout: "Timed out",
  malformed_result: "The result made no sense",
  internal: "The code raised an exception",
};

const RECOVERIES: Record<Failure["recovery"], string> = {
  correct_call: "the model may correct the call",
  replan: "the model should do something else",
  finish: "the model should stop",
};

interface FailureProps {
  failure: Failure;
  /** Whether it failed a call, so that the model was told and may go on. */
  toldModel?: boolean;
}

export function FailureBox({ failure, toldModel }: FailureProps): JSX.Element {
  const { issues, debug_message: trace } = failure;
  return (
    <div class="nba-failure">
      <p class="nba-failure-message">{failure.message}</p>
      {issues.length > 0 && (
        <ul class="nba-issues">
          {issues.map((issue) => (
            <li key={issue.field}>
              <code>{issue.field}</code> {issue.message}
            </li>
          ))}
        </ul>
      )}
      {toldModel && (
        <p class="nba-small">
          {KINDS[failure.kind]}; {RECOVERIES[failure.recovery]}.
        </p>
      )}
      {trace && (
        <FoldBox label="Traceback">
          {() => <Plain text={plainText(trace)} label="Traceback" />}
        </FoldBox>
      )}
    </div>
  );
}
