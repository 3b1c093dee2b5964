/**
 * Where a run waits in step mode: what it would do next, what of it can be changed, and how it goes on.
 */
import type { JSX } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { hasFocus, isFree, sets } from "../../page";
import type { JsonValue, ShownPause } from "../../tree";
import { type Answering, type Question, useView, type ViewState } from "../state";
import { AnswerForm, AwaitButton, StopRun, useAwait, useSend } from "./form";
import { forgetDrafts, keepDrafts } from "./kept-drafts";
import { CallDrafts, NextCalls } from "./step-calls";
import { MessageDrafts, Messages } from "./step-messages";
import { BeTheModel, OwnAnswer } from "./step-model";

/** What of a pause is other than it was; kept with how far the answer is, whatever views show it. */
interface Drafts {
  messages: MessageDrafts;
  calls: CallDrafts;
  answer: OwnAnswer;
}

const drafts = new WeakMap<object, Drafts>();
/** The views whose keyboard was at a step that was answered: it goes on at the next one. */
const followed = new WeakSet<ViewState>();

export function StepForm(): JSX.Element | null {
  const { question, answering, canAnswer } = useAwait();
  const { id, pause } = question.node;
  const view = useView();
  useLayoutEffect(() => {
    const box = view.boxOf(id);
    if (!box || !canAnswer) return;
    const control = new AbortController();
    const enter = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || event.target !== box) return;
      event.preventDefault();
      box.querySelector("form")?.requestSubmit();
    };
    box.addEventListener("keydown", enter, { signal: control.signal });
    if (followed.delete(view) && view.root && isFree(view.root)) box.focus();
    return () => control.abort();
  }, [view, id, canAnswer]);
  if (!pause) return null;
  const drafts = draftsOf(question, answering, pause);
  return (
    <>
      {pause.note && <p class="nba-await-text">{pause.note}</p>}
      {canAnswer ? (
        <Steered drafts={drafts} pause={pause} />
      ) : (
        <Shown drafts={drafts} pause={pause} canEdit={false} />
      )}
    </>
  );
}

function draftsOf(question: Question, answering: Answering, pause: ShownPause): Drafts {
  const known = drafts.get(answering);
  if (known) return known;
  const messages = new MessageDrafts(pause.messages);
  const calls = new CallDrafts(pause.calls);
  const answer = new OwnAnswer(pause.tools);
  const made = { messages, calls, answer };
  drafts.set(answering, made);
  const { panel } = answering;
  keepDrafts(
    question,
    () => [messages.all.value, calls.kept, answer.kept, panel.value] as const,
    (kept) => {
      [messages.all.value, calls.kept, answer.kept, panel.value] = kept;
    },
  );
  return made;
}

interface ShownProps {
  drafts: Drafts;
  pause: ShownPause;
  canEdit: boolean;
}

/** What would be done. */
function Shown({ drafts, pause, canEdit }: ShownProps): JSX.Element {
  if (pause.of === "calls") return <NextCalls drafts={drafts.calls} canEdit={canEdit} />;
  return <Messages drafts={drafts.messages} pause={pause} canEdit={canEdit} />;
}

function Steered(shown: Omit<ShownProps, "canEdit">): JSX.Element {
  const send = useSend();
  const view = useView();
  const { question, answering } = useAwait();
  const { drafts, pause } = shown;
  const isModel = answering.panel.value === "model";
  const give = (value: JsonValue) => {
    if (hasFocus(view.boxOf(question.node.id) ?? null)) followed.add(view);
    forgetDrafts(question);
    send({ action: "answer", value });
  };
  const goOn = (action: string) => {
    const edit = pause.of === "calls" ? drafts.calls.edit() : drafts.messages.edit();
    if (edit) give({ ...edit, action });
  };
  const speak = () => {
    const said = drafts.answer.said();
    const edit = drafts.messages.edit();
    if (said && edit) give({ ...edit, ...said, action: "continue" });
  };
  return (
    <AnswerForm class="nba-step" onSubmit={() => (isModel ? speak() : goOn("continue"))}>
      <Shown {...shown} canEdit />
      {isModel ? (
        <BeTheModel own={drafts.answer} pause={pause} />
      ) : (
        <div class="nba-acts">
          <AwaitButton act="continue" label="Continue" title="Enter" isMain />
          {pause.can_skip && (
            <AwaitButton
              act="skip"
              label={pause.of === "calls" ? "Skip all" : "Skip"}
              title={SKIP[pause.of]}
              onClick={() => give({ action: "skip" })}
            />
          )}
          {pause.of === "request" && (
            <AwaitButton
              act="model"
              label="Be the model…"
              title="Answer in its place"
              onClick={sets(answering.panel, "model")}
            />
          )}
          <AwaitButton
            act="to-end"
            label="Run to the end"
            title="Go on, and wait no more"
            onClick={() => goOn("to_end")}
          />
          <StopRun />
        </div>
      )}
    </AnswerForm>
  );
}

const SKIP: Readonly<Record<ShownPause["of"], string>> = {
  request: "Do not ask the model: the newest results are the answer",
  calls: "Make none of them; the model is told so",
};
