/**
 * Below a text of which the page has only a part: the rest, from the kernel as long as that lives.
 */
import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { reasonOf } from "../../bridge";
import { hasFocus, LinkButton } from "../../page";
import type { CallNode } from "../../tree";
import type { RunState } from "../state";
import { askWhole, withWhole } from "./call";

/** What stands where a saved run has cut a text: `nbagents/notebook/saved/cuts.py`. */
const LEFT_OUT = /… \[.+? of (.+?) left out\]$/m;

interface Props {
  state: RunState;
  /** As the page has it. */
  call: CallNode;
  /** What of it stands above; `null`: arguments, which say themselves what they lack. */
  text: string | null;
  /** Where the whole goes once it is here. */
  whole: Signal<CallNode | null>;
}

export function Rest({ state, call, text, whole }: Props): JSX.Element | null {
  const said = useSignal("");
  const box = useRef<HTMLParagraphElement>(null);
  const isHere = whole.value !== null;
  const { door, tree } = state;
  const cut = LEFT_OUT.exec(text ?? "");
  const isShort = text === null ? call.left_out_bytes : cut;
  if (!isShort || !door.canAsk?.()) return null;
  const fetch = async () => {
    said.value = "Asking the kernel…";
    try {
      const answer = await askWhole(door, tree.peek(), call);
      if (hasFocus(box.current)) box.current?.focus(); // the button goes
      whole.value = withWhole(call, answer);
    } catch (reason) {
      said.value = reasonOf(reason);
    }
  };
  return (
    <p class="nba-small" ref={box} tabIndex={-1}>
      {!isHere && <LinkButton onClick={fetch}>Show all{cut && ` ${cut[1]}`}</LinkButton>}{" "}
      <span role="status">{isHere ? "All of it is here" : said.value}</span>
    </p>
  );
}
