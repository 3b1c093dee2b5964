/**
 * What all answers to awaits have in common: what is asked, their buttons, and that nothing can be pressed
 * while one is on its way.
 */
import { type ComponentChildren, createContext, type JSX } from "preact";
import { useContext, useLayoutEffect, useRef } from "preact/hooks";
import type { AwaitAnswer } from "../../bridge";
import { focusNear, hasFocus } from "../../page";
import { type Answering, type Question, type RunState, useView } from "../state";

/** What is asked, and how it can be answered here. */
interface Asked {
  state: RunState;
  question: Question;
  answering: Answering;
  /** Whether an answer given here is heard. */
  canAnswer: boolean;
}

const Context = createContext<Asked | null>(null);

/** Stands around all that belongs to one await. */
export const AwaitProvider = Context.Provider;

export function useAwait(): Asked {
  const asked = useContext(Context);
  if (!asked) throw new Error("A part of an await stands outside of one.");
  return asked;
}

interface AnswerProps {
  children: ComponentChildren;
  /** Enter, or the button that submits. Not given: there is none. */
  onSubmit?: () => void;
  class?: string;
}

/** The controls of an await. While an answer is on its way the focus waits beside them. */
export function AnswerForm({ children, onSubmit, class: name = "" }: AnswerProps): JSX.Element {
  const form = useRef<HTMLFormElement>(null);
  const { answering } = useAwait();
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
export function useSend(): (answer: AwaitAnswer) => void {
  const view = useView();
  const { state, question, answering } = useAwait();
  const { id } = question.node;
  const said = { approve: "Approved", deny: "Denied", answer: "Sent" };
  return (answer) => {
    const box = view.boxOf(id);
    const active = box && focusNear(box);
    if (active instanceof HTMLElement && box?.contains(active)) {
      answering.left = active;
      box.focus({ preventScroll: true });
    }
    view.notice.value = said[answer.action];
    void answering.send(state.door, id, answer);
  };
}

interface ButtonProps {
  /** What it does, as tests and styles know it. */
  act: string;
  label: string;
  /** Whether it is what most people want, and says that the answer is on its way. */
  isMain?: boolean;
  title?: string;
  /** What says why it cannot be pressed yet, by its id. It can be gone to: those who listen hear why. */
  heldBy?: string;
  onClick?: () => void;
}

/** For those who listen, who hear several of them, it has the name of what it is about. */
export function AwaitButton(props: ButtonProps): JSX.Element {
  const { act, isMain = false, title, heldBy, onClick } = props;
  const { question, answering } = useAwait();
  const label = isMain && answering.isSent.value ? "Sending…" : props.label;
  const held = heldBy === undefined ? {} : { "aria-disabled": true, "aria-describedby": heldBy };
  return (
    <button
      type={onClick ? "button" : "submit"}
      class={`nba-action nba-act${isMain ? " nba-main-act" : ""}`}
      data-act={act}
      aria-label={`${label}: ${question.name}`}
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
export function SendButtons(): JSX.Element {
  return (
    <div class="nba-acts">
      <AwaitButton act="send" label="Send" isMain />
      <Decline />
    </div>
  );
}

export function Decline(): JSX.Element {
  const send = useSend();
  const title = "Do not answer; the model is told";
  return (
    <AwaitButton
      act="decline"
      label="Decline"
      title={title}
      onClick={() => send({ action: "deny" })}
    />
  );
}

/** Back from what was opened beside the buttons. */
export function Cancel(): JSX.Element {
  const { panel, problem } = useAwait().answering;
  const close = () => {
    panel.value = null;
    problem.value = "";
  };
  return <AwaitButton act="cancel" label="Cancel" title="Esc" onClick={close} />;
}

export function StopRun(): JSX.Element {
  const { state } = useAwait();
  const label = state.stopping.value ? "Stopping…" : "Stop the run";
  return <AwaitButton act="stop" label={label} onClick={() => state.stop()} />;
}
