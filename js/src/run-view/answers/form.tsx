/**
 * What all answers to awaits have in common: their buttons, and that nothing can be pressed while one is
 * on its way.
 */
import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { AwaitAnswer } from "../../bridge";
import { focusNear, hasFocus } from "../../page";
import { type Question, type RunState, useView } from "../state";
import type { AwaitPlace } from "./props";

interface AnswerProps {
  state: RunState;
  question: Question;
  children: ComponentChildren;
  /** Enter, or the button that submits. Not given: there is none. */
  onSubmit?: () => void;
  class?: string;
}

/** The controls of an await. While an answer is on its way the focus waits beside them. */
export function AnswerForm({
  state,
  question,
  children,
  onSubmit,
  class: name = "",
}: AnswerProps): JSX.Element {
  const form = useRef<HTMLFormElement>(null);
  const answering = state.answers.of(question.node.id);
  const isSent = answering.isSent.value;
  useLayoutEffect(() => {
    const { left } = answering;
    if (isSent || !left || !form.current?.contains(left)) return;
    answering.left = null;
    if (hasFocus(form.current.closest(".nba-await"))) left.focus({ preventScroll: true });
  }, [isSent, answering]);
  return (
    <form
      class={`nba-answer-form ${name}`}
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const { currentTarget } = event;
        onSubmit?.();
        requestAnimationFrame(() =>
          currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
        );
      }}
      onKeyDown={(event) => {
        if (!isSend(event)) return;
        event.preventDefault();
        event.currentTarget.requestSubmit();
      }}
    >
      <fieldset class="nba-plain" disabled={isSent}>
        {children}
      </fieldset>
    </form>
  );
}

/** Enter in a field, with Ctrl or Cmd in one of several lines. In JupyterLab a page's own way is not heard. */
function isSend({ key, target, isComposing, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (key !== "Enter" || isComposing) return false;
  if (target instanceof HTMLTextAreaElement) return ctrlKey || metaKey;
  return target instanceof HTMLInputElement;
}

/**
 * Sends an answer, and tells those who listen. A control that is disabled loses the focus: it waits beside
 * it until then.
 */
export function useSend(state: RunState, { node }: Question): (answer: AwaitAnswer) => void {
  const view = useView();
  const said = { approve: "Approved", deny: "Denied", answer: "Sent" };
  return (answer) => {
    const answering = state.answers.of(node.id);
    const box = view.boxOf(node.id);
    const active = box && focusNear(box);
    if (active instanceof HTMLElement && box?.contains(active)) {
      answering.left = active;
      box.focus({ preventScroll: true });
    }
    view.notice.value = said[answer.action];
    void answering.send(state.door, node.id, answer);
  };
}

interface ButtonProps {
  /** What it does, as tests and styles know it. */
  act: string;
  label: string;
  /** What it is about: those who listen hear several of them. */
  about: string;
  isMain?: boolean;
  title?: string;
  /** What says why it cannot be pressed yet, by its id. It can be gone to: those who listen hear why. */
  heldBy?: string;
  onClick?: () => void;
}

export function AwaitButton({
  act,
  label,
  about,
  isMain = false,
  title,
  heldBy,
  onClick,
}: ButtonProps): JSX.Element {
  const held = heldBy === undefined ? {} : { "aria-disabled": true, "aria-describedby": heldBy };
  return (
    <button
      type={onClick ? "button" : "submit"}
      class={`nba-action nba-act${isMain ? " nba-main-act" : ""}`}
      data-act={act}
      aria-label={`${label}: ${about}`}
      title={title}
      {...held}
      onClick={heldBy === undefined ? onClick : goToUnseen}
    >
      {label}
    </button>
  );
}

/** What has not been in sight takes the keyboard, which scrolls it. */
function goToUnseen({ currentTarget }: { currentTarget: Element }): void {
  currentTarget.closest(".nba-confirm")?.querySelector<HTMLElement>(".nba-sight")?.focus();
}

/** Sends, or declines to answer. */
export function SendButtons({ state, question }: AwaitPlace): JSX.Element {
  const { name } = question;
  const isSent = state.answers.of(question.node.id).isSent.value;
  return (
    <div class="nba-acts">
      <AwaitButton act="send" label={isSent ? "Sending…" : "Send"} about={name} isMain />
      <Decline state={state} question={question} />
    </div>
  );
}

export function Decline({ state, question }: AwaitPlace): JSX.Element {
  const send = useSend(state, question);
  return (
    <AwaitButton
      act="decline"
      label="Decline"
      about={question.name}
      title="Do not answer; the model is told"
      onClick={() => send({ action: "deny" })}
    />
  );
}

/** Back from what was opened beside the buttons. */
export function Cancel({ state, question }: AwaitPlace): JSX.Element {
  const { panel, problem } = state.answers.of(question.node.id);
  const close = () => {
    panel.value = null;
    problem.value = "";
  };
  return (
    <AwaitButton act="cancel" label="Cancel" about={question.name} title="Esc" onClick={close} />
  );
}
