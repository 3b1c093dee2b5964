/** A result that somebody writes: JSON, or text as it stands. */
import type { JSX } from "preact";
import { parsedJson } from "../../numbers";
import type { JsonValue } from "../../tree";
import { Labelled } from "../forms";

interface Props {
  /** Whose result it is. */
  name: string;
  text: string;
  write: (text: string) => void;
}

export function ResultField({ name, text, write }: Props): JSX.Element {
  return (
    <Labelled label={`Result of ${name}`} about="JSON, or text as it stands">
      {(props) => (
        <textarea
          {...props}
          class="nba-input nba-code-input"
          rows={2}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => write(currentTarget.value)}
        />
      )}
    </Labelled>
  );
}

/** What a text that is JSON means, else the text. */
export function resultIn(text: string): JsonValue {
  try {
    return parsedJson(text);
  } catch {
    return text;
  }
}
