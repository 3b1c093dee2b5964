/** A run in two panes, which come when they are asked for, and what the view draws in them. */
import type { JSX } from "preact";
import { AwaitBox, AwaitLine, Changed, Decisions, Guardrails } from "./awaits";
import { AnswerText, CallFacts, Data, Views } from "./calls";
import { Chips, Facts } from "./header";
import { latePane } from "./late";
import { answerOf } from "./rows";
import { Stages } from "./stage-box";
import { callKey, type OfRun } from "./state";

const Panes = latePane(({ Panes }) => Panes);

export function PanesBox({ state, run }: OfRun): JSX.Element {
  return (
    <Panes
      state={state}
      run={run}
      lent={{
        answer: (one) => {
          const answer = answerOf(one);
          return (
            answer && (
              <AnswerText
                text={answer.text}
                class="nba-display"
                isGrowing={one.status === "running"}
              />
            )
          );
        },
        views: (call) => (
          <>
            <Views call={call} state={state} />
            <Data call={call} state={state} />
          </>
        ),
        decisions: ({ id }, call) => {
          const key = callKey(id, call.id);
          const asked = state.asked.value.byCall.get(key) ?? [];
          return (
            <>
              {asked.map(
                (question) =>
                  question.isOpen && (
                    <AwaitBox key={question.node.id} state={state} question={question} />
                  ),
              )}
              <Decisions state={state} of={key} call={call} />
            </>
          );
        },
        changed: (call) => <Changed call={call} />,
        facts: (call) => <CallFacts call={call} />,
        questions: (asking) => (
          <>
            {(state.asked.value.byRun.get(asking.id) ?? []).map((question) => (
              <AwaitLine key={question.node.id} state={state} question={question} />
            ))}
            <Guardrails of={asking} />
          </>
        ),
        figures: (one) => (
          <>
            <Chips state={state} run={one} />
            <Facts state={state} run={one} />
          </>
        ),
        stages: () => <Stages state={state} />,
      }}
    />
  );
}
