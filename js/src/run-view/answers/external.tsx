/** Calls whose results come from outside: a person, or a program of theirs, writes what they gave. */
import type { JSX } from "preact";
import { Arguments, Lacking, leftOut } from "../../texts";
import type { JsonValue, RequestedCall } from "../../tree";
import { AnswerForm, SendButtons, useAwait, useSend } from "./form";
import { ResultField, resultIn } from "./result";

export function ExternalForm(): JSX.Element {
  const send = useSend();
  const { state, question, answering, canAnswer } = useAwait();
  const { calls } = question.node;
  const texts = answering.texts.value;
  const answer = () => {
    const open = calls.filter(({ id }) => !texts[id]?.trim()).map(({ name }) => name);
    if (open.length) answering.problem.value = `Still without a result: ${open.join(", ")}`;
    else {
      const results = calls.map(({ id }) => [id, resultIn(texts[id] ?? "")] as const);
      send({ action: "answer", value: Object.fromEntries(results) });
    }
  };
  return (
    <AnswerForm onSubmit={answer}>
      {calls.map((call) => (
        <div key={call.id} class="nba-fields">
          {calls.length > 1 && <code class="nba-name">{call.name}</code>}
          <Arguments of={{ arguments: given(call) }}>
            <Lacking tree={state.tree.value} call={call} bytes={leftOut(call)} />
          </Arguments>
          {canAnswer && (
            <ResultField
              name={call.name}
              text={texts[call.id] ?? ""}
              write={(text) => answering.write(call.id, text)}
            />
          )}
        </div>
      ))}
      {canAnswer && <SendButtons />}
    </AnswerForm>
  );
}

function given({ arguments: text }: RequestedCall): JsonValue {
  return text.trim() ? resultIn(text) : {};
}
