/**
 * Questions to a person: what is missing, by a form or as text; what to choose, and what to write.
 */
import type { InputHTMLAttributes, JSX } from "preact";
import { isRecord } from "../../bridge";
import { useOwnId } from "../../page";
import { Arguments } from "../../texts";
import type { Question as Asked, JsonValue } from "../../tree";
import { FormFields, formOf, Labelled } from "../forms";
import type { Answering } from "../state";
import { Buttons, Choices, choicesOf, fieldChoices } from "./choices";
import { AnswerForm, SendButtons, useAwait, useSend } from "./form";

export function AskForm(): JSX.Element {
  const { question, canAnswer } = useAwait();
  const { kind, form } = question.node;
  if (kind === "questions") return <Questions />;
  return (
    <>
      <Given />
      {canAnswer && (form === null ? <TextForm /> : <FieldsForm />)}
    </>
  );
}

/** What is there already and is not asked for. */
function Given(): JSX.Element | null {
  const { arguments: given, form } = useAwait().question.node;
  if (!isRecord(given)) return null;
  const asked = isRecord(form) && isRecord(form.properties) ? form.properties : {};
  const rest = Object.entries(given).filter(([name]) => !Object.hasOwn(asked, name));
  if (!rest.length) return null;
  return <Arguments of={{ arguments: Object.fromEntries(rest) }} label="Given already" />;
}

function FieldsForm(): JSX.Element {
  const send = useSend();
  const { question, answering } = useAwait();
  const form = formOf(answering, question.node);
  const answer = () => {
    const value = form.read();
    if (value) send({ action: "answer", value });
  };
  const choices = form.isJson.value ? null : fieldChoices(form.fields.value);
  const [field] = form.fields.value;
  if (choices && field)
    return (
      <AnswerForm>
        <p class="nba-await-text">
          <code>{field.name}</code> {field.about}
        </p>
        <Buttons
          choices={choices}
          onChoose={({ text }) => {
            form.set(field.path, text);
            answer();
          }}
        />
      </AnswerForm>
    );
  return (
    <AnswerForm onSubmit={answer}>
      <FormFields form={form} what="Answer" />
      <SendButtons />
    </AnswerForm>
  );
}

const TEXT = "text";
const NEEDED = "Write something, or decline.";

function TextForm(): JSX.Element {
  const send = useSend();
  const { answering } = useAwait();
  const text = answering.texts.value[TEXT] ?? "";
  const answer = () => {
    if (text.trim()) send({ action: "answer", value: text });
    else answering.problem.value = NEEDED;
  };
  return (
    <AnswerForm onSubmit={answer}>
      <Labelled label="Answer">
        {(props) => (
          <textarea
            {...props}
            class="nba-input"
            rows={2}
            value={text}
            onInput={({ currentTarget }) => answering.write(TEXT, currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
          />
        )}
      </Labelled>
      <SendButtons />
    </AnswerForm>
  );
}

function Questions(): JSX.Element {
  const send = useSend();
  const { question, answering, canAnswer } = useAwait();
  const { questions, title } = question.node;
  const answer = () => {
    const told = questions.map((one) => [one, answerTo(one, answering)] as const);
    const open = told.filter(([, value]) => value === null).map(([one]) => one.text);
    const value = Object.fromEntries(told.map(([one, given]) => [one.id, given]));
    if (open.length) answering.problem.value = `Still to be answered: ${open.join(" · ")}`;
    else send({ action: "answer", value });
  };
  const choices = canAnswer ? choicesOf(question) : null;
  const [one] = questions;
  if (choices && one)
    return <Choices asked={one} choices={choices} isTitled={one.text === title} />;
  const isOnly = questions.length === 1;
  return (
    <AnswerForm onSubmit={answer}>
      {questions.map((one) => (
        <QuestionFields key={one.id} asked={one} isTitled={isOnly && one.text === title} />
      ))}
      {canAnswer && <SendButtons />}
    </AnswerForm>
  );
}

/** What was chosen of a question's options is kept under its own key, what was written under this one. */
const other = (asked: Asked) => `${asked.id}\nother`;

/** The answer that stands there; `null`: none. */
function answerTo(asked: Asked, { texts }: Answering): JsonValue {
  const written = (texts.value[other(asked)] ?? "").trim();
  if (!asked.options.length) return written || null;
  const labels = chosenOf(asked, texts.value).flatMap((at) => {
    return at === OTHER ? written || [] : (asked.options[Number(at)]?.label ?? []);
  });
  return asked.multiple ? (labels.length ? labels : null) : (labels[0] ?? null);
}

const OTHER = "other";

function chosenOf(asked: Asked, texts: Readonly<Record<string, string>>): string[] {
  return (texts[asked.id] ?? "").split(" ").filter(Boolean);
}

interface FieldsProps {
  asked: Asked;
  /** Whether the question stands above it already. */
  isTitled: boolean;
}

function QuestionFields({ asked, isTitled }: FieldsProps): JSX.Element {
  const { answering, canAnswer } = useAwait();
  const group = useOwnId();
  const texts = answering.texts.value;
  const chosen = chosenOf(asked, texts);
  const pick = (which: string, isOn: boolean) => {
    const others = asked.multiple ? chosen.filter((one) => one !== which) : [];
    answering.write(asked.id, [...others, ...(isOn ? [which] : [])].sort().join(" "));
  };
  const picks = (which: string): InputHTMLAttributes<HTMLInputElement> => ({
    type: asked.multiple ? "checkbox" : "radio",
    name: group,
    checked: chosen.includes(which),
    onChange: ({ currentTarget }) => pick(which, currentTarget.checked),
  });
  const write = (
    <input
      class="nba-input"
      type="text"
      autoComplete="off"
      aria-label={asked.options.length ? `Other: ${asked.text}` : asked.text}
      value={texts[other(asked)] ?? ""}
      onInput={({ currentTarget }) => {
        answering.write(other(asked), currentTarget.value);
        if (asked.options.length && currentTarget.value) pick(OTHER, true);
      }}
    />
  );
  return (
    <fieldset class="nba-fields nba-question">
      {!isTitled && <legend>{asked.text}</legend>}
      {asked.options.map(({ label, description }, at) => {
        const which = String(at).padStart(3, "0");
        const said = (
          <span>
            {label}
            {description && <span class="nba-small"> {description}</span>}
          </span>
        );
        if (!canAnswer) return <div key={which}>{said}</div>;
        return (
          <label key={which} class="nba-pick">
            <input {...picks(which)} />
            {said}
          </label>
        );
      })}
      {canAnswer && asked.options.length > 0 && asked.free_text && (
        <div class="nba-pick">
          <label>
            <input {...picks(OTHER)} /> Other
          </label>
          {write}
        </div>
      )}
      {canAnswer && !asked.options.length && write}
    </fieldset>
  );
}
