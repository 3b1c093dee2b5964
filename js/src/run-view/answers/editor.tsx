/** The arguments of a call that waits for consent, to be changed before it runs. */
import type { JSX } from "preact";
import { FormFields, formOf } from "../forms";
import { AnswerForm, AwaitButton, Cancel, useSend } from "./form";
import type { AwaitPlace } from "./props";

/** The arguments to change; what is left as it was is not sent. */
export function Editor({ state, question }: AwaitPlace): JSX.Element {
  const send = useSend(state, question);
  const answering = state.answers.of(question.node.id);
  const form = formOf(answering, question.node);
  const approve = () => {
    const changed = form.changes();
    if (changed) send({ action: "approve", ...changed });
  };
  return (
    <AnswerForm state={state} question={question} onSubmit={approve} class="nba-editor">
      <FormFields form={form} what="Arguments" />
      <div class="nba-acts">
        <AwaitButton
          act="approve-edited"
          label={answering.isSent.value ? "Sending…" : "Approve with these"}
          about={question.name}
          isMain
        />
        <Cancel {...{ state, question }} />
      </div>
    </AnswerForm>
  );
}
