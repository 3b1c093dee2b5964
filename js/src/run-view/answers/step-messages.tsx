/**
 * What the model would be told, message by message: what is new of it, and what a person has changed.
 */
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { jsonText } from "../../numbers";
import { LinkButton } from "../../page";
import { Diff } from "../../renderers";
import { Plain } from "../../texts";
import type { JsonValue, ShownMessage, ShownPause } from "../../tree";
import { visible } from "../../visible-text";
import { plural } from "../../words";
import { Labelled } from "../forms";

/** One message of the pause, or one that was added. */
interface Draft {
  /** Which of those of the pause; `null`: it was added. */
  keep: number | null;
  role: ShownMessage["role"];
  /** Other words, if there are some. */
  text: string | null;
  isOpen: boolean;
  isDropped: boolean;
}

/** What of the messages is other than it was. */
export class MessageDrafts {
  readonly all;
  readonly #given: readonly ShownMessage[];

  constructor(given: readonly ShownMessage[]) {
    this.#given = given;
    this.all = signal<readonly Draft[]>(
      given.map(({ role }, keep) => ({ keep, role, text: null, isOpen: false, isDropped: false })),
    );
  }

  change(at: number, now: Partial<Draft>): void {
    this.all.value = this.all.value.map((one, index) => (index === at ? { ...one, ...now } : one));
  }

  /** A call and its results go together, or stay. */
  drop(at: number, isDropped: boolean): void {
    const one = this.all.value[at];
    const given = one?.keep == null ? undefined : this.#given[one.keep];
    if (!given) {
      this.all.value = this.all.value.filter((_, index) => index !== at);
      return;
    }
    const asked = given.call_id ? this.#asking(given.call_id) : given;
    const ids = new Set(asked?.calls.map(({ id }) => id));
    this.all.value = this.all.value.map((draft, index) => {
      const own = draft.keep === null ? undefined : this.#given[draft.keep];
      const goesAlong = own !== undefined && (own === asked || ids.has(own.call_id ?? ""));
      return index === at || goesAlong ? { ...draft, isDropped } : draft;
    });
  }

  #asking(call_id: string): ShownMessage | undefined {
    return this.#given.find(({ calls }) => calls.some(({ id }) => id === call_id));
  }

  add(): void {
    const added: Draft = { keep: null, role: "user", text: "", isOpen: true, isDropped: false };
    this.all.value = [...this.all.value, added];
  }

  /** What is sent of it: nothing where nothing is other than it was. */
  edit(): { messages?: JsonValue[] } {
    const changed = this.all.value.filter(
      ({ keep, text, isDropped }) => keep === null || text !== null || isDropped,
    );
    if (!changed.length) return {};
    const kept = this.all.value.filter(({ isDropped, keep, text }) => {
      return !isDropped && (keep !== null || text?.trim());
    });
    const messages = kept.map(({ keep, role, text }) => {
      if (keep === null) return { role, text: text ?? "" };
      return text === null ? { keep } : { keep, text };
    });
    return { messages };
  }
}

interface Props {
  drafts: MessageDrafts;
  pause: ShownPause;
  canEdit: boolean;
}

export function Messages({ drafts, pause, canEdit }: Props): JSX.Element {
  const { messages, tools, settings, new_from } = pause;
  const news = messages.length - Math.min(new_from, messages.length);
  return (
    <>
      <p class="nba-small">
        The model would be told {plural(messages.length, "message")}
        {news < messages.length && `, ${news} of them new`}
        {pause.is_final && "; it has the last word: no calls can follow"}.
      </p>
      <ol class="nba-step-messages">
        {drafts.all.value.map((draft, at) => (
          <Message
            key={draft.keep ?? `new ${at}`}
            {...{ drafts, draft, at, canEdit }}
            given={draft.keep === null ? null : (messages[draft.keep] ?? null)}
            isNew={draft.keep !== null && draft.keep >= new_from}
          />
        ))}
      </ol>
      {canEdit && (
        <div class="nba-acts">
          <LinkButton data-act="add" onClick={() => drafts.add()}>
            Add a message
          </LinkButton>
        </div>
      )}
      {tools.length > 0 && (
        <details class="nba-step-more">
          <summary>{plural(tools.length, "tool")} offered</summary>
          <dl>
            {tools.map(({ name, description }) => (
              <div key={name}>
                <dt>
                  <code>{visible(name)}</code>
                </dt>
                <dd>{visible(description)}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      {Object.keys(settings).length > 0 && (
        <p class="nba-small">
          Settings: <code>{visible(jsonText(settings))}</code>
        </p>
      )}
    </>
  );
}

interface MessageProps {
  drafts: MessageDrafts;
  draft: Draft;
  at: number;
  canEdit: boolean;
  given: ShownMessage | null;
  isNew: boolean;
}

function Message({ drafts, draft, at, canEdit, given, isNew }: MessageProps): JSX.Element {
  const { role, text, isOpen, isDropped } = draft;
  const before = given?.text ?? "";
  const isChanged = text !== null && given !== null && text !== before;
  const name = `${role}, message ${at}`;
  return (
    <li class="nba-step-message" data-role={role} data-dropped={isDropped || undefined}>
      <div class="nba-step-head">
        <strong>{role}</strong>
        {isNew && <span class="nba-step-sign">new</span>}
        {given === null && <span class="nba-step-sign">added by you</span>}
        {isChanged && <span class="nba-step-sign">changed by you</span>}
        {isDropped && <span class="nba-step-sign">dropped by you</span>}
        {canEdit && (
          <span class="nba-step-tools">
            {!isDropped && given !== null && (
              <LinkButton
                data-act="edit-message"
                aria-expanded={isOpen}
                aria-label={`${isOpen ? "Close" : "Edit"}: ${name}`}
                onClick={() => drafts.change(at, { isOpen: !isOpen, text: text ?? before })}
              >
                {isOpen ? "Close" : "Edit"}
              </LinkButton>
            )}
            <LinkButton
              data-act="drop-message"
              aria-label={`${isDropped ? "Keep" : "Drop"}: ${name}`}
              onClick={() => drafts.drop(at, !isDropped)}
            >
              {isDropped ? "Keep" : "Drop"}
            </LinkButton>
          </span>
        )}
      </div>
      {isOpen && canEdit && !isDropped ? (
        <Labelled label={`Words of ${name}`}>
          {(props) => (
            <textarea
              {...props}
              class="nba-input"
              rows={3}
              value={text ?? before}
              onInput={({ currentTarget }) => drafts.change(at, { text: currentTarget.value })}
            />
          )}
        </Labelled>
      ) : (
        (text ?? before) && (
          <Plain text={visible(text ?? before)} label={name} class="nba-step-text" />
        )
      )}
      {isChanged && <Diff before={before} after={text} name="Your change" />}
      {given?.calls.map(({ id, name: tool, arguments: written }) => (
        <p key={id} class="nba-small">
          asks for <code>{visible(`${tool}(${written})`)}</code>
        </p>
      ))}
      {given?.parts.map((part) => (
        <p key={part} class="nba-small">
          {visible(part)}
        </p>
      ))}
    </li>
  );
}
