/** A question whose few short answers are buttons: one click answers. */
import type { JSX } from "preact";
import type { Question as Asked, JsonValue } from "../../tree";
import type { Field } from "../forms";
import { NO, optionText, YES } from "../forms";
import type { Question } from "../state";
import { AnswerForm, AwaitButton, Decline, useSend } from "./form";

const MANY = 4;
/** So many characters are read at a glance on a button. */
const SHORT = 28;

interface Choice {
  label: string;
  value: JsonValue;
}

/** The buttons of an await that asks for one thing; `null` where it is to be answered otherwise. */
export function choicesOf({ node }: Question): Choice[] | null {
  const [one, ...others] = node.questions;
  if (!one || others.length || one.multiple || one.free_text) return null;
  if (one.options.some(({ description }) => description)) return null;
  return few(one.options.map(({ label }) => ({ label, value: { [one.id]: label } })));
}

/** The same of a form that asks for nothing but one such value, by what is written for each. */
export function fieldChoices([field, ...others]: Field[]):
  | { label: string; text: string }[]
  | null {
  if (!field?.isRequired || field.mayBeNull || others.length) return null;
  if (field.type.is === "flag") {
    return [
      { label: "Yes", text: YES },
      { label: "No", text: NO },
    ];
  }
  if (field.type.is !== "choice") return null;
  return few(field.type.options.map((one, at) => ({ label: optionText(one), text: String(at) })));
}

function few<T extends { label: string }>(choices: T[]): T[] | null {
  const isFew = choices.length > 0 && choices.length < MANY;
  return isFew && choices.every(({ label }) => label.length <= SHORT) ? choices : null;
}

interface ChoicesProps {
  asked: Asked;
  choices: Choice[];
  isTitled: boolean;
}

/** The question, where it does not stand above already, and its answers. */
export function Choices({ asked, choices, isTitled }: ChoicesProps): JSX.Element {
  const send = useSend();
  return (
    <AnswerForm>
      {!isTitled && <p class="nba-await-text">{asked.text}</p>}
      <Buttons choices={choices} onChoose={({ value }) => send({ action: "answer", value })} />
    </AnswerForm>
  );
}

interface ButtonsProps<T> {
  choices: T[];
  onChoose: (choice: T) => void;
}

/** A button for each answer; a yes or no needs none beside it. */
export function Buttons<T extends { label: string }>(props: ButtonsProps<T>): JSX.Element {
  const { choices, onChoose } = props;
  const isYesOrNo = choices.map(({ label }) => label.toLowerCase()).join() === "yes,no";
  return (
    <div class="nba-acts">
      {choices.map((choice) => (
        <AwaitButton
          key={choice.label}
          act="choose"
          label={choice.label}
          onClick={() => onChoose(choice)}
        />
      ))}
      {!isYesOrNo && <Decline />}
    </div>
  );
}
