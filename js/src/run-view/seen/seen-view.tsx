/** What the model saw: each step, its messages and tools, what is new in them marked. */
import type { JSX } from "preact";
import { FoldBox, useSheet } from "../../page";
import { Json, Plain } from "../../texts";
import type { RunNode, ShownMessage, ShownTool } from "../../tree";
import { count, grouped, plural } from "../../words";
import { aboutTokens, messageSize, type SeenStep, seenSteps, toolsSize } from "./seen-steps";
import css from "./seen-steps.css";

export function SeenSteps({ run }: { run: RunNode }): JSX.Element {
  const list = useSheet<HTMLOListElement>("seen", css);
  return (
    <ol class="nba-seen" aria-label="What the model saw" ref={list}>
      {seenSteps(run).map((seen) => (
        <li key={seen.step}>
          <FoldBox label={stepWords(seen)}>
            {() => <Step seen={seen} names={namesOf(run)} />}
          </FoldBox>
        </li>
      ))}
    </ol>
  );
}

/** Names of tools by the ids of their calls: a result says only whose it is. */
function namesOf({ calls }: RunNode): Map<string, string> {
  return new Map(Object.values(calls).map(({ id, name }) => [id, name]));
}

function stepWords({ step, messages, newFrom, sent, characters }: SeenStep): string {
  const known = messages.length === sent ? "" : ` (${sent} were sent)`;
  const fresh = newFrom > 0 ? `, ${messages.length - newFrom} new` : "";
  return `Step ${step}: ${plural(messages.length, "message")}${known}${fresh} · ${sizeWords(characters)}`;
}

function sizeWords(characters: number): string {
  return `${grouped(characters)} characters, about ${count(aboutTokens(characters))} tokens`;
}

/** One step, all of it in sight. */
export function OneStep({ run, seen }: { run: RunNode; seen: SeenStep }): JSX.Element {
  const box = useSheet<HTMLDivElement>("seen", css);
  return (
    <div class="nba-seen" ref={box}>
      <p class="nba-small">{stepWords(seen)}</p>
      <Step seen={seen} names={namesOf(run)} />
    </div>
  );
}

/** The tools that a model could call, each with its schema. */
export function OfferedTools({ tools }: { tools: ShownTool[] }): JSX.Element {
  const box = useSheet<HTMLDivElement>("seen", css);
  return (
    <div ref={box}>
      <p class="nba-small">{offeredWords(tools)}</p>
      {tools.map((tool) => (
        <Tool key={tool.name} {...tool} />
      ))}
    </div>
  );
}

function Step({ seen, names }: { seen: SeenStep; names: Map<string, string> }): JSX.Element {
  const { messages, newFrom } = seen;
  const list = (some: ShownMessage[], isNew: boolean) => (
    <ol class="nba-messages">
      {some.map((message, at) => (
        <Message key={at} message={message} names={names} isNew={isNew} />
      ))}
    </ol>
  );
  return (
    <div class="nba-seen-step">
      {newFrom > 0 && (
        <FoldBox label={`${plural(newFrom, "message")} as before`}>
          {() => list(messages.slice(0, newFrom), false)}
        </FoldBox>
      )}
      {list(messages.slice(newFrom), newFrom > 0)}
      <Offered seen={seen} />
    </div>
  );
}

interface MessageProps {
  message: ShownMessage;
  names: Map<string, string>;
  isNew: boolean;
}

function Message({ message, names, isNew }: MessageProps): JSX.Element {
  const { role, text, parts, calls, call_id } = message;
  const of = call_id === null ? "" : ` of ${names.get(call_id) ?? call_id}`;
  const label = `${ROLES[role]}${of}`;
  return (
    <li class="nba-message">
      <div class="nba-label">
        {label}
        {isNew && <span class="nba-new">new</span>}
        <span class="nba-note">{plural(messageSize(message), "character")}</span>
      </div>
      {text && <Plain text={text} label={label} />}
      {parts.map((part, at) => (
        <p key={at} class="nba-small">
          {part}
        </p>
      ))}
      {calls.map(({ id, name, arguments: given }) => (
        <code key={id} class="nba-asked">
          {name}({given})
        </code>
      ))}
    </li>
  );
}

const ROLES: Record<ShownMessage["role"], string> = {
  system: "System",
  user: "User",
  assistant: "Assistant",
  tool: "Result",
};

function Offered({ seen: { tools, changes } }: { seen: SeenStep }): JSX.Element {
  const said = Object.entries(changes).flatMap(([what, names]: [string, string[]]) =>
    names.length ? [`${what}: ${names.join(", ")}`] : [],
  );
  const label = offeredWords(tools);
  return (
    <div>
      {said.length > 0 && (
        <p class="nba-small">
          <span class="nba-new">new</span>Tools {said.join("; ")}
        </p>
      )}
      {tools.length === 0 ? (
        <p class="nba-small">{label}</p>
      ) : (
        <FoldBox label={label}>
          {() => tools.map((tool) => <Tool key={tool.name} {...tool} />)}
        </FoldBox>
      )}
    </div>
  );
}

function offeredWords(tools: ShownTool[]): string {
  const size = tools.length ? ` · ${sizeWords(toolsSize(tools))}` : "";
  return `${tools.length ? plural(tools.length, "tool") : "No tool"} offered${size}`;
}

function Tool({ name, description, parameters }: ShownTool): JSX.Element {
  return (
    <div class="nba-offered">
      <code class="nba-name">{name}</code>
      <p class="nba-small">{description}</p>
      {parameters !== null && (
        <FoldBox label="Schema">
          {() => <Json value={parameters} label={`Schema of ${name}`} />}
        </FoldBox>
      )}
    </div>
  );
}
