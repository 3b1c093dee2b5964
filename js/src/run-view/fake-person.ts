/** A person for tests: what is asked of them, and what they do about it. */

import type { Sample } from "../sample-run";
import { drawn } from "./fake-page";

/** The schema of the arguments of `weather`. */
export const WEATHER = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer", default: 1 } },
  required: ["city"],
};

/** Consent is asked for a call; the await's id is `await` and the call's. */
export function confirmation(
  sample: Sample,
  id: string,
  beside: Record<string, unknown> = {},
): Sample {
  return sample.add("await_confirmation", {
    tool_call_id: id,
    await_id: `await ${id}`,
    title: "weather",
    prompt: 'Run weather(city="Paris")?',
    arguments: { city: "Paris" },
    form: WEATHER,
    reason: "It may destroy something.",
    ...beside,
  });
}

/** The await of a call was answered. */
export function answered(sample: Sample, id: string, given: Record<string, unknown> = {}): Sample {
  return sample.add("await_resolved", {
    await_id: `await ${id}`,
    outcome: "answered",
    answer: true,
    answered_by: "you",
    ...given,
  });
}

/** The box of an await. */
export function question(el: Element, await_id: string): HTMLElement {
  const all = [...el.querySelectorAll<HTMLElement>(".nba-await")];
  const found = all.find(({ dataset }) => dataset.await === await_id);
  if (!found) throw new Error(`${await_id} is not asked`);
  return found;
}

/** Press a button of an await, as a person does: it has the focus then. */
export async function act(el: Element, await_id: string, which: string): Promise<void> {
  const button = question(el, await_id).querySelector<HTMLElement>(`[data-act="${which}"]`);
  if (!button) throw new Error(`there is no ${which}`);
  button.focus();
  button.click();
  await drawn();
}

type Box = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Write into a field, or choose in it. */
export async function fill(box: Box | null | undefined, text: string): Promise<void> {
  if (!box) throw new Error("there is no field");
  box.value = text;
  box.dispatchEvent(new Event("input", { bubbles: true }));
  box.dispatchEvent(new Event("change", { bubbles: true }));
  await drawn();
}
