/** The pane at the right: where one is, what it is, and its tabs. */
import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import { LinkButton, StatusIcon } from "../../page";
import { wholeCallInPython } from "../../texts";
import type { RunNode } from "../../tree";
import { argumentsLine, CALL_WORDS, callSign, clipped, troublesInside } from "../../words";
import { Action, Copy } from "../buttons";
import { cameOf, type RunState, shownStatus, useView } from "../state";
import { useAnswer, withWhole } from "../whole";
import { callTabs } from "./call-tabs";
import { type CallPlace, nameOf, type PaneNode, pathTo } from "./node";
import { runTabs, stepTabs } from "./run-tabs";
import { type Lent, Tabs } from "./tabs";

interface Props {
  state: RunState;
  root: RunNode;
  place: PaneNode;
  select(key: string): void;
  /** The tabs that were chosen at last, of each type of node. */
  chosen: Record<PaneNode["type"], Signal<string>>;
  lent: Lent;
}

export function Detail(props: Props): JSX.Element {
  const { state, place, select } = props;
  return (
    <section class="nba-detail" aria-label={`Details of ${nameOf(place)}`}>
      <Path state={state} place={place} select={select} />
      <Title {...props} />
      {place.type === "call" ? (
        <CallDetail key={place.key} {...props} place={place} />
      ) : (
        <OtherDetail key={place.key} {...props} />
      )}
    </section>
  );
}

function CallDetail({ state, root, place, chosen, lent }: Props & { place: CallPlace }) {
  const { run, call } = place;
  const { door } = state;
  const isShort = call.left_out_bytes !== undefined || state.cuts.length > 0;
  const question = { run_id: run.id, call_id: call.id };
  const asked = useAnswer(door, "run:call", isShort && door.canAsk?.() ? question : null);
  const whole = asked?.state === "known" ? withWhole(call, asked.value) : call;
  const tabs = callTabs({ state, root, place, whole, asked, lent });
  return (
    <>
      {lent.decisions(run, call)}
      <Tabs label="What is known of the call" tabs={tabs} chosen={chosen.call} />
      <CallActions state={state} place={place} />
    </>
  );
}

function OtherDetail({ state, root, place, chosen, lent }: Props): JSX.Element {
  const tabs =
    place.type === "step" ? stepTabs(place) : runTabs({ state, root, run: place.run, lent });
  return (
    <Tabs label={`What is known of the ${place.type}`} tabs={tabs} chosen={chosen[place.type]} />
  );
}

type PathProps = Pick<Props, "state" | "place" | "select">;

/** From the run down to what is selected; each place can be gone to. */
function Path({ state, place, select }: PathProps): JSX.Element {
  const path = pathTo(state.tree.value, place);
  return (
    <nav class="nba-path" aria-label="Where it stands">
      <ol>
        {path.map((one) => (
          <li key={one.key}>
            <LinkButton
              aria-current={one.key === place.key ? "location" : undefined}
              onClick={() => select(one.key)}
            >
              {nameOf(one)}
            </LinkButton>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Title({ state, place, select }: Props): JSX.Element {
  const { run } = place;
  if (place.type === "step") return <h3 class="nba-detail-title">Step {place.step}</h3>;
  if (place.type === "run") {
    const came = cameOf({ state, run });
    return (
      <h3 class="nba-detail-title nba-line" data-status={came.sign}>
        <StatusIcon status={came.sign} />
        {nameOf(place)} <span class="nba-model">{run.model}</span>
        <span class="nba-small">{came.words}</span>
      </h3>
    );
  }
  const { call, child } = place;
  const status = shownStatus(state.asked.value, run.id, call);
  const sign = callSign(call, status, troublesInside(state.tree.value, [call]));
  return (
    <>
      <h3 class="nba-detail-title nba-line" data-status={sign}>
        <StatusIcon status={sign} />
        {nameOf(place)}
        <code class="nba-small">{clipped(argumentsLine(call), 160)}</code>
        <span class="nba-small">{CALL_WORDS[status]}</span>
      </h3>
      {child && (
        <p class="nba-small">
          <LinkButton onClick={() => select(child.id)}>
            The run of {child.agent_name}: its prompt, usage and tools
          </LinkButton>
        </p>
      )}
    </>
  );
}

function CallActions({ state, place }: { state: RunState; place: CallPlace }): JSX.Element {
  const view = useView();
  const { call, key } = place;
  const { notebook } = state.door;
  const written = () => wholeCallInPython(state.tree.value, call);
  return (
    <div class="nba-foot">
      {notebook && (
        <Copy
          label="Copy link"
          title="The address of this call in this notebook"
          text={() => notebook.linkTo(key)}
        />
      )}
      <Copy label="Copy as Python" title={written().slice(0, 200)} text={written} />
      {notebook && (
        <Action
          label="Make a cell of it"
          title="The call as plain Python below; nothing is run"
          onClick={() => notebook.insertBelow(written())}
        />
      )}
      <Action
        label="Show in the list"
        title="Leave the two panes and go to the call's row"
        onClick={() => view.showInList(key)}
      />
    </div>
  );
}
