/** A panel: sections of rows with their buttons, and what rows are chosen by. */
import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { Asker } from "../asker";
import type { Ask } from "../kernel-questions";
import { Pane } from "../page";
import type { JsonValue } from "../tree";
import { visible } from "../visible-text";
import { type Act, type Filters, type Row, type Section, type Shown, shownFrom } from "./shown";

const PAUSE_MS = 200;

/** What is shown, and how Python is asked for something else. */
export class PanelState extends Asker {
  readonly shown: Signal<Shown>;
  /** What was done last, for those who listen. */
  readonly said = signal("");
  readonly #ask: Ask | null;
  #pause: ReturnType<typeof setTimeout> | undefined;

  /** `ask` is null where no kernel is: then nothing can be done. */
  constructor(shown: Shown, ask: Ask | null) {
    super();
    this.shown = signal(shown);
    this.#ask = ask;
  }

  get isLive(): boolean {
    return this.#ask !== null;
  }

  async act({ asks, label }: Act): Promise<void> {
    await this.#show({ act: asks });
    if (!this.problem.value) this.said.value = `${label}: done`;
  }

  /** Choose other rows; while somebody types, when there was a pause. */
  choose(changes: Partial<Filters>, isTyped: boolean): void {
    const { filters } = this.shown.peek();
    if (!filters) return;
    const wanted = { ...filters, ...changes };
    this.shown.value = { ...this.shown.peek(), filters: wanted };
    clearTimeout(this.#pause);
    const now = () => void this.#show({ filters: { ...wanted } });
    if (isTyped) this.#pause = setTimeout(now, PAUSE_MS);
    else now();
  }

  async #show(question: { [key: string]: JsonValue }): Promise<void> {
    if (!this.#ask) return;
    await this.newest(this.#ask(question), (answer) => {
      this.shown.value = shownFrom(answer) ?? this.shown.peek();
    });
  }
}

export function Panel({ state }: { state: PanelState }): JSX.Element {
  const { title, notes, sections, filters } = state.shown.value;
  return (
    <div class="nba-panel-view" data-live={state.isLive}>
      {title && <p class="nba-panel-title">{visible(title)}</p>}
      {filters && state.isLive && <Choosing state={state} filters={filters} />}
      {sections.map((section) => (
        <SectionBox key={section.title} state={state} section={section} />
      ))}
      {notes.map((note) => (
        <p key={note} class="nba-small">
          {visible(note)}
        </p>
      ))}
      <p role="status" class="nba-spoken">
        {state.isBusy.value ? "" : state.said.value}
      </p>
      {state.problem.value && (
        <p role="alert" class="nba-panel-problem">
          {state.problem.value}
        </p>
      )}
    </div>
  );
}

function Choosing({ state, filters }: { state: PanelState; filters: Filters }): JSX.Element {
  const { tools, statuses } = state.shown.value;
  return (
    <form
      class="nba-panel-filters"
      aria-label="Which runs"
      onSubmit={(event) => {
        event.preventDefault();
        state.choose({}, false);
      }}
    >
      <input
        type="search"
        aria-label="Words of the prompt"
        placeholder="Words of the prompt"
        autocomplete="off"
        value={filters.words}
        onInput={({ currentTarget }) => state.choose({ words: currentTarget.value }, true)}
      />
      <Select
        label="Status"
        any="Any status"
        options={statuses}
        value={filters.status}
        onChoose={(status) => state.choose({ status }, false)}
      />
      <Select
        label="Tool"
        any="Any tool"
        options={tools}
        value={filters.tool}
        onChoose={(tool) => state.choose({ tool }, false)}
      />
      <input
        type="text"
        inputMode="decimal"
        aria-label="Cost, at least"
        placeholder="Cost ≥"
        class="nba-panel-cost"
        autocomplete="off"
        value={filters.cost}
        onInput={({ currentTarget }) => state.choose({ cost: currentTarget.value }, true)}
      />
    </form>
  );
}

interface SelectProps {
  label: string;
  any: string;
  options: string[];
  value: string;
  onChoose: (value: string) => void;
}

function Select({ label, any, options, value, onChoose }: SelectProps): JSX.Element {
  const known = !value || options.includes(value) ? options : [value, ...options];
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    >
      <option value="">{any}</option>
      {known.map((one) => (
        <option key={one} value={one}>
          {visible(one)}
        </option>
      ))}
    </select>
  );
}

function SectionBox({ state, section }: { state: PanelState; section: Section }): JSX.Element {
  const { title, head, rows, empty } = section;
  const hasActs = state.isLive && rows.some(({ acts }) => acts.length > 0);
  return (
    <section aria-label={title || state.shown.value.title}>
      {title && (
        <h4 class="nba-panel-head">
          {visible(title)} {rows.length > 0 && <span class="nba-small">{rows.length}</span>}
        </h4>
      )}
      {!rows.length && <p class="nba-small">{visible(empty)}</p>}
      {rows.length > 0 && (
        <Pane class="nba-panel-pane" label={title || state.shown.value.title}>
          <table aria-busy={state.isBusy.value}>
            {head.length > 0 && (
              <thead>
                <tr>
                  {head.map((name) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                  {hasActs && (
                    <th scope="col">
                      <span class="nba-spoken">What you can do</span>
                    </th>
                  )}
                </tr>
              </thead>
            )}
            <tbody>
              {rows.map((row, at) => (
                <RowLine key={at} state={state} row={row} hasActs={hasActs} />
              ))}
            </tbody>
          </table>
        </Pane>
      )}
    </section>
  );
}

interface RowProps {
  state: PanelState;
  row: Row;
  hasActs: boolean;
}

function RowLine({ state, row, hasActs }: RowProps): JSX.Element {
  return (
    <tr>
      {row.cells.map((cell, at) => (
        <td key={at}>{visible(cell)}</td>
      ))}
      {hasActs && (
        <td class="nba-panel-acts">
          {row.acts.map((act) => (
            <button
              key={act.label}
              type="button"
              title={act.title}
              aria-label={`${act.label}: ${row.cells.find(Boolean) ?? ""}`}
              onClick={() => void state.act(act)}
            >
              {act.label}
            </button>
          ))}
        </td>
      )}
    </tr>
  );
}
