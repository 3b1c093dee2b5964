/**
 * What stands between calls: what was said or thought, who took over, and that something goes on.
 */
import type { JSX } from "preact";
import { Dots, FoldBox } from "../../page";
import { Markdown } from "../../texts";
import type { HandoffItem, RunNode, TextItem } from "../../tree";
import { type At, indent } from "./item";

export function Spoken({ depth, item }: At & { item: TextItem }): JSX.Element {
  return (
    <li class="nba-said" style={indent(depth)}>
      <Markdown text={item.text} class="nba-aside" />
    </li>
  );
}

export function Thought({ depth, item: { text } }: At & { item: TextItem }): JSX.Element {
  const label = (
    <>
      <span class="nba-thought-word">Thought</span>
      <span class="nba-thought-line">{text.trim().split("\n", 1)[0]}</span>
    </>
  );
  return (
    <li class="nba-thought" style={indent(depth)}>
      <FoldBox label={label}>{() => <p class="nba-thought-text">{text.trim()}</p>}</FoldBox>
    </li>
  );
}

export function Handed({ depth, to }: At & { to: HandoffItem }): JSX.Element {
  return (
    <li class="nba-handed" style={indent(depth)}>
      Handed over to <strong>{to.to_agent}</strong> <span class="nba-model">{to.model}</span>
    </li>
  );
}

/** What stands at the end while nothing else shows that something is going on. */
export function Thinking({ depth, phase }: At & { phase: RunNode["phase"] }): JSX.Element {
  return (
    <li class="nba-thinking" style={indent(depth)}>
      <Dots />
      {phase === "synthesizing" ? "Answering" : "Thinking"}
    </li>
  );
}
