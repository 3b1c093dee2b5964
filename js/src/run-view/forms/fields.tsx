/**
 * The fields of a form, each a control of the page with its name, what it means and what is wrong.
 */
import type { JSX, TargetedInputEvent } from "preact";
import { Button } from "../../page";
import { exact } from "../../visible-text";
import { clipped, literal } from "../../words";
import { type ControlProps, Labelled, Mark } from "./labelled-control";
import { type Field, type FieldType, optionText } from "./schema";
import { type FormState, WHOLE } from "./state";
import { NO, YES } from "./values";

const ROWS = 3;
const MANY_ROWS = 12;

/** A form, and a switch between fields and JSON. */
export function FormFields({ form, what }: { form: FormState; what: string }): JSX.Element {
  const isJson = form.isJson.value;
  return (
    <div class="nba-form">
      {form.hasFields && (
        <Button
          class="nba-switch"
          title={isJson ? "Fill in fields" : "Write all of it as JSON"}
          onClick={() => form.flip()}
        >
          {isJson ? "Fields" : "JSON"}
        </Button>
      )}
      {isJson ? (
        <Labelled label={`${what} as JSON`} fault={form.faults.value.get(WHOLE)}>
          {(props) => <Lines {...props} form={form} path={WHOLE} isCode />}
        </Labelled>
      ) : (
        <Fields form={form} fields={form.fields.value} />
      )}
    </div>
  );
}

function Fields({ form, fields }: { form: FormState; fields: Field[] }): JSX.Element {
  return (
    <>
      {fields.map((field) => (
        <FieldRow key={field.path} form={form} field={field} />
      ))}
    </>
  );
}

/** What a control shows as it stands, so that it may hide something, written out. */
function heldUnseen(text: string): string {
  const shown = exact(text);
  return shown === text ? "" : `Written out: ${shown}`;
}

interface FieldProps {
  form: FormState;
  field: Field;
}

function FieldRow({ form, field }: FieldProps): JSX.Element {
  const { type, name, path, about } = field;
  const mark = field.isRequired && !field.mayBeNull && type.is !== "flag";
  const fault = form.faults.value.get(path);
  const isOptional = !field.isRequired || field.mayBeNull;
  const isNone = field.usual === undefined || field.usual === null;
  const usual = isNone ? "" : clipped(literal(field.usual ?? null));
  if (type.is === "group" || type.is === "several") {
    return (
      <fieldset class="nba-fields">
        <legend>
          <code>{name}</code> <Mark isRequired={mark} isOptional={isOptional} usual={usual} />
        </legend>
        {about && <p class="nba-small">{about}</p>}
        {type.is === "group" ? (
          <Fields form={form} fields={type.fields} />
        ) : (
          <Several form={form} path={path} options={type.options.map(optionText)} />
        )}
        {fault && <p class="nba-fault">{fault}</p>}
      </fieldset>
    );
  }
  return (
    <Labelled
      label={name}
      about={[about, heldUnseen(form.textOf(path))].filter(Boolean).join(" ")}
      isRequired={mark}
      isOptional={isOptional}
      usual={usual}
      isCode
      {...(fault ? { fault } : {})}
    >
      {(props) => <Control {...props} form={form} field={field} />}
    </Labelled>
  );
}

function Control({ form, field, ...props }: FieldProps & ControlProps): JSX.Element {
  const { type, path } = field;
  switch (type.is) {
    case "flag":
      return <Flag {...props} form={form} field={field} />;
    case "choice":
      return <Choice {...props} form={form} field={field} options={type.options.map(optionText)} />;
    case "list":
    case "json":
      return (
        <Lines {...props} form={form} path={path} isCode={type.is === "json"} note={note(type)} />
      );
    case "text":
      if (type.input === "long") return <Lines {...props} form={form} path={path} />;
      return <Line {...props} form={form} field={field} input={type.input} />;
    default:
      return <Line {...props} form={form} field={field} input="text" />;
  }
}

function note(type: FieldType): string {
  return type.is === "list" ? "One on each line" : "JSON";
}

interface LineProps extends FieldProps, ControlProps {
  input: "text" | "date" | "time";
}

function Line({ form, field, input, ...props }: LineProps): JSX.Element {
  const { path, usual, type } = field;
  const own = {
    ...props,
    class: "nba-input",
    autoComplete: "off",
    value: form.textOf(path),
    onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) =>
      form.set(path, currentTarget.value),
  } as const;
  if (input === "date") return <input {...own} type="date" />;
  if (input === "time") return <input {...own} type="time" step={1} />;
  return (
    <input
      {...own}
      type="text"
      inputMode={type.is === "number" ? "decimal" : "text"}
      placeholder={usual === undefined || usual === null ? "" : optionText(usual)}
    />
  );
}

interface LinesProps extends ControlProps {
  form: FormState;
  path: string;
  isCode?: boolean;
  note?: string;
}

function Lines({ form, path, isCode = false, note, ...props }: LinesProps): JSX.Element {
  const text = form.textOf(path);
  const rows = Math.min(Math.max(text.split("\n").length, ROWS), MANY_ROWS);
  return (
    <textarea
      {...props}
      class={`nba-input${isCode ? " nba-code-input" : ""}`}
      rows={rows}
      placeholder={note}
      spellcheck={!isCode}
      value={text}
      onInput={({ currentTarget }) => form.set(path, currentTarget.value)}
    />
  );
}

/** Yes or no; where it may be left out, also neither. */
function Flag({ form, field, ...props }: FieldProps & ControlProps): JSX.Element {
  const { path, isRequired, mayBeNull } = field;
  if (!isRequired || mayBeNull) {
    return (
      <Choice {...props} form={form} field={field} options={["yes", "no"]} values={[YES, NO]} />
    );
  }
  return (
    <input
      {...props}
      type="checkbox"
      checked={form.textOf(path) === YES}
      onChange={({ currentTarget }) => form.set(path, currentTarget.checked ? YES : NO)}
    />
  );
}

interface ChoiceProps extends FieldProps, ControlProps {
  options: string[];
  values?: string[];
}

function Choice({ form, field, options, values, ...props }: ChoiceProps): JSX.Element {
  const { path, isRequired, mayBeNull, usual } = field;
  const isSet = isRequired && !mayBeNull && form.textOf(path) !== "";
  const none = usual === undefined || usual === null ? "none" : `default: ${optionText(usual)}`;
  return (
    <select
      {...props}
      class="nba-input"
      value={form.textOf(path)}
      onChange={({ currentTarget }) => form.set(path, currentTarget.value)}
    >
      {!isSet && <option value="">{isRequired && !mayBeNull ? "Choose…" : `(${none})`}</option>}
      {options.map((label, at) => (
        <option key={at} value={values?.[at] ?? String(at)}>
          {label}
        </option>
      ))}
    </select>
  );
}

interface SeveralProps {
  form: FormState;
  path: string;
  options: string[];
}

function Several({ form, path, options }: SeveralProps): JSX.Element {
  const chosen = form.textOf(path).split("\n").filter(Boolean);
  return (
    <>
      {options.map((label, at) => (
        <label key={at} class="nba-pick">
          <input
            type="checkbox"
            checked={chosen.includes(String(at))}
            onChange={({ currentTarget }) => {
              const others = chosen.filter((one) => one !== String(at));
              const next = currentTarget.checked ? [...others, String(at)] : others;
              form.set(path, next.sort((a, b) => Number(a) - Number(b)).join("\n"));
            }}
          />
          {label}
        </label>
      ))}
    </>
  );
}
