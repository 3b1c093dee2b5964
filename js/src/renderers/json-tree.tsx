/**
 * JSON as a tree: what is inside is made when it is opened.
 *
 * Buttons and lists, not a tree widget: the right arrow opens, the left one closes, up and down go
 * from button to button.
 *
 * @module
 */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { JsonValue } from "../events";
import { entriesOf, exactText, isHolder, jsonText } from "../numbers";
import { Chevron } from "../run-view/icons";
import { useOwnId } from "../run-view/own-id";
import { Pane } from "../run-view/pane";
import { grouped, plural, textSize } from "../run-view/words";
import { CopyButton } from "./copy-button";
import { Head } from "./head";

/** So many entries are drawn at a time. */
const CHUNK = 100;
/** A longer text is cut until it is asked for. */
const LONG_TEXT = 400;
/** What has no more entries than this stands open. */
const OPEN_ENTRIES = 8;

export function JsonTree({ value, label = "JSON" }: { value: JsonValue; label?: string }) {
  return (
    <div class="nba-kind">
      <Head about={`JSON · ${isHolder(value) ? held(value) : textSize(written(value))}`}>
        <CopyButton text={() => jsonText(value, "  ")} what="the JSON" />
      </Head>
      <Pane class="nba-json" label={label} onKeyDown={moveInTree}>
        {isHolder(value) && entriesOf(value).length ? (
          <Entries value={value} depth={0} />
        ) : (
          <Leaf value={value} />
        )}
      </Pane>
    </div>
  );
}

type Holder = JsonValue[] | { [key: string]: JsonValue };

function Entries({ value, depth }: { value: Holder; depth: number }): JSX.Element {
  const drawn = useSignal(CHUNK);
  const entries = entriesOf(value);
  const left = entries.length - drawn.value;
  return (
    <ul class={depth ? "nba-json-list nba-json-inside" : "nba-json-list"}>
      {entries.slice(0, drawn.value).map(([key, one]) => (
        <Entry key={key} name={key} value={one} depth={depth} isItem={Array.isArray(value)} />
      ))}
      {left > 0 && (
        <li>
          <button
            type="button"
            class="nba-link"
            onClick={() => {
              drawn.value += CHUNK;
            }}
          >
            Show {Math.min(left, CHUNK)} more of {grouped(entries.length)}
          </button>
        </li>
      )}
    </ul>
  );
}

interface EntryProps {
  name: string;
  value: JsonValue;
  depth: number;
  isItem: boolean;
}

function Entry({ name, value, depth, isItem }: EntryProps): JSX.Element {
  const key = <span class={isItem ? "nba-json-item" : "nba-json-key"}>{name}</span>;
  if (!isHolder(value) || entriesOf(value).length === 0) {
    return (
      <li class="nba-json-entry">
        {key}
        <Leaf value={value} />
      </li>
    );
  }
  return <Branch name={name} value={value} depth={depth} isItem={isItem} />;
}

function Branch({ name, value, depth, isItem }: EntryProps & { value: Holder }): JSX.Element {
  const isOpen = useSignal(depth < 2 && entriesOf(value).length <= OPEN_ENTRIES);
  const id = useOwnId();
  return (
    <li>
      <button
        type="button"
        class="nba-json-button"
        aria-expanded={isOpen.value}
        aria-controls={id}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <Chevron />
        <span class={isItem ? "nba-json-item" : "nba-json-key"}>{name}</span>
        <span class="nba-small">{held(value)}</span>
      </button>
      <div id={id} hidden={!isOpen.value}>
        {isOpen.value && <Entries value={value} depth={depth + 1} />}
      </div>
    </li>
  );
}

function Leaf({ value }: { value: JsonValue }): JSX.Element {
  const isWhole = useSignal(false);
  const text = written(value);
  const isCut = text.length > LONG_TEXT && !isWhole.value;
  return (
    <span class="nba-json-value" data-type={typeOf(value)}>
      {isCut ? `${text.slice(0, LONG_TEXT)}…` : text}
      {isCut && (
        <button
          type="button"
          class="nba-link"
          onClick={() => {
            isWhole.value = true;
          }}
        >
          Show all ({textSize(text)})
        </button>
      )}
    </span>
  );
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  return exactText(value) === null ? typeof value : "number";
}

function written(value: JsonValue): string {
  return jsonText(value);
}

/** `3 keys`, `1 item`. */
function held(value: Holder): string {
  return plural(entriesOf(value).length, Array.isArray(value) ? "item" : "key");
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

function moveInTree(event: KeyboardEvent): void {
  const { key, currentTarget, target } = event;
  if (!(target instanceof HTMLButtonElement && currentTarget instanceof Element)) return;
  const open = target.getAttribute("aria-expanded");
  const step = STEPS[key];
  if ((key === "ArrowRight" && open === "false") || (key === "ArrowLeft" && open === "true")) {
    target.click();
  } else if (step) {
    const all = [...currentTarget.querySelectorAll("button")];
    all[all.indexOf(target) + step]?.focus();
  } else if (key !== "ArrowLeft" && key !== "ArrowRight") return;
  event.preventDefault();
  event.stopPropagation(); // the rows around have arrow keys of their own
}
