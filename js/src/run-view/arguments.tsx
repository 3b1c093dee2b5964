/**
 * The arguments of a call, as a list or as JSON.
 *
 * @module
 */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { isRecord } from "../bridge";
import type { JsonValue } from "../events";
import { exact } from "../visible";
import { Section } from "./section";
import { Plain } from "./texts";
import { exactJson } from "./words";

/** Longer values scroll in a pane of their own, so that the card stays one. */
const FITS_CHARACTERS = 1200;
const FITS_LINES = 12;

interface Props {
  value: JsonValue;
  label?: string;
  /** What is said below them. */
  children?: ComponentChildren;
}

export function Arguments({ value, label = "Arguments", children }: Props): JSX.Element {
  const chosen = useSignal<boolean | null>(null);
  const fields = isRecord(value) ? Object.entries(value) : [];
  const isNested = fields.some(([, one]) => typeof one === "object" && one !== null);
  const isJson = chosen.value ?? isNested;
  const other = isJson ? "List" : "JSON";
  const flip = fields.length > 0 && (
    <button
      type="button"
      class="nba-switch"
      title={isJson ? "Show the arguments as a list" : "Show the arguments as JSON"}
      onClick={() => {
        chosen.value = !isJson;
      }}
    >
      {other}
    </button>
  );
  return (
    <Section label={label} action={flip}>
      <Given value={value} isJson={isJson} />
      {children}
    </Section>
  );
}

function Given({ value, isJson }: { value: JsonValue; isJson: boolean }): JSX.Element {
  if (value === null) return <p class="nba-small">None yet</p>;
  if (typeof value === "string")
    return <Plain text={exact(value)} label="Arguments as they were written" />;
  if (!isRecord(value)) return <Plain text={exactJson(value)} label="Arguments" />;
  const fields = Object.entries(value);
  if (fields.length === 0) return <p class="nba-small">None</p>;
  if (isJson) return <Plain text={exactJson(value)} label="Arguments" />;
  return (
    <dl class="nba-arguments">
      {fields.map(([name, one]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Value name={name} text={exact(typeof one === "string" ? one : JSON.stringify(one))} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ name, text }: { name: string; text: string }): JSX.Element | string {
  const fits = text.length <= FITS_CHARACTERS && text.split("\n").length <= FITS_LINES;
  return fits ? text : <Plain text={text} label={name} />;
}
