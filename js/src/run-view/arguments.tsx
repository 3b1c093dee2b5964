/**
 * The arguments of a call, as a list or as JSON.
 *
 * @module
 */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { isRecord } from "../bridge";
import type { JsonValue } from "../events";
import { Section } from "./section";
import { Json, Plain } from "./texts";

interface Props {
  value: JsonValue;
  label?: string;
}

export function Arguments({ value, label = "Arguments" }: Props): JSX.Element {
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
    </Section>
  );
}

function Given({ value, isJson }: { value: JsonValue; isJson: boolean }): JSX.Element {
  if (value === null) return <p class="nba-small">None yet</p>;
  if (typeof value === "string")
    return <Plain text={value} label="Arguments as they were written" />;
  if (!isRecord(value)) return <Json value={value} label="Arguments" />;
  const fields = Object.entries(value);
  if (fields.length === 0) return <p class="nba-small">None</p>;
  if (isJson) return <Json value={value} label="Arguments" />;
  return (
    <dl class="nba-arguments">
      {fields.map(([name, one]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof one === "string" ? one : JSON.stringify(one)}</dd>
        </div>
      ))}
    </dl>
  );
}
