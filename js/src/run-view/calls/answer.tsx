/** What a run came to: prose, or, where it is JSON and nothing else, a tree. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { isHolder, parsedJson } from "../../numbers";
import { Markdown } from "../../texts";
import type { JsonValue } from "../../tree";
import { late } from "../late";

const JsonTree = late(({ JsonTree }) => JsonTree);

const JSON_BEGINS = /^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:[[{"\]\d-]|$))/;

interface Props {
  text: string;
  class: string;
  /** Whether more of it is to come. */
  isGrowing: boolean;
}

export function AnswerText({ text, class: name, isGrowing }: Props): JSX.Element {
  const value = useMemo(() => (isGrowing ? null : jsonIn(text)), [text, isGrowing]);
  if (value !== null) {
    return (
      <div class={name}>
        <JsonTree value={value} label="The answer as JSON" />
      </div>
    );
  }
  const isJson = isGrowing && JSON_BEGINS.test(text);
  return (
    <Markdown
      text={isJson ? `\`\`\`\`\`json\n${text}` : text}
      class={`${name}${isGrowing ? " nba-streaming" : ""}`}
      isGrowing={isGrowing}
    />
  );
}

/** A text that is JSON, and holds something; `null`: it is not. */
function jsonIn(text: string): JsonValue | null {
  if (!JSON_BEGINS.test(text)) return null;
  try {
    const value = parsedJson(text);
    return isHolder(value) ? value : null;
  } catch {
    return null;
  }
}
