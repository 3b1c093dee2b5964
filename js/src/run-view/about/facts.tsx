/** What else is known of a call, beside what it was given and what it gave. */
import type { JSX } from "preact";
import type { AuthorizationNode, CallNode } from "../../tree";
import { visibleName } from "../../visible";
import { duration, NOT_ASKED, toPeople } from "../../words";
import { useView } from "../state";

/** What else is known of a call, for those who look closely. */
export function CallFacts({ call }: { call: CallNode }): JSX.Element {
  const cell = useView().state.door.notebook?.cellName(call.cell_id ?? "") ?? call.cell_id;
  return (
    <dl class="nba-facts-list">
      {factsOf(call, cell).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function factsOf(call: CallNode, cell: string | null): [string, string][] {
  const { handle, bounds, started_at, duration_ms, source_hash } = call;
  const { authorization, guardrails, run_links } = call;
  const links = run_links.map(({ agent_name, run_id }) => `${agent_name} (${run_id})`);
  const passed = guardrails.filter(({ outcome }) => outcome === "allow").map(({ name }) => name);
  const facts: [string, string | null][] = [
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
    ["Goes on at", bounds?.next_cursor ?? null],
  ];
  return facts.flatMap(([name, value]) => (value ? [[name, value]] : []));
}

function consentOf({ under_grant, by, summary }: AuthorizationNode): string {
  return under_grant ? NOT_ASKED : `${toPeople(by)}: ${summary}`;
}
