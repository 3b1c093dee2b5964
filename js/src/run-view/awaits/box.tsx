/** Something that a person is asked, open: what it is about, and how it can be answered here. */
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { hasFocus, useOwnId } from "../../page";
import { type AwaitNode, entry } from "../../tree";
import { AwaitProvider } from "../answers";
import { fetchParts, late } from "../late";
import { type Question, type RunState, useView } from "../state";
import { Confirm } from "./confirm";
import { Said } from "./decisions";

const AskForm = late(({ AskForm }) => AskForm);
const StepForm = late(({ StepForm }) => StepForm);
const ExternalForm = late(({ ExternalForm }) => ExternalForm);

interface Props {
  state: RunState;
  question: Question;
}

/** What is asked, or how that ended. */
export function AwaitLine({ state, question }: Props): JSX.Element {
  if (question.isOpen) return <AwaitBox state={state} question={question} />;
  return <Said node={question.node} />;
}

export function AwaitBox({ state, question }: Props): JSX.Element {
  const { node, run } = question;
  const box = useFocusHandedOn(node.id);
  const id = useOwnId();
  const answering = state.answers.of(node.id);
  const canAnswer = state.door.isLive && run.status === "running";
  const isSent = answering.isSent.value;
  const problem = answering.problem.value;
  useEffect(() => void fetchParts(state.door), [state]); // an editor is wanted next
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be gone to, nor be a form's outside
    <div
      class="nba-await"
      role="group"
      tabIndex={-1}
      ref={box}
      data-await={node.id}
      data-kind={node.kind}
      aria-labelledby={id}
      aria-busy={isSent}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || answering.panel.value === null) return;
        event.preventDefault();
        event.stopPropagation();
        answering.panel.value = null;
      }}
    >
      <p class="nba-await-title" id={id}>
        <Title question={question} />
      </p>
      <AwaitProvider value={{ state, question, answering, canAnswer }}>
        <Kind kind={node.kind} />
      </AwaitProvider>
      {problem && (
        <p class="nba-fault nba-problem" role="alert">
          {problem}
        </p>
      )}
      {!canAnswer && <p class="nba-small">Waits for an answer.</p>}
    </div>
  );
}

function Title({ question: { node, run } }: { question: Question }): JSX.Element {
  switch (node.kind) {
    case "confirmation": {
      const name = entry(run.calls, node.call_id ?? "")?.name ?? node.title;
      if (node.title === name)
        return (
          <>
            Allow <code>{name}</code>?
          </>
        );
      return (
        <>
          Allow “{node.title}” (<code>{name}</code>)?
        </>
      );
    }
    case "clarification":
      return <>{node.text || node.title}</>;
    case "step":
    case "questions":
      return <>{node.title}</>;
    case "external_tools": {
      const [call, ...others] = node.calls;
      if (!call || others.length) return <>The results of these calls are wanted</>;
      return (
        <>
          The result of <code>{call.name}</code> is wanted
        </>
      );
    }
  }
}

function Kind({ kind }: Pick<AwaitNode, "kind">): JSX.Element {
  switch (kind) {
    case "confirmation":
      return <Confirm />;
    case "external_tools":
      return <ExternalForm />;
    case "step":
      return <StepForm />;
    default:
      return <AskForm />;
  }
}

/** An answered await goes; where the focus was in it, it goes on to the next one. */
function useFocusHandedOn(id: string) {
  const view = useView();
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () => () => {
      if (hasFocus(box.current)) view.handOn(id);
    },
    [view, id],
  );
  return box;
}
