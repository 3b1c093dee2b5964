/**
 * What was decided, in a line each: who allowed or denied a call, answered a question, or found something
 * in what went in or came out.
 */
import { useComputed } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { isRecord } from "../../bridge";
import { jsonText } from "../../numbers";
import { Section } from "../../page";
import {
  type AuthorizationNode,
  type AwaitNode,
  type CallNode,
  entry,
  type GuardrailNode,
  type JsonValue,
  type RunNode,
  STAGE_WORDS,
} from "../../tree";
import { argumentsLine, clipped, toPeople } from "../../words";
import { late } from "../late";
import type { RunState } from "../state";

const Diff = late(({ Diff }) => Diff);
const Edits = late(({ Edits }) => Edits);

const NOTE_CHARACTERS = 300;

interface DecisionsProps {
  state: RunState;
  /** The call's key. */
  of: string;
  call: CallNode;
}

/** Who decided about a call, and what guardrails said to it. */
export function Decisions({ state, of, call }: DecisionsProps): JSX.Element {
  const said = (state.asked.value.byCall.get(of) ?? []).filter(({ isOpen }) => !isOpen);
  const isConsent = ({ kind }: AwaitNode) => kind === "confirmation";
  const { authorization } = call;
  // of all news of the run only its edits
  const edits = useComputed(
    () => entry(state.tree.value.runs, of.slice(0, -call.id.length - 1))?.edits,
  );
  const isShown =
    authorization && (!authorization.approved || said.some((one) => isConsent(one.node)));
  return (
    <>
      {said.map(
        ({ node }) =>
          !(isConsent(node) && authorization) && (
            <Said key={node.id} node={node} call_id={call.id} />
          ),
      )}
      <Edited edits={edits.value} call_id={call.id} />
      {isShown && <Authorized {...authorization} />}
      <Guardrails of={call} />
    </>
  );
}

interface SaidProps {
  node: AwaitNode;
  /** Whose card it stands in. */
  call_id?: string;
}

/** How a question ended. */
export function Said({ node, call_id }: SaidProps): JSX.Element {
  const { outcome, answered_by, resolved_at, note } = node;
  if (node.kind === "step")
    return (
      <Line at={resolved_at} note={null} kind="none">
        {node.text} {note}
      </Line>
    );
  const isSaid = outcome === "answered" || outcome === "denied";
  const given = outcome === "answered" ? answerLine(answerOf(node, call_id)) : "";
  const pairs = given ? exchanges(node) : [];
  const question = pairs.length ? "" : questionOf(node, call_id);
  return (
    <Line at={resolved_at} note={note} kind="none">
      {question && <span class="nba-question-said">{question} </span>}
      {outcome === null ? "Was not answered" : WORDS[outcome]}
      {isSaid && by(answered_by)}
      {given && ": "}
      {pairs.map(([asked, answer], at) => (
        <span key={at} class="nba-exchange">
          {asked} <span class="nba-given">{answer}</span>
        </span>
      ))}
      {given && !pairs.length && <span class="nba-given">{given}</span>}
    </Line>
  );
}

/** What was asked, as it stands beside its answer; nothing where the call above it is the question. */
function questionOf({ kind, text, title, questions }: AwaitNode, call_id = ""): string {
  if (kind === "confirmation" || (kind === "external_tools" && call_id)) return "";
  if (kind === "external_tools") return clipped(`Result of ${title}?`, NOTE_CHARACTERS);
  const asked = questions.map((one) => one.text);
  return clipped([text, ...asked].filter(Boolean).join(" ") || title, NOTE_CHARACTERS);
}

/** Several questions, each beside what was answered to it. */
function exchanges({ questions, answer }: AwaitNode): [string, string][] {
  if (questions.length < 2 || !isRecord(answer)) return [];
  return questions.map(({ id, text }) => [
    clipped(text, NOTE_CHARACTERS),
    answerLine(entry(answer, id) ?? null),
  ]);
}

/** What was answered: to a question alone; of several calls' results, that of this one. */
function answerOf({ kind, answer, questions }: AwaitNode, call_id = ""): JsonValue {
  if (!isRecord(answer)) return answer;
  if (kind === "external_tools") return entry(answer, call_id) || answer;
  const [question, ...others] = questions;
  return (question && !others.length && entry(answer, question.id)) || answer;
}

/** ` by you`; a policy that stands in for nobody is named itself. */
function by(who: string | null): string {
  return who ? ` by ${toPeople(who)}` : "";
}

const WORDS: Record<NonNullable<AwaitNode["outcome"]>, string> = {
  answered: "Answered",
  denied: "Declined",
  cancelled: "No longer asked",
};

function answerLine(answer: JsonValue): string {
  const all = Array.isArray(answer) && answer.length ? answer : [answer];
  const isText = all.every((one) => typeof one === "string");
  return clipped(isText ? all.join(", ") : argumentsLine({ arguments: answer }), NOTE_CHARACTERS);
}

function Authorized(said: AuthorizationNode): JSX.Element {
  return (
    <Line at={said.at} note={said.note} kind={said.approved ? "none" : "bad"}>
      {said.approved ? "Approved" : "Denied"}
      {by(said.by)}
      {said.edited && ", with other arguments"}
      {said.remembered && "; not asked again for this tool in this session"}
    </Line>
  );
}

interface LineProps {
  /** When it was said, in seconds since 1970. */
  at: number | null;
  note: string | null;
  kind: "bad" | "none";
  children: ComponentChildren;
}

function Line({ at, note, kind, children }: LineProps): JSX.Element {
  const date = at === null ? null : new Date(at * 1000);
  return (
    <p class="nba-decided" data-kind={kind}>
      <span>{children}</span>
      {note && <q class="nba-given">{clipped(note, NOTE_CHARACTERS)}</q>}
      {date && (
        <span class="nba-when" title={date.toLocaleString()}>
          {date.toLocaleTimeString()}
        </span>
      )}
    </p>
  );
}

const OUTCOMES: Record<Exclude<GuardrailNode["outcome"], "allow">, string> = {
  replace: "Changed",
  refuse: "Refused",
};

/** What was edited in step mode: of a call, or of the run itself. */
function Edited({ edits, call_id }: { edits: RunNode["edits"]; call_id: string | null }) {
  const own = edits?.filter((one) => one.call_id === call_id);
  return own?.length ? <Edits edits={own} /> : null;
}

/** What guardrails have refused or changed; of a run also what was edited. */
export function Guardrails({ of }: { of: CallNode | RunNode }): JSX.Element {
  return (
    <>
      {"awaits" in of && <Edited edits={of.edits} call_id={null} />}
      {of.guardrails.map(({ name, stage, outcome, message }, at) => {
        if (outcome === "allow") return null;
        return (
          <p key={at} class="nba-decided" data-kind={outcome === "refuse" ? "bad" : "warn"}>
            {OUTCOMES[outcome]} {STAGE_WORDS[stage]}: <code>{name}</code>
            {message && <span class="nba-given">{clipped(message, NOTE_CHARACTERS)}</span>}
          </p>
        );
      })}
    </>
  );
}

/** Arguments that are others than the model wanted, both versions. */
export function Changed({ call }: { call: CallNode }): JSX.Element | null {
  const { proposed, arguments: used, authorization, changed_by } = call;
  if (proposed === null) return null;
  const by = authorization?.edited ? authorization.by : (changed_by ?? "a guardrail");
  const who = `by ${toPeople(by)}`;
  return (
    <Section label="Changed arguments" note={who}>
      <Diff before={pretty(proposed)} after={pretty(used)} name="what the model wanted" />
    </Section>
  );
}

function pretty(value: JsonValue): string {
  return typeof value === "string" ? value : jsonText(value, "  ");
}
