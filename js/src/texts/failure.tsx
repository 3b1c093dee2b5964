/**
 * Why something failed: what the model was told, then what only you see, and what can be done about it.
 */
import type { JSX } from "preact";
import { FoldBox } from "../page";
import { type Explanation, FAILURE_WORDS, type Failure, RECOVERY_WORDS } from "../tree";
import { visible } from "../visible-text";
import { Plain, plainText } from "./texts";

interface FailureProps {
  failure: Failure;
  /** Why that is, and what can be done about it. */
  explanation?: Explanation | undefined;
  /** Whether it failed a call, so that the model was told and may go on. */
  toldModel?: boolean;
}

export function FailureBox({ failure, explanation, toldModel }: FailureProps): JSX.Element {
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
          {FAILURE_WORDS[failure.kind]}; {RECOVERY_WORDS[failure.recovery]}.
        </p>
      )}
      {explanation && <Explained {...explanation} told={toldModel ? failure.message : ""} />}
      {trace && (
        <FoldBox label="Traceback">
          {() => <Plain text={plainText(trace)} label="Traceback" />}
        </FoldBox>
      )}
    </div>
  );
}

interface ExplainedProps extends Explanation {
  /** What the model was told of it, if it was. */
  told: string;
}

/** What went wrong, what the model was told and what can be done: behind a button, in Python's words. */
export function Explained({ what, remedies, told }: ExplainedProps): JSX.Element {
  return (
    <FoldBox label="Explain this failure" class="nba-explained">
      {() => (
        <dl>
          <dt>What failed</dt>
          <dd>{visible(what)}</dd>
          {told && <dt>What the model was told</dt>}
          {told && (
            <dd>
              <Plain text={told} label="What the model was told" />
            </dd>
          )}
          <dt>What you can do</dt>
          <dd>
            <ul>
              {remedies.map((remedy) => (
                <li key={remedy}>{visible(remedy)}</li>
              ))}
            </ul>
          </dd>
        </dl>
      )}
    </FoldBox>
  );
}
