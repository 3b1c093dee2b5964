/** What is said to a call that waits for consent but yes or no: its arguments are changed, or a note is written. */
import type { JSX } from "preact";
import { FormFields, formOf, Labelled } from "../forms";
import { AnswerForm, AwaitButton, Cancel, useAwait, useSend } from "./form";

const NOTE = "note";

/** The arguments to change; what is left as it was is not sent. */
export function Editor(): JSX.Element {
  const send = useSend();
  const { question, answering } = useAwait();
  const form = formOf(answering, question.node);
  const approve = () => {
    const changed = form.changes();
    if (changed) send({ action: "approve", ...changed });
  };
  return (
    <AnswerForm onSubmit={approve} class="nba-editor">
      <FormFields form={form} what="Arguments" />
      <div class="nba-acts">
        <AwaitButton act="approve-edited" label="Approve with these" isMain />
        <Cancel />
      </div>
    </AnswerForm>
  );
}

/** In place of the editor: approving the beginning of a text would call it. */
export function TooLong(): JSX.Element {
  const { state, question } = useAwait();
  const at = state.asked.value.open.findIndex(({ node }) => node.id === question.node.id);
  return (
    <AnswerForm>
      <p class="nba-await-text" role="status">
        These are too long to be edited here. Approve them as they are once you have seen all of
        them, deny them with a note, or change them in Python:{" "}
        <code>run.awaiting[{at}].approve(arguments)</code>
      </p>
      <div class="nba-acts">
        <Cancel />
      </div>
    </AnswerForm>
  );
}

export function NoteForm(): JSX.Element {
  const send = useSend();
  const { answering } = useAwait();
  const note = answering.texts.value[NOTE] ?? "";
  return (
    <AnswerForm onSubmit={() => send({ action: "deny", ...(note.trim() ? { note } : {}) })}>
      <Labelled label="Why not? The model is told">
        {(props) => (
          <input
            {...props}
            class="nba-input"
            type="text"
            autoComplete="off"
            value={note}
            onInput={({ currentTarget }) => answering.write(NOTE, currentTarget.value)}
          />
        )}
      </Labelled>
      <div class="nba-acts">
        <AwaitButton act="deny-noted" label="Deny" isMain />
        <Cancel />
      </div>
    </AnswerForm>
  );
}
