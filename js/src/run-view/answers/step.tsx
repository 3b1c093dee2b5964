/**
 * Where a run waits in step mode: what it would do next, what of it can be changed, and how it goes on.
 */
import type { JSX } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { focusNear, hasFocus } from "../../page";
import type { JsonValue, ShownPause } from "../../tree";
import { useView, type ViewState } from "../state";
import { AnswerForm, AwaitButton, useSend } from "./form";
import { forgetDrafts, keepDrafts } from "./kept-drafts";
import type { AwaitPlace, AwaitProps } from "./props";
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

export function StepForm({ state, question, canAnswer }: AwaitProps): JSX.Element | null {
  const { pause } = question.node;
  const view = useView();
  const id = question.node.id;
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
    if (followed.delete(view) && isFree(view)) box.focus();
    return () => control.abort();
  }, [view, id, canAnswer]);
  if (!pause) return null;
  const drafts = draftsOf({ state, question }, pause);
  return (
    <>
      {pause.note && <p class="nba-await-text">{pause.note}</p>}
      {canAnswer ? (
        <Steered {...{ state, question }} drafts={drafts} pause={pause} />
      ) : (
        <Shown drafts={drafts} pause={pause} canEdit={false} />
      )}
    </>
  );
}

/** Whether the keyboard is nowhere else: in the view, or on what the view stands in. */
function isFree({ root }: ViewState): boolean {
  if (!root || hasFocus(root)) return true;
  return focusNear(root)?.contains(root) ?? true;
}

function draftsOf({ state, question }: AwaitPlace, pause: ShownPause): Drafts {
  const answering = state.answers.of(question.node.id);
  let known = drafts.get(answering);
  if (!known) {
    known = {
      messages: new MessageDrafts(pause.messages),
      calls: new CallDrafts(pause.calls),
      answer: new OwnAnswer(pause.tools),
    };
    drafts.set(answering, known);
    const { messages, calls, answer } = known;
    const { panel } = answering;
    keepDrafts(
      question,
      () => [messages.all.value, calls.kept, answer.kept, panel.value] as const,
      (kept) => {
        [messages.all.value, calls.kept, answer.kept, panel.value] = kept;
      },
    );
  }
  return known;
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

function Steered({ state, question, ...shown }: AwaitPlace & Omit<ShownProps, "canEdit">) {
  const send = useSend(state, question);
  const view = useView();
  const { drafts, pause } = shown;
  const answering = state.answers.of(question.node.id);
  const isModel = answering.panel.value === "model";
  const give = (value: JsonValue) => {
    const box = view.boxOf(question.node.id);
    if (box && hasFocus(box)) followed.add(view);
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
  const about = question.name;
  return (
    <AnswerForm
      state={state}
      question={question}
      class="nba-step"
      onSubmit={() => (isModel ? speak() : goOn("continue"))}
    >
      <Shown {...shown} canEdit />
      {isModel ? (
        <BeTheModel state={state} question={question} own={drafts.answer} pause={pause} />
      ) : (
        <div class="nba-acts">
          <AwaitButton
            act="continue"
            label={answering.isSent.value ? "Sending…" : "Continue"}
            about={about}
            title="Enter"
            isMain
          />
          {pause.can_skip && (
            <AwaitButton
              act="skip"
              label={pause.of === "calls" ? "Skip all" : "Skip"}
              about={about}
              title={SKIP[pause.of]}
              onClick={() => give({ action: "skip" })}
            />
          )}
          {pause.of === "request" && (
            <AwaitButton
              act="model"
              label="Be the model…"
              about={about}
              title="Answer in its place"
              onClick={() => {
                answering.panel.value = "model";
              }}
            />
          )}
          <AwaitButton
            act="to-end"
            label="Run to the end"
            about={about}
            title="Go on, and wait no more"
            onClick={() => goOn("to_end")}
          />
          <AwaitButton
            act="stop"
            label={state.stopping.value ? "Stopping…" : "Stop the run"}
            about={about}
            onClick={() => state.stop()}
          />
        </div>
      )}
    </AnswerForm>
  );
}

const SKIP: Readonly<Record<ShownPause["of"], string>> = {
  request: "Do not ask the model: the newest results are the answer",
  calls: "Make none of them; the model is told so",
};
