/**
 * JSON as a tree: what is inside is made when it is opened. It can be searched, and of each entry the
 * path and the value copied.
 *
 * Buttons and lists, not a tree widget: the right arrow opens, the left one closes, up, down, Home and
 * End go from entry to entry.
 */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { entriesOf, exactText, isHolder, jsonText } from "../numbers";
import { Chevron, LinkButton, Pane, placeAfter, sets, useOwnId, writes } from "../page";
import type { JsonValue } from "../tree";
import { grouped, plural, textSize } from "../words";
import { CopyButton, Head } from "./head";
import { type Holder, isBranch, JsonState, type Place, placesIn, typeOf } from "./json-search";

/** So many entries are drawn at a time. */
const CHUNK = 100;
/** A longer text is cut until it is asked for. */
const LONG_TEXT = 400;
/** With fewer entries than these all are in sight at once: nothing to search, to open or to close. */
const MANY_ENTRIES = 10;
/** Digits that a fraction shows; the others are what computers add. */
const DIGITS = 12;

interface Props {
  value: JsonValue;
  label?: string;
}

export function JsonTree({ value, label = "JSON" }: Props): JSX.Element {
  const [state] = useState(() => new JsonState(value));
  useLayoutEffect(() => state.replace(value), [state, value]);
  const isLarge = useMemo(() => isLargerThan(value, MANY_ENTRIES), [value]);
  const found = state.found.value;
  return (
    <div class="nba-kind">
      <Head about={`JSON · ${isHolder(value) ? held(value) : textSize(jsonText(value))}`}>
        <Chosen state={state} />
        {isLarge && <Tools state={state} />}
        <CopyButton text={() => jsonText(value, "  ")} what="the JSON" />
      </Head>
      <Pane class="nba-json" label={label} onKeyDown={moveInTree}>
        {found?.many === 0 && <p class="nba-small">Nothing here holds these words.</p>}
        {isBranch(value) ? (
          <Entries state={state} value={value} path="" depth={0} />
        ) : (
          <Leaf value={value} />
        )}
      </Pane>
    </div>
  );
}

/** What can be copied of the entry that was last gone to. */
function Chosen({ state }: { state: JsonState }): JSX.Element | null {
  const place = state.chosen.value;
  if (!place) return null;
  const { path, value } = place;
  return (
    <>
      <code class="nba-json-path" title={path}>
        {path}
      </code>
      <CopyButton text={() => path} what={`the path ${path}`} label="Copy path" />
      <CopyButton
        text={() => (typeof value === "string" ? value : jsonText(value, "  "))}
        what={`the value of ${path}`}
        label="Copy value"
      />
    </>
  );
}

function Tools({ state }: { state: JsonState }): JSX.Element {
  const found = state.found.value;
  return (
    <>
      {found && (
        <span class="nba-small" role="status">
          {grouped(found.many)}
          {found.isMore ? " or more" : ""} found
        </span>
      )}
      <input
        class="nba-field"
        type="search"
        placeholder="Search"
        aria-label="Search in the JSON"
        value={state.words.value}
        onInput={writes(state.words)}
        onKeyDown={(event) => emptyAtEscape(event, state)}
      />
      <LinkButton onClick={() => state.setAll(true)}>Open all</LinkButton>
      <LinkButton onClick={() => state.setAll(false)}>Close all</LinkButton>
    </>
  );
}

/** Keys are the box's own; Escape empties it first. */
function emptyAtEscape(event: KeyboardEvent, { words }: JsonState): void {
  if (event.key === "Escape" && !words.value) return;
  event.stopPropagation();
  if (event.key !== "Escape") return;
  event.preventDefault();
  words.value = "";
}

interface EntriesProps {
  state: JsonState;
  value: Holder;
  path: string;
  depth: number;
}

function Entries({ state, value, path, depth }: EntriesProps): JSX.Element {
  const drawn = useSignal(CHUNK);
  const all = useMemo(() => placesIn(value, path, depth), [value, path, depth]);
  const found = state.found.value;
  const places = found ? all.filter((place) => found.paths.has(place.path)) : all;
  const left = places.length - drawn.value;
  const isItem = Array.isArray(value);
  return (
    <ul class={depth ? "nba-json-list nba-json-inside" : "nba-json-list"}>
      {places.slice(0, drawn.value).map((place) => (
        <Entry key={place.path} state={state} place={place} isItem={isItem} />
      ))}
      {left > 0 && (
        <li>
          <LinkButton onClick={sets(drawn, drawn.value + CHUNK)}>
            Show {Math.min(left, CHUNK)} more of {grouped(places.length)}
          </LinkButton>
        </li>
      )}
    </ul>
  );
}

interface EntryProps {
  state: JsonState;
  place: Place;
  isItem: boolean;
}

function Entry({ state, place, isItem }: EntryProps): JSX.Element {
  const { name, value } = place;
  const key = <span class={isItem ? "nba-json-item" : "nba-json-key"}>{name}</span>;
  if (isBranch(value)) return <Branch {...{ state, place, value }}>{key}</Branch>;
  return (
    <li
      class="nba-json-entry"
      tabIndex={-1}
      data-entry
      data-chosen={state.chosen.value?.path === place.path || undefined}
      onFocusIn={sets(state.chosen, place)}
    >
      {key}
      <Leaf value={value} />
    </li>
  );
}

interface BranchProps {
  state: JsonState;
  place: Place;
  value: Holder;
  children: JSX.Element;
}

function Branch({ state, place, value, children }: BranchProps): JSX.Element {
  const isOpen = state.isOpen(place);
  const id = useOwnId();
  return (
    <li>
      <button
        type="button"
        class="nba-json-button"
        data-entry
        data-chosen={state.chosen.value?.path === place.path || undefined}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => state.flip(place)}
        onFocus={sets(state.chosen, place)}
      >
        <Chevron />
        {children}
        <span class="nba-small">{held(value)}</span>
      </button>
      <div id={id} hidden={!isOpen}>
        {isOpen && <Entries {...{ state, value }} path={place.path} depth={place.depth + 1} />}
      </div>
    </li>
  );
}

function Leaf({ value }: { value: JsonValue }): JSX.Element {
  const isWhole = useSignal(false);
  const text = jsonText(value);
  const short = rounded(value);
  const isCut = text.length > LONG_TEXT && !isWhole.value;
  return (
    <span class="nba-json-value" data-type={typeOf(value)} title={short ? text : undefined}>
      {short ?? (isCut ? `${text.slice(0, LONG_TEXT)}…` : text)}
      {isCut && <LinkButton onClick={sets(isWhole, true)}>Show all ({textSize(text)})</LinkButton>}
    </span>
  );
}

/** A fraction as a person writes it: 0.3, not 0.30000000000000004; `null` where it is so already. */
function rounded(value: JsonValue): string | null {
  if (typeof value !== "number" || Number.isInteger(value)) return null;
  const short = String(Number(value.toPrecision(DIGITS)));
  return short.length < String(value).length - 2 ? short : null;
}

function isLargerThan(value: JsonValue, most: number): boolean {
  let many = 0;
  const inside = (one: JsonValue): boolean => {
    if (!isHolder(one)) return false;
    many += Object.keys(one).length;
    return many > most || Object.values(one).some(inside);
  };
  return exactText(value) === null && inside(value);
}

/** `3 keys`, `1 item`. */
function held(value: Holder): string {
  return plural(entriesOf(value).length, Array.isArray(value) ? "item" : "key");
}

const KEYS = /^(?:Arrow.*|Home|End)$/;

function moveInTree(event: KeyboardEvent): void {
  const { key, currentTarget, target } = event;
  if (!(target instanceof HTMLElement && currentTarget instanceof Element)) return;
  const open = target.getAttribute("aria-expanded");
  if ((key === "ArrowRight" && open === "false") || (key === "ArrowLeft" && open === "true")) {
    target.click();
  } else if (key === "ArrowLeft" && target.hasAttribute("data-entry")) {
    target.closest("ul")?.parentElement?.parentElement?.querySelector("button")?.focus();
  } else if (KEYS.test(key)) {
    const all = [...currentTarget.querySelectorAll<HTMLElement>("[data-entry], .nba-link")];
    all[placeAfter(key, all.indexOf(target), all.length)]?.focus();
  } else return;
  event.preventDefault();
  event.stopPropagation(); // the rows around have arrow keys of their own
}
