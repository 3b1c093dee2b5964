/** The arguments of a call, as a list or as JSON. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { isRecord } from "../bridge";
import { entriesOf, isHolder } from "../numbers";
import { Button, Section, sets } from "../page";
import { entry } from "../tree";
import { exact, visibleName } from "../visible-text";
import { at, exactJson, type Given, literal } from "../words";
import { Plain } from "./texts";

/** Longer values scroll in a pane of their own, so that the card stays one. */
const FITS_CHARACTERS = 1200;
const FITS_LINES = 12;

interface Props {
  of: Given;
  label?: string;
  /** Whether they stand in one piece, in a pane that is around them. */
  isWhole?: boolean;
  /** What is said below them. */
  children?: ComponentChildren;
}

export function Arguments({
  of,
  label = "Arguments",
  isWhole = false,
  children,
}: Props): JSX.Element {
  const chosen = useSignal<boolean | null>(null);
  const fields = isRecord(of.arguments) ? Object.values(of.arguments) : [];
  const isNested = fields.some(isHolder);
  const isJson = chosen.value ?? isNested;
  const flip = fields.length > 0 && (
    <Button
      class="nba-switch"
      title={isJson ? "Show the arguments as a list" : "Show the arguments as JSON"}
      onClick={sets(chosen, !isJson)}
    >
      {isJson ? "List" : "JSON"}
    </Button>
  );
  return (
    <Section label={label} action={flip}>
      <Shown of={of} isJson={isJson} isWhole={isWhole} />
      {children}
    </Section>
  );
}

interface ShownProps {
  of: Given;
  isJson: boolean;
  isWhole: boolean;
}

function Shown({ of, isJson, isWhole }: ShownProps): JSX.Element {
  const { arguments: value, defaults = [], objects = {} } = of;
  const text = (written: string, label = "Arguments") =>
    isWhole ? <pre class="nba-whole">{written}</pre> : <Plain text={written} label={label} />;
  if (value === null) return <p class="nba-small">None yet</p>;
  if (typeof value === "string") return text(exact(value), "Arguments as they were written");
  if (!isHolder(value) || Array.isArray(value)) return text(exactJson(value));
  const fields = entriesOf(value);
  if (fields.length === 0) return <p class="nba-small">None</p>;
  if (isJson) {
    const known = Object.entries(objects).map(([path, words]) => `${path.slice(1)}: ${words}`);
    if (defaults.length) known.unshift(`Not given, so by default: ${defaults.join(", ")}`);
    return (
      <>
        {text(exactJson(value))}
        {known.map((one) => (
          <p key={one} class="nba-small">
            {exact(one)}
          </p>
        ))}
      </>
    );
  }
  return (
    <dl class="nba-arguments">
      {fields.map(([name, one]) => {
        const isDefault = defaults.includes(name);
        const about = isDefault ? "(default)" : entry(objects, at("", name));
        return (
          <div key={name} data-default={isDefault || undefined}>
            <dt>{visibleName(name)}</dt>
            <dd>
              <Value
                name={name}
                text={exact(typeof one === "string" ? one : literal(one))}
                isWhole={isWhole}
              />
              {about && <span class="nba-small"> {exact(about)}</span>}
            </dd>
          </div>
        );
      })}
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
