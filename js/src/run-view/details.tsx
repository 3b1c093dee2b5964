/**
 * One call opened: its arguments, its result as the model saw it, its data, what it printed, and why
 * it failed.
 *
 * @module
 */
import type { ComponentChildren, JSX } from "preact";
import { isRecord } from "../bridge";
import type { Failure, JsonValue } from "../events";
import { shown } from "../terminal";
import type { CallNode } from "../tree";
import { FoldBox } from "./fold-box";
import { Data } from "./payload-view";
import { Section } from "./section";
import { Json, Plain } from "./texts";
import { textSize } from "./words";

const MANY_PIECES = 12;

export function CallDetails({
  call,
  children,
}: {
  call: CallNode;
  children?: ComponentChildren;
}): JSX.Element {
  const { failure } = call;
  const told = call.content && call.content !== failure?.message ? call.content : "";
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
      <Data call={call} />
      <Output call={call} />
      {failure && (
        <Section label="Error">
          <FailureBox failure={failure} toldModel />
        </Section>
      )}
      {call.handle && (
        <p class="nba-small">
          Kept as <code>{call.handle}</code>: later calls can take it by this name
        </p>
      )}
      {call.source_hash && <p class="nba-small">Tool version {call.source_hash}</p>}
    </>
  );
}

const STREAMS: Record<CallNode["output"][number]["stream"], string> = {
  stdout: "Printed",
  stderr: "Printed to stderr",
  log: "Log",
};

function Output({ call }: { call: CallNode }): JSX.Element {
  return (
    <>
      {outputOf(call).map(({ stream, text }, at) => (
        <Section key={at} label={STREAMS[stream]}>
          <Plain text={plainText(text)} label={STREAMS[stream]} class={`nba-${stream}`} />
        </Section>
      ))}
    </>
  );
}

/** What a call printed, in order; where streams take turns very often, one text for each. */
function outputOf({ output }: CallNode): CallNode["output"] {
  if (output.length <= MANY_PIECES)
    return output.map(({ stream, text }) => ({ stream, text: shown(text) }));
  const texts = new Map<CallNode["output"][number]["stream"], string>();
  for (const { stream, text } of output) texts.set(stream, (texts.get(stream) ?? "") + text);
  return [...texts].map(([stream, text]) => ({ stream, text: shown(text) }));
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
