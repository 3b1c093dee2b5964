/**
 * One call opened: its arguments, its result as the model saw it, its data, what it printed, and why
 * it failed.
 *
 * @module
 */
import type { ComponentChildren, JSX } from "preact";
import { isRecord } from "../bridge";
import type { Failure, JsonValue } from "../events";
import type { CallNode } from "../tree";
import { FoldBox } from "./fold-box";
import { Json, Plain } from "./texts";
import { textSize } from "./words";

export function CallDetails({
  call,
  children,
}: {
  call: CallNode;
  children?: ComponentChildren;
}): JSX.Element {
  const { failure } = call;
  const told = call.content && call.content !== failure?.message ? call.content : "";
  const shown = call.payloads.filter(({ payload }) => payload.audience !== "internal");
  return (
    <>
      <Section label="Arguments">
        <Arguments value={call.arguments} />
      </Section>
      {children}
      {told && (
        <Section label="Result as the model saw it" note={resultNote(call)}>
          <Plain text={told} label="Result as the model saw it" />
        </Section>
      )}
      {shown.length > 0 && (
        <Section label="Data">
          {shown.map(({ id, payload }) => (
            <FoldBox
              key={id}
              label={
                <>
                  <code>{payload.kind}</code> as JSON
                </>
              }
            >
              {() => <Json value={payload.value} label={`${payload.kind} as JSON`} />}
            </FoldBox>
          ))}
        </Section>
      )}
      {call.output.length > 0 && (
        <Section label="Output">
          {call.output.map(({ stream, text }, at) => (
            <Plain key={at} text={plainText(text)} label={stream} class={`nba-${stream}`} />
          ))}
        </Section>
      )}
      {failure && (
        <Section label="Error">
          <FailureBox failure={failure} toldModel />
        </Section>
      )}
      {call.source_hash && <p class="nba-small">Tool version {call.source_hash}</p>}
    </>
  );
}

interface SectionProps {
  label: string;
  note?: string;
  children: ComponentChildren;
}

function Section({ label, note, children }: SectionProps): JSX.Element {
  return (
    <section class="nba-section" aria-label={label}>
      <div class="nba-label" aria-hidden="true">
        {label}
        {note && <span class="nba-note">{note}</span>}
      </div>
      {children}
    </section>
  );
}

/** How much there is, and how much of it the model was given. */
function resultNote({ content, bounds }: CallNode): string {
  const size = textSize(content ?? "");
  if (!bounds?.truncated) return size;
  const of = bounds.total === null ? "" : ` of ${bounds.total}`;
  return `${size}, cut: ${bounds.returned}${of} returned`;
}

function Arguments({ value }: { value: JsonValue }): JSX.Element {
  if (typeof value === "string")
    return <Plain text={value} label="Arguments as they were written" />;
  if (!isRecord(value)) return <p class="nba-small">None yet</p>;
  const entries = Object.entries(value);
  if (entries.length === 0) return <p class="nba-small">None</p>;
  if (entries.some(([, one]) => typeof one === "object" && one !== null)) {
    return <Json value={value} label="Arguments" />;
  }
  return (
    <dl class="nba-arguments">
      {entries.map(([name, one]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof one === "string" ? one : JSON.stringify(one)}</dd>
        </div>
      ))}
    </dl>
  );
}

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

/** Why something failed: what the model was told, then what only the person sees. */
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

/** Without the colours of a terminal. */
function plainText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
  return text.replace(/\u001b\[[0-9;]*[A-Za-z]/g, "");
}
