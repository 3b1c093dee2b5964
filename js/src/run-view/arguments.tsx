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
  /** Whether they stand in one piece, in a pane that is around them. */
  isWhole?: boolean;
  /** What is said below them. */
  children?: ComponentChildren;
}

export function Arguments({
  value,
  label = "Arguments",
  isWhole = false,
  children,
}: Props): JSX.Element {
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
      <Given value={value} isJson={isJson} isWhole={isWhole} />
      {children}
    </Section>
  );
}

interface GivenProps {
  value: JsonValue;
  isJson: boolean;
  isWhole: boolean;
}

function Given({ value, isJson, isWhole }: GivenProps): JSX.Element {
  const text = (written: string, label = "Arguments") =>
    isWhole ? <pre class="nba-whole">{written}</pre> : <Plain text={written} label={label} />;
  if (value === null) return <p class="nba-small">None yet</p>;
  if (typeof value === "string") return text(exact(value), "Arguments as they were written");
  if (!isRecord(value)) return text(exactJson(value));
  const fields = Object.entries(value);
  if (fields.length === 0) return <p class="nba-small">None</p>;
  if (isJson) return text(exactJson(value));
  return (
    <dl class="nba-arguments">
      {fields.map(([name, one]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Value
              name={name}
              text={exact(typeof one === "string" ? one : JSON.stringify(one))}
              isWhole={isWhole}
            />
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface ValueProps {
  name: string;
  text: string;
  isWhole: boolean;
}

function Value({ name, text, isWhole }: ValueProps): JSX.Element | string {
  if (isWhole) return text;
  const fits = text.length <= FITS_CHARACTERS && text.split("\n").length <= FITS_LINES;
  return fits ? text : <Plain text={text} label={name} />;
}
