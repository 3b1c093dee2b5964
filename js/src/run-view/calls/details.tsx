/**
 * One call opened: its arguments, its result as the model saw it, its data, what it printed, why it
 * failed, and what else is known of it.
 */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { jsonText } from "../../numbers";
import { FoldBox, Section } from "../../page";
import { shown } from "../../terminal";
import {
  Arguments,
  Explained,
  FailureBox,
  Lacking,
  Plain,
  Printed,
  plainText,
  wholeCallInPython,
} from "../../texts";
import { type CallNode, type JsonValue, STREAM_WORDS } from "../../tree";
import { isOpenCall, textSize } from "../../words";
import { Changed } from "../awaits";
import { Action, Copy } from "../header";
import { late, latePane } from "../late";
import type { OfCall } from "../state";
import { Data } from "./payload-view";

export const CallFacts = late(({ CallFacts }) => CallFacts);
const ForkHere = late(({ ForkHere }) => ForkHere);
const Rest = latePane(({ Rest }) => Rest);

const MANY_PIECES = 12;

export function CallDetails({
  state,
  call: here,
  children,
}: OfCall & { children?: ComponentChildren }): JSX.Element {
  const whole = useSignal<CallNode | null>(null);
  const call = whole.value ?? here;
  const { failure } = call;
  const isShort = here.left_out_bytes !== undefined || state.cuts.length > 0;
  const rest = (text: string | null) =>
    isShort && !isOpenCall(here) && <Rest {...{ state, call: here, text, whole }} />;
  const told = call.content && call.content !== failure?.message ? call.content : "";
  return (
    <>
      <Arguments of={call}>
        <Lacking tree={state.tree.value} call={call} bytes={call.left_out_bytes} />
        {rest(null)}
      </Arguments>
      <Changed call={call} />
      {children}
      {told && (
        <Section label="Result as the model saw it" note={resultNote(call)}>
          <Plain text={told} label="Result as the model saw it" isAll={!!whole.value} />
          {rest(here.content)}
        </Section>
      )}
      <Data call={here} state={state} />
      <Output call={call} isAll={!!whole.value} />
      {call.output.length > 0 && rest(here.output.map(({ text }) => text).join("\n"))}
      {failure && (
        <Section label="Error">
          <FailureBox failure={failure} explanation={call.explanation} toldModel />
          {rest(`${here.failure?.message}\n${here.failure?.debug_message}`)}
        </Section>
      )}
      {!failure && call.explanation && (
        <Explained {...call.explanation} told={call.content ?? ""} />
      )}
      <div class="nba-foot">
        <FoldBox label="Details">{() => <CallFacts call={call} />}</FoldBox>
        <Actions state={state} call={call} />
      </div>
    </>
  );
}

function Output({ call, isAll }: { call: CallNode; isAll: boolean }): JSX.Element {
  return (
    <>
      {outputOf(call).map(({ stream, text }, at) => (
        <Section key={at} label={STREAM_WORDS[stream]}>
          <Printed
            text={plainText(text)}
            label={STREAM_WORDS[stream]}
            class={`nba-${stream}`}
            isAll={isAll}
          />
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

function Actions({ state, call }: OfCall): JSX.Element {
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
      {notebook && (
        <Action
          label="Make a cell of it"
          title="The call as plain Python below; nothing is run"
          onClick={() => notebook.insertBelow(written())}
        />
      )}
      <Copy
        label="Copy JSON"
        title="Copy all of the call as JSON (run.calls)"
        text={() => jsonText(call as unknown as JsonValue, "  ")}
      />
      {notebook && <ForkHere state={state} call={call} />}
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
