/** A control under its label, with what is wrong with what it holds. */
import type { JSX } from "preact";
import { useOwnId } from "../../page";

/** What a control of a form needs to be told by those who listen. */
export interface ControlProps {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: boolean;
  "aria-required"?: boolean;
}

interface LabelledProps {
  label: string;
  about?: string;
  isRequired?: boolean;
  /** Whether the label is a name in code. */
  isCode?: boolean;
  fault?: string | undefined;
  /** Whether it may be left empty. */
  isOptional?: boolean;
  /** What counts where it is left empty. */
  usual?: string;
  children: (props: ControlProps) => JSX.Element;
}

export function Labelled({
  label,
  about = "",
  isRequired = false,
  isCode = false,
  isOptional = false,
  fault,
  usual = "",
  children,
}: LabelledProps): JSX.Element {
  const id = useOwnId();
  const described = [about && `${id}-about`, fault && `${id}-fault`].filter(Boolean).join(" ");
  const props: ControlProps = {
    id,
    ...(described ? { "aria-describedby": described } : {}),
    ...(fault ? { "aria-invalid": true } : {}),
    ...(isRequired ? { "aria-required": true } : {}),
  };
  return (
    <div class="nba-entry">
      <label for={id}>
        {isCode ? <code>{label}</code> : label}{" "}
        <Mark isRequired={isRequired} isOptional={isOptional} usual={usual} />
      </label>
      {about && (
        <span id={`${id}-about`} class="nba-small">
          {about}
        </span>
      )}
      {children(props)}
      {fault && (
        <p id={`${id}-fault`} class="nba-fault">
          {fault}
        </p>
      )}
    </div>
  );
}

interface MarkProps {
  isRequired: boolean;
  isOptional: boolean;
  usual?: string;
}

export function Mark({ isRequired, isOptional, usual = "" }: MarkProps): JSX.Element | null {
  const optional = isOptional ? "optional" : "";
  const words = isRequired ? "required" : usual ? `default: ${usual}` : optional;
  return words ? <span class="nba-needed">{words}</span> : null;
}
