/** The arguments of a call that waits for consent, to be changed before it runs. */
import type { JSX } from "preact";
import { FormFields, formOf } from "../forms";
import { AnswerForm, AwaitButton, Cancel, useAwait, useSend } from "./form";

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
