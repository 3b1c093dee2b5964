/**
 * Answering in the model's place: words, or calls of the tools that it is offered, with their forms.
 */
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { LinkButton, sets } from "../../page";
import type { JsonValue, ShownPause, ShownTool } from "../../tree";
import { visible } from "../../visible-text";
import { FormFields, FormState, type KeptForm, Labelled } from "../forms";
import { AwaitButton, Cancel } from "./form";

interface OwnCall {
  tool: ShownTool;
  form: FormState;
}

type KeptAnswer = [string, [string, KeptForm][]];

/** What is said in the model's place. */
export class OwnAnswer {
  readonly text = signal("");
  readonly calls = signal<readonly OwnCall[]>([]);
  readonly problem = signal("");

  constructor(readonly tools: readonly ShownTool[]) {}

  /** What was written so far: given again, it is there again. */
  get kept(): KeptAnswer {
    const calls = this.calls.value.map(({ tool, form }): [string, KeptForm] => [
      tool.name,
      form.kept,
    ]);
    return [this.text.value, calls];
  }

  set kept([text, calls]: KeptAnswer) {
    this.text.value = text;
    for (const [name, form] of calls) this.call(name, form);
  }

  call(name: string, kept?: KeptForm): void {
    const tool = this.tools.find((one) => one.name === name);
    if (!tool) return;
    const form = new FormState(tool.parameters, {});
    if (kept) form.kept = kept;
    this.calls.value = [...this.calls.value, { tool, form }];
    this.problem.value = "";
  }

  /** It, as it is sent; `null`: something is wrong, and is shown. */
  said(): Record<string, JsonValue> | null {
    const calls: JsonValue[] = [];
    for (const { tool, form } of this.calls.value) {
      const given = form.read();
      if (!given) return null;
      calls.push({ name: tool.name, arguments: given });
    }
    const text = this.text.value.trim();
    this.problem.value = text || calls.length ? "" : "Write an answer, or choose a tool to call.";
    if (this.problem.value) return null;
    return { ...(text ? { text } : {}), ...(calls.length ? { calls } : {}) };
  }
}

export function BeTheModel({ own, pause }: { own: OwnAnswer; pause: ShownPause }): JSX.Element {
  return (
    <div class="nba-step-model">
      <Labelled
        label="You are the model. What do you answer?"
        fault={own.problem.value || undefined}
      >
        {(props) => (
          <textarea
            {...props}
            class="nba-input"
            rows={3}
            value={own.text.value}
            onInput={({ currentTarget }) => {
              own.text.value = currentTarget.value;
              own.problem.value = "";
            }}
          />
        )}
      </Labelled>
      {own.calls.value.map(({ tool, form }, at) => (
        <div key={at} class="nba-step-message">
          <div class="nba-step-head">
            <code>{visible(tool.name)}</code>
            <LinkButton
              aria-label={`Do not call ${tool.name}`}
              onClick={sets(own.calls, own.calls.value.toSpliced(at, 1))}
            >
              Remove
            </LinkButton>
          </div>
          <FormFields form={form} what={`Arguments of ${tool.name}`} />
        </div>
      ))}
      {!pause.is_final && own.tools.length > 0 && (
        <Labelled label="Call a tool">
          {(props) => (
            <select
              {...props}
              class="nba-input"
              value=""
              onChange={({ currentTarget }) => {
                own.call(currentTarget.value);
                currentTarget.value = "";
              }}
            >
              <option value="">Choose…</option>
              {own.tools.map(({ name }) => (
                <option key={name} value={name}>
                  {visible(name)}
                </option>
              ))}
            </select>
          )}
        </Labelled>
      )}
      <div class="nba-acts">
        <AwaitButton act="say" label="Answer as the model" isMain />
        <Cancel />
      </div>
    </div>
  );
}
