/**
 * One call opened: its arguments, its result as the model saw it, its data, what it printed, why it
 * failed, and what else is known of it.
 *
 * @module
 */
import type { ComponentChildren, JSX } from "preact";
import type { JsonValue } from "../events";
import { jsonText } from "../numbers";
import { shown } from "../terminal";
import type { AuthorizationNode, CallNode } from "../tree";
import { visibleName } from "../visible";
import { Action, Copy } from "./actions";
import { Arguments } from "./arguments";
import { Changed } from "./await-said";
import { FailureBox } from "./failure";
import { FoldBox } from "./fold-box";
import { Lacking, wholeCallInPython } from "./lacking";
import { Data } from "./payload-view";
import { Section } from "./section";
import type { RunState } from "./state";
import { Plain, plainText } from "./texts";
import { duration, NOT_ASKED, textSize } from "./words";

const MANY_PIECES = 12;

interface Props {
  state: RunState;
  call: CallNode;
}

export function CallDetails({
  state,
  call,
  children,
}: Props & { children?: ComponentChildren }): JSX.Element {
  const { failure } = call;
  const told = call.content && call.content !== failure?.message ? call.content : "";
  return (
    <>
      <Arguments of={call}>
        <Lacking tree={state.tree.value} call={call} bytes={call.left_out_bytes} />
      </Arguments>
      <Changed call={call} />
      {children}
      {told && (
        <Section label="Result as the model saw it" note={resultNote(call)}>
          <Plain text={told} label="Result as the model saw it" />
        </Section>
      )}
      <Data call={call} state={state} />
      <Output call={call} />
      {failure && (
        <Section label="Error">
          <FailureBox failure={failure} toldModel />
        </Section>
      )}
      <div class="nba-foot">
        <FoldBox label="Details">{() => <Facts call={call} />}</FoldBox>
        <Actions state={state} call={call} />
      </div>
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

/** What else is known of a call, for those who look closely. */
function Facts({ call }: { call: CallNode }): JSX.Element {
  return (
    <dl class="nba-facts-list">
      {factsOf(call).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function factsOf(call: CallNode): [string, string][] {
  const { handle, bounds, started_at, duration_ms, source_hash, cell_id } = call;
  const { authorization, guardrails, run_links } = call;
  const links = run_links.map(({ agent_name, run_id }) => `${agent_name} (${run_id})`);
  const passed = guardrails.filter(({ outcome }) => outcome === "allow").map(({ name }) => name);
  const facts: [string, string | null][] = [
    ["Tool", visibleName(call.name)],
    ["Tool version", source_hash],
    ["Defined in cell", cell_id],
    ["Asked for in step", call.step ? String(call.step) : null],
    ["Call", call.id],
    ["Started", started_at === null ? null : new Date(started_at * 1000).toLocaleString()],
    ["Took", duration_ms === null ? null : duration(duration_ms / 1000)],
    ["Consent", authorization && consentOf(authorization)],
    ["Passed", passed.join(", ")],
    ["Runs", links.join(", ")],
    ["Kept as", handle && `${handle}: later calls can take it by this name`],
    ["Returned", bounds && `${bounds.returned} of ${bounds.total ?? "an unknown number"}`],
    ["Goes on at", bounds?.next_cursor ?? null],
  ];
  return facts.flatMap(([name, value]) => (value ? [[name, value]] : []));
}

function consentOf({ under_grant, by, summary }: AuthorizationNode): string {
  return under_grant ? NOT_ASKED : `${by}: ${summary}`;
}

function Actions({ state, call }: Props): JSX.Element {
  const { notebook } = state.door;
  const { cell_id } = call;
  const written = () => wholeCallInPython(state.tree.value, call);
  return (
    <>
      <Copy
        label="Copy as Python"
        title={`Copy as Python: ${written().slice(0, 200)}`}
        text={written}
      />
      <Copy
        label="Copy JSON"
        title="Copy all of the call as JSON (run.calls)"
        text={() => jsonText(call as unknown as JsonValue, "  ")}
      />
      {notebook && cell_id !== null && notebook.hasCell(cell_id) && (
        <Action
          label="Show cell"
          title="Go to the cell that defines the tool"
          onClick={() => notebook.showCell(cell_id)}
        />
      )}
    </>
  );
}
