/** Facts in a list, and those of a call: what else is known beside what it was given and what it gave. */
import type { ComponentChildren, JSX } from "preact";
import type { AuthorizationNode, CallNode } from "../../tree";
import { visibleName } from "../../visible-text";
import { duration, NOT_ASKED, toPeople } from "../../words";
import { useView } from "../state";

/** What is known, by its name; of what is empty nothing is said. */
export type Fact = readonly [name: string, value: string | null | undefined];

interface Props {
  facts: readonly Fact[];
  label?: string;
  children?: ComponentChildren;
}

export function FactList({ facts, label, children }: Props): JSX.Element {
  return (
    <dl class="nba-facts-list" aria-label={label}>
      {facts.map(
        ([name, value], at) =>
          value && (
            <div key={at}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
      {children}
    </dl>
  );
}

/** What else is known of a call, for those who look closely. */
export function CallFacts({ call }: { call: CallNode }): JSX.Element {
  const cell = useView().state.door.notebook?.cellName(call.cell_id ?? "") ?? call.cell_id;
  return <FactList facts={factsOf(call, cell)} />;
}

function factsOf(call: CallNode, cell: string | null): Fact[] {
  const { handle, bounds, started_at, duration_ms, source_hash } = call;
  const { authorization, guardrails, run_links } = call;
  const links = run_links.map(({ agent_name, run_id }) => `${agent_name} (${run_id})`);
  const passed = guardrails.filter(({ outcome }) => outcome === "allow").map(({ name }) => name);
  return [
    ["Tool", visibleName(call.name)],
    ["Tool version", source_hash],
    ["Defined in cell", cell],
    ["Asked for in step", call.step ? String(call.step) : null],
    ["Call", call.id],
    ["Started", started_at === null ? null : new Date(started_at * 1000).toLocaleString()],
    ["Took", duration_ms === null ? null : duration(duration_ms / 1000)],
    ["Consent", authorization && consentOf(authorization)],
    ["Passed", passed.join(", ")],
    ["Runs", links.join(", ")],
    ["Kept as", handle && `${handle}: later calls can take it by this name`],
    ["Returned", bounds && `${bounds.returned} of ${bounds.total ?? "an unknown number"}`],
    ["Goes on at", bounds?.next_cursor],
  ];
}

function consentOf({ under_grant, by, summary }: AuthorizationNode): string {
  return under_grant ? NOT_ASKED : `${toPeople(by)}: ${summary}`;
}
