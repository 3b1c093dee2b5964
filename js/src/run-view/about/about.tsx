/** What a run has used, on demand: of each limit how much, however little. */
import type { JSX } from "preact";
import { activeTime, count, grouped, metersOf, money, ticking, usedBy, waited } from "../../words";
import type { OfRun } from "../state";
import { type Fact, FactList } from "./facts";

export function AboutRun({ state, run }: OfRun): JSX.Element {
  const used = usedBy(state.tree.value, run);
  const now_s = run.ended_at ?? state.clock.now_s.value;
  const meters = metersOf(run, activeTime(run, used, now_s), used);
  const waited_s = waited(used.waits, now_s);
  const facts: Fact[] = [
    ["Agent", run.agent_name],
    ["Model", run.model],
    ["Started", new Date(run.started_at * 1000).toLocaleString()],
    ["Time", ticking(now_s - run.started_at)],
    ["Waiting for you", waited_s > 0 ? ticking(waited_s) : ""],
    ["Calls", grouped(used.calls)],
    ["Tokens in", `${count(used.input)}, of which ${count(used.cached)} cached`],
    ["Tokens out", count(used.output)],
    ["Cost, by the prices that you have set", used.cost === null ? "" : money(used.cost)],
    ["Run", run.id],
  ];
  return (
    <FactList label="About this run" facts={facts}>
      {meters.length > 0 && (
        <div>
          <dt>Limits</dt>
          <dd class="nba-limits">
            {meters.map((meter) => (
              <span key={meter.of}>
                <meter
                  value={Math.min(meter.value, meter.max)}
                  max={meter.max}
                  aria-label={meter.words}
                />{" "}
                {meter.words}
              </span>
            ))}
          </dd>
        </div>
      )}
    </FactList>
  );
}
