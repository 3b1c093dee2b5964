/** The tabs of a call. */
import type { JSX } from "preact";
import { Section } from "../../page";
import { shown } from "../../terminal";
import { Arguments, Explained, FailureBox, Lacking, Markdown, Plain, plainText } from "../../texts";
import { type CallNode, type RunNode, STREAM_WORDS } from "../../tree";
import { isOpenCall, textSize } from "../../words";
import { answerOf, phasesOf } from "../rows";
import type { RunState } from "../state";
import type { Asked } from "../whole";
import type { CallPlace } from "./node";
import { SeenTab } from "./seen-tab";
import { Source } from "./source";
import type { Lent, Tab } from "./tabs";
import { Timing } from "./timing";

interface Options {
  state: RunState;
  root: RunNode;
  /** The call as the page has it. */
  place: CallPlace;
  /** The same with the texts that the kernel has whole. */
  whole: CallNode;
  asked: Asked | null;
  lent: Lent;
}

export function callTabs({ state, root, place, whole, asked, lent }: Options): Tab[] {
  const { run, call, child } = place;
  const printed = call.output.length > 0;
  return [
    {
      name: "result",
      label: "Result",
      draw: () => (
        <>
          <Rest asked={asked} />
          <Result call={whole} child={child} />
          {lent.views(call)}
        </>
      ),
    },
    {
      name: "arguments",
      label: "Arguments",
      draw: () => (
        <>
          <Rest asked={asked} />
          <Arguments of={whole} label={whole.proposed === null ? "Arguments" : "What ran"}>
            <Lacking tree={state.tree.value} call={whole} bytes={whole.left_out_bytes} />
          </Arguments>
          {lent.changed(whole)}
        </>
      ),
    },
    {
      name: "seen",
      label: "What the model saw",
      draw: () => <SeenTab key={`${run.id} ${call.step}`} run={run} step={call.step} />,
    },
    {
      name: "output",
      label: printed ? "Output" : "No output",
      draw: () => (
        <>
          <Rest asked={asked} />
          <Output call={whole} />
        </>
      ),
    },
    {
      name: "timing",
      label: "Timing",
      draw: () => {
        const now_s = isOpenCall(call) ? state.clock.now_s.value : 0;
        const phases = phasesOf(state.tree.value, run, call);
        return (
          <>
            <Timing root={root} phases={phases} now_s={now_s} />
            {lent.facts(call)}
          </>
        );
      },
    },
    {
      name: "source",
      label: "Source",
      draw: () => <Source key={call.id} state={state} call={call} />,
    },
  ];
}

/** Whether the rest of what a notebook has shortened is on its way, here, or nowhere to be had. */
function Rest({ asked }: { asked: Asked | null }): JSX.Element | null {
  if (asked === null || asked.state === "known") return null;
  const words =
    asked.state === "asking"
      ? "Asking the kernel for all of it…"
      : `The notebook may hold only a part. ${asked.why}`;
  return <p class="nba-small">{words}</p>;
}

function Result({ call, child }: { call: CallNode; child: RunNode | null }): JSX.Element {
  const { failure, content } = call;
  const answer = child && answerOf(child)?.text;
  const told = content && content !== failure?.message && content !== answer ? content : "";
  const isNothing = !failure && !told && !answer;
  return (
    <>
      {failure && <FailureBox failure={failure} explanation={call.explanation} toldModel />}
      {!failure && call.explanation && (
        <Explained {...call.explanation} told={call.content ?? ""} />
      )}
      {answer && <Markdown text={answer} class="nba-display" />}
      {told && (
        <Section label="Result as the model saw it" note={textSize(told)}>
          <Plain text={told} label="Result as the model saw it" />
        </Section>
      )}
      {isNothing && (
        <p class="nba-small">{isOpenCall(call) ? "There is no result yet." : "It gave nothing."}</p>
      )}
    </>
  );
}

function Output({ call: { output } }: { call: CallNode }): JSX.Element {
  if (!output.length) return <p class="nba-small">It printed nothing.</p>;
  return (
    <>
      {output.map(({ stream, text }, at) => (
        <Section key={at} label={STREAM_WORDS[stream]}>
          <Plain
            text={plainText(shown(text))}
            label={STREAM_WORDS[stream]}
            class={`nba-${stream}`}
          />
        </Section>
      ))}
    </>
  );
}
