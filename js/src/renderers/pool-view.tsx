/**
 * AnyTool's pool as it fills: how full it is, and its APIs by category, with what is new and what was
 * taken out.
 */
import type { JSX } from "preact";
import { useSheet } from "../page";
import { visible, visibleName } from "../visible-text";
import { grouped, plural } from "../words";
import type { Member, Pool } from "./pool";
import css from "./pool.css";

const BY_SEARCH = "search";
/** So many APIs of one category are drawn. */
const MOST = 200;

export function PoolView({ pool }: { pool: Pool }): JSX.Element {
  const box = useSheet<HTMLElement>("pool", css);
  const { categories, count, size, pruned } = pool;
  const share = Math.min(100, (100 * count) / Math.max(size, 1));
  const members = categories.flatMap(([, apis]) => apis);
  return (
    <section class="nba-pool" aria-label="Pool of APIs" ref={box}>
      <p class="nba-pool-head">
        <span class="nba-pool-bar" aria-hidden="true">
          <span style={`width:${share}%`} />
        </span>
        <span>
          {grouped(count)} of {plural(size, "API")} · round {grouped(pool.round)}
        </span>
        <Legend members={members} />
      </p>
      <dl class="nba-pool-list">
        {categories.map(([name, apis]) => (
          <div key={name}>
            <dt>
              {visibleName(name)} <span class="nba-small">{grouped(apis.length)}</span>
            </dt>
            <dd>
              {apis.slice(0, MOST).map((one) => (
                <Chip key={one.name} api={one} />
              ))}
              {apis.length > MOST && <span class="nba-small">and {apis.length - MOST} more</span>}
            </dd>
          </div>
        ))}
      </dl>
      {pruned.length > 0 && (
        <ul class="nba-list nba-pool-gone" aria-label="Taken out">
          {pruned.slice(0, MOST).map((one, at) => (
            <li key={at}>
              <span class="nba-pool-sign" aria-hidden="true">
                −
              </span>
              <s>
                <code>{visibleName(one.name)}</code>
              </s>{" "}
              <span class="nba-small">taken out{one.why && `: ${visible(one.why)}`}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Chip({ api }: { api: Member }): JSX.Element {
  const who = api.by === BY_SEARCH ? "by the search" : api.by && `by ${api.by}`;
  return (
    <span
      class="nba-pool-api"
      data-by={api.by === BY_SEARCH ? "search" : "agent"}
      data-new={api.isNew}
      title={[visible(api.tool), visible(who)].filter(Boolean).join(" · ")}
    >
      {api.isNew && (
        <span class="nba-pool-sign">
          <span aria-hidden="true">+</span>
          <span class="nba-spoken">new </span>
        </span>
      )}
      <code>{visibleName(api.name)}</code>
    </span>
  );
}

/** What the chips' looks mean, as far as both are there. */
function Legend({ members }: { members: Member[] }): JSX.Element | null {
  const isMixed = new Set(members.map(({ by }) => by === BY_SEARCH)).size > 1;
  const added = members.filter(({ isNew }) => isNew).length;
  const words = [
    added ? `${grouped(added)} new` : "",
    isMixed ? "dashed: by the search" : "",
  ].filter(Boolean);
  return words.length ? <span class="nba-small">{words.join(" · ")}</span> : null;
}
