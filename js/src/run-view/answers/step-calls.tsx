/**
 * The calls that would be made next: each as it is, with other arguments, with a result that is given
 * instead, or not made.
 */
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { LinkButton, sets } from "../../page";
import { Arguments } from "../../texts";
import type { JsonValue, ShownNextCall } from "../../tree";
import { visible } from "../../visible-text";
import { FormFields, FormState, type KeptForm } from "../forms";
import { ResultField, resultIn } from "./result";

type How = "as-it-is" | "arguments" | "result" | "skip";

/** What is done with one call. */
class CallDraft {
  readonly how = signal<How>("as-it-is");
  readonly result = signal("");
  readonly form: FormState;

  constructor(readonly call: ShownNextCall) {
    this.form = new FormState(call.form, call.arguments, call.defaults);
  }
}

type KeptCall = [How, string, KeptForm];

/** What is done with the calls. */
export class CallDrafts {
  readonly all: readonly CallDraft[];

  constructor(calls: readonly ShownNextCall[]) {
    this.all = calls.map((call) => new CallDraft(call));
  }

  /** What was done with each so far: given again, that is done again. */
  get kept(): KeptCall[] {
    return this.all.map(({ how, result, form }) => [how.value, result.value, form.kept]);
  }

  set kept(kept: KeptCall[]) {
    for (const [at, one] of kept.entries()) {
      const draft = this.all[at];
      if (draft) [draft.how.value, draft.result.value, draft.form.kept] = one;
    }
  }

  /** What is sent of it; `null`: something is wrong, and is shown. */
  edit(): Record<string, JsonValue> | null {
    const edited: Record<string, JsonValue> = {};
    const result: Record<string, JsonValue> = {};
    const skip: string[] = [];
    for (const { call, how, form, result: given } of this.all) {
      if (how.value === "arguments") {
        const changes = form.changes();
        if (!changes) return null;
        edited[call.id] = changes;
      } else if (how.value === "result") result[call.id] = resultIn(given.value);
      else if (how.value === "skip") skip.push(call.id);
    }
    return {
      ...(Object.keys(edited).length ? { edited } : {}),
      ...(Object.keys(result).length ? { result } : {}),
      ...(skip.length ? { skip } : {}),
    };
  }
}

export function NextCalls({ drafts, canEdit }: { drafts: CallDrafts; canEdit: boolean }) {
  return (
    <ol class="nba-step-messages">
      {drafts.all.map((draft) => (
        <NextCall key={draft.call.id} draft={draft} canEdit={canEdit} />
      ))}
    </ol>
  );
}

const HOWS: readonly [How, string, string][] = [
  ["arguments", "Edit the arguments", "Other arguments"],
  ["result", "Give the result instead", "The result is given"],
  ["skip", "Do not make it", "Not made"],
];

function NextCall({ draft, canEdit }: { draft: CallDraft; canEdit: boolean }): JSX.Element {
  const { call, how, form, result } = draft;
  const { name, problem } = call;
  const hows = HOWS.filter(([one]) => one !== "arguments" || call.form !== null);
  const said = hows.find(([one]) => one === how.value);
  return (
    <li class="nba-step-message" data-dropped={how.value === "skip" || undefined}>
      <div class="nba-step-head">
        <code>{visible(name)}</code>
        {said && <span class="nba-step-sign">{said[2]}</span>}
      </div>
      {problem && <p class="nba-fault">{visible(problem)}</p>}
      {how.value === "arguments" && canEdit ? (
        <FormFields form={form} what={`Arguments of ${name}`} />
      ) : (
        <Arguments of={call} />
      )}
      {how.value === "result" && canEdit && (
        <ResultField
          name={name}
          text={result.value}
          write={(text) => {
            result.value = text;
          }}
        />
      )}
      {canEdit && (
        <div class="nba-step-tools">
          {hows.map(([one, label]) => (
            <LinkButton
              key={one}
              data-act={`call-${one}`}
              aria-pressed={how.value === one}
              aria-label={`${label}: ${name}`}
              onClick={sets(how, how.value === one ? "as-it-is" : one)}
            >
              {label}
            </LinkButton>
          ))}
        </div>
      )}
    </li>
  );
}
