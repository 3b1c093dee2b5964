/** The tabs of a run, and of a step. */
import type { JSX } from "preact";
import { FailureBox, Markdown, Plain, Sources } from "../../texts";
import type { RunNode } from "../../tree";
import { grouped, money, plural, usedBy } from "../../words";
import { FactList } from "../about";
import { answerOf, phasesOfRun } from "../rows";
import { OfferedTools, seenSteps } from "../seen";
import type { RunState } from "../state";
import type { StepPlace } from "./node";
import { SeenTab } from "./seen-tab";
import type { Lent, Tab } from "./tabs";
import { Timing } from "./timing";

interface Options {
  state: RunState;
  root: RunNode;
  run: RunNode;
  lent: Lent;
}

export function runTabs({ state, root, run, lent }: Options): Tab[] {
  return [
    {
      name: "answer",
      label: "Answer",
      draw: () => (
        <>
          {lent.questions(run)}
          <Answer run={run} lent={lent} />
          {run.id === root.id && lent.stages()}
        </>
      ),
    },
    { name: "prompt", label: "Prompt", draw: () => <Asked run={run} /> },
    {
      name: "usage",
      label: "Usage",
      draw: () => (
        <>
          <div class="nba-who">{lent.figures(run)}</div>
          <Usage state={state} run={run} />
        </>
      ),
    },
    { name: "offered", label: "Tools offered", draw: () => <Offered run={run} /> },
    {
      name: "timing",
      label: "Timing",
      draw: () => {
        const now_s = run.ended_at === null ? state.clock.now_s.value : 0;
        return <Timing root={root} phases={phasesOfRun(state.tree.value, run)} now_s={now_s} />;
      },
    },
  ];
}

export function stepTabs({ run, step }: StepPlace): Tab[] {
  return [
    {
      name: "seen",
      label: "What the model saw",
      draw: () => <SeenTab key={`${run.id} ${step}`} run={run} step={step} />,
    },
    { name: "answer", label: "What it answered", draw: () => <StepAnswer run={run} step={step} /> },
  ];
}

function Answer({ run, lent }: Pick<Options, "run" | "lent">): JSX.Element {
  const answer = answerOf(run);
  return (
    <>
      {run.failure && <FailureBox failure={run.failure} explanation={run.explanation} />}
      {lent.answer(run) ?? (
        <p class="nba-small">{run.status === "running" ? "Not yet." : "There is no answer."}</p>
      )}
      {run.refused && <p class="nba-small">The model refused.</p>}
      {answer && <Sources citations={run.citations} />}
    </>
  );
}

function Asked({ run: { prompt, shared } }: { run: RunNode }): JSX.Element {
  return (
    <>
      <Plain text={prompt} label="The prompt" />
      {shared.length > 0 && (
        <ul class="nba-small" aria-label="Shared with the model">
          {shared.map((one, at) => (
            <li key={at}>{one}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function Usage({ state, run }: { state: RunState; run: RunNode }): JSX.Element {
  const own = run.usage;
  const all = usedBy(state.tree.value, run);
  const tokens = (into: number, out: number, cached: number) =>
    `${grouped(into)} in, of which ${grouped(cached)} cached; ${grouped(out)} out`;
  const isMore = all.input + all.output > own.input_tokens + own.output_tokens;
  const limits = Object.entries(run.limits).flatMap(([name, value]: [string, number | null]) =>
    value === null ? [] : [`${name}=${value}`],
  );
  return (
    <FactList
      facts={[
        ["Model", run.model],
        ["Requests", grouped(own.requests)],
        ["Tokens", tokens(own.input_tokens, own.output_tokens, own.cached_tokens)],
        ["With those inside", isMore ? tokens(all.input, all.output, all.cached) : ""],
        ["Cost", all.cost === null ? "" : money(all.cost)],
        ["Calls", plural(all.calls, "call")],
        ["Limits", limits.join(", ")],
      ]}
    />
  );
}

/** What the model could call at first; what changed later stands at its step. */
function Offered({ run }: { run: RunNode }): JSX.Element {
  const [first] = seenSteps(run);
  if (!first) return <p class="nba-small">{run.tools.join(", ") || "No tool"}</p>;
  return <OfferedTools tools={first.tools} />;
}

function StepAnswer({ run, step }: { run: RunNode; step: number }): JSX.Element {
  const said = run.items.flatMap((item) =>
    item.type !== "call" && item.step === step && "text" in item ? [item] : [],
  );
  const asked = Object.values(run.calls).filter((call) => call.step === step);
  return (
    <>
      {said.map((item, at) =>
        item.type === "thought" ? (
          <p key={at} class="nba-thought-text">
            {item.text.trim()}
          </p>
        ) : (
          <Markdown key={at} text={item.text} class="nba-display" />
        ),
      )}
      {asked.length > 0 && (
        <p class="nba-small">
          It asked for {plural(asked.length, "call")}: {asked.map(({ name }) => name).join(", ")}
        </p>
      )}
      {!said.length && !asked.length && <p class="nba-small">Nothing is known of its answer.</p>}
    </>
  );
}
