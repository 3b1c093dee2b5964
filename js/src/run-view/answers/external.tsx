/**
 * Calls whose results come from outside: a person, or a program of theirs, writes what they gave.
 */
import type { JSX } from "preact";
import { parsedJson } from "../../numbers";
import { Arguments, Lacking, leftOut } from "../../texts";
import type { JsonValue, RequestedCall } from "../../tree";
import { Labelled } from "../forms";
import { AnswerForm, SendButtons, useSend } from "./form";
import type { AwaitProps } from "./props";

export function ExternalForm({ state, question, canAnswer }: AwaitProps): JSX.Element {
  const send = useSend(state, question);
  const { node } = question;
  const answering = state.answers.of(node.id);
  const texts = answering.texts.value;
  const answer = () => {
    const open = node.calls.filter(({ id }) => !texts[id]?.trim()).map(({ name }) => name);
    if (open.length) answering.problem.value = `Still without a result: ${open.join(", ")}`;
    else {
      const results = node.calls.map(({ id }) => [id, resultIn(texts[id] ?? "")] as const);
      send({ action: "answer", value: Object.fromEntries(results) });
    }
  };
  return (
    <AnswerForm state={state} question={question} onSubmit={answer}>
      {node.calls.map((call) => (
        <div key={call.id} class="nba-fields">
          {node.calls.length > 1 && <code class="nba-name">{call.name}</code>}
          <Arguments of={{ arguments: given(call) }}>
            <Lacking tree={state.tree.value} call={call} bytes={leftOut(call)} />
          </Arguments>
          {canAnswer && (
            <Labelled label={`Result of ${call.name}`} about="JSON, or text as it stands">
              {(props) => (
                <textarea
                  {...props}
                  class="nba-input nba-code-input"
                  rows={2}
                  spellcheck={false}
                  value={texts[call.id] ?? ""}
                  onInput={({ currentTarget }) => answering.write(call.id, currentTarget.value)}
                />
              )}
            </Labelled>
          )}
        </div>
      ))}
      {canAnswer && <SendButtons state={state} question={question} />}
    </AnswerForm>
  );
}

function given({ arguments: text }: RequestedCall): JsonValue {
  return text.trim() ? resultIn(text) : {};
}

/** What a text that is JSON means, else the text. */
function resultIn(text: string): JsonValue {
  try {
    return parsedJson(text);
  } catch {
    return text;
  }
}
