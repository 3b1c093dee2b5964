/**
 * The table of a catalogue: a box to search in, where one is, and a row for each that was found.
 */
import type { JSX } from "preact";
import { Chevron, useOwnId } from "../page";
import { visibleName } from "../visible-text";
import { grouped, plural } from "../words";
import { ApiDetail } from "./detail";
import type { Search } from "./search";
import type { Row, Size } from "./shown";

export function CatalogueTable({ search }: { search: Search }): JSX.Element {
  const { title, size, rows, hint } = search.shown.value;
  const name = title || (size ? "Catalogue" : "Hits");
  return (
    <div class="nba-cat" data-live={search.isLive}>
      <p class="nba-cat-head">
        <strong>{name}</strong>
        {size && <span class="nba-small">{sizeWords(size)}</span>}
      </p>
      {search.isLive && <Box search={search} />}
      <Place search={search} />
      {rows.length > 0 && (
        <div class="nba-cat-pane" aria-busy={search.isBusy.value}>
          <table aria-label={name}>
            <Heads row={rows[0]} />
            <tbody>
              {rows.map((row) => (
                <Entry key={`${row.kind} ${row.category} ${row.name}`} row={row} search={search} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div class="nba-cat-foot">
        <span role="status">{statusWords(search)}</span>
        {search.canMore && (
          <button type="button" class="nba-cat-button" onClick={() => void search.more()}>
            More
          </button>
        )}
      </div>
      {hint && <p class="nba-small">{hint}</p>}
      {search.problem.value && (
        <p role="alert" class="nba-cat-problem">
          {search.problem.value}
        </p>
      )}
    </div>
  );
}

function Box({ search }: { search: Search }): JSX.Element {
  const { size } = search.shown.value;
  const label = size ? `Search ${plural(size.apis, "API")}` : "Search";
  return (
    <form
      class="nba-cat-box"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        void search.now();
      }}
    >
      <input
        type="search"
        aria-label={label}
        placeholder={`${label}: words, a wish, or a name`}
        autocomplete="off"
        spellcheck={false}
        value={search.text.value}
        onInput={({ currentTarget }) => search.type(currentTarget.value)}
      />
    </form>
  );
}

/** Where one is, with the way back. */
function Place({ search }: { search: Search }): JSX.Element | null {
  const { category, tool, query } = search.shown.value;
  const places = [category, tool].filter(Boolean).map(visibleName);
  if (!search.isLive) {
    const where = places.length ? ` in ${places.join(" › ")}` : "";
    return query || where ? (
      <p class="nba-cat-asked">{query ? `“${query}”${where}` : where}</p>
    ) : null;
  }
  if (!places.length) return null;
  const go = (to: { category: string; tool: string }) =>
    void search.go({ query: search.text.peek(), ...to });
  return (
    <nav class="nba-cat-place" aria-label="Where">
      <button type="button" onClick={() => go({ category: "", tool: "" })}>
        All categories
      </button>
      {category && (
        <>
          <span aria-hidden="true">›</span>
          <button
            type="button"
            aria-current={tool ? undefined : "page"}
            onClick={() => go({ category, tool: "" })}
          >
            {visibleName(category)}
          </button>
        </>
      )}
      {tool && (
        <>
          <span aria-hidden="true">›</span>
          <span aria-current="page">{visibleName(tool)}</span>
        </>
      )}
    </nav>
  );
}

function Heads({ row }: { row: Row | undefined }): JSX.Element {
  const names = {
    hit: ["API", "Matched words", "Score"],
    api: ["API"],
    category: ["Category", "Holds"],
    tool: ["Tool", "Holds"],
  }[row?.kind ?? "api"];
  return (
    <thead class="nba-cat-heads">
      <tr>
        {names.map((name) => (
          <th key={name} scope="col" data-numeric={name === "Score"}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Entry({ row, search }: { row: Row; search: Search }): JSX.Element {
  if (row.kind === "category" || row.kind === "tool") return <Branch row={row} search={search} />;
  return <Api row={row} search={search} />;
}

function Branch({ row, search }: { row: Row; search: Search }): JSX.Element {
  const tools = row.kind === "category" ? `${plural(row.tools, "tool")}, ` : "";
  const to =
    row.kind === "category"
      ? { category: row.name, tool: "" }
      : { category: row.category, tool: row.name };
  return (
    <tr class="nba-cat-row">
      <td>
        {search.isLive ? (
          <button
            type="button"
            class="nba-cat-open"
            onClick={() => void search.go({ query: "", ...to })}
          >
            <span class="nba-cat-name">{visibleName(row.name)}</span>
          </button>
        ) : (
          <span class="nba-cat-name">{visibleName(row.name)}</span>
        )}
      </td>
      <td class="nba-cat-holds">
        {tools}
        {plural(row.apis, "API")}
      </td>
    </tr>
  );
}

function Api({ row, search }: { row: Row; search: Search }): JSX.Element {
  const id = useOwnId();
  const isOpen = search.open.value.has(row.name);
  const canOpen = search.isLive || search.details.value.has(row.name);
  const columns = row.kind === "hit" ? 3 : 1;
  const name = <code class="nba-cat-name">{visibleName(row.name)}</code>;
  return (
    <>
      <tr class="nba-cat-row">
        <td>
          {canOpen ? (
            <button
              type="button"
              class="nba-cat-open"
              aria-expanded={isOpen}
              aria-controls={id}
              onClick={() => void search.toggle(row.name)}
            >
              <Chevron />
              {name}
            </button>
          ) : (
            name
          )}
          <span class="nba-cat-about">
            {row.kind === "hit" && (
              <span class="nba-cat-where">
                {[row.category, row.tool].map(visibleName).join(" › ")}
              </span>
            )}
            {row.summary}
          </span>
        </td>
        {row.kind === "hit" && (
          <>
            <td class="nba-cat-words">
              {row.matched.map(([word, fields]) => (
                <span key={word} class="nba-cat-word">
                  <b>{word}</b>: {fields.join(", ")}
                </span>
              ))}
            </td>
            <td data-numeric="true">{row.score?.toFixed(2)}</td>
          </>
        )}
      </tr>
      <tr id={id} hidden={!isOpen} class="nba-cat-more">
        <td colSpan={columns}>
          {isOpen && <ApiDetail detail={search.details.value.get(row.name)} name={row.name} />}
        </td>
      </tr>
    </>
  );
}

function sizeWords({ apis, tools, categories }: Size): string {
  const last = plural(categories, "category", "categories");
  return `${plural(apis, "API")} · ${plural(tools, "tool")} · ${last}`;
}

function statusWords(search: Search): string {
  if (search.isBusy.value) return "Searching…";
  const { query, rows, total, category, tool } = search.shown.value;
  if (query) return plural(rows.length, "hit");
  const noun = tool ? "API" : category ? "tool" : "category";
  const all = plural(total, noun, noun === "category" ? "categories" : `${noun}s`);
  return rows.length < total ? `${grouped(rows.length)} of ${all}` : all;
}
