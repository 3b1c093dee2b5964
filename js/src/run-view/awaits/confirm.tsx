/** A call that waits for consent: what will run, why that is asked, and what can be said to it. */
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { InSight, useOwnId } from "../../page";
import { Arguments, Lacking } from "../../texts";
import { entry } from "../../tree";
import { visibleName } from "../../visible";
import { size } from "../../words";
import {
  AnswerForm,
  AwaitButton,
  type AwaitPlace,
  type AwaitProps,
  Cancel,
  useSend,
} from "../answers";
import { Labelled } from "../forms";
import { FIRST, late } from "../late";
import type { RunState } from "../state";

const NOTE = "note";
const Editor = late(({ Editor }) => Editor);

export function Confirm({ state, question, canAnswer }: AwaitProps): JSX.Element {
  const { node } = question;
  const panel = canAnswer ? state.answers.of(node.id).panel.value : null;
  const area = usePanelFocus(panel);
  const { sight, whole } = state.answers.of(node.id);
  const isLacking = node.left_out_bytes !== undefined;
  const lacks = whole.value === undefined ? node.left_out_bytes : 0;
  return (
    <div class="nba-confirm" ref={area}>
      {isNews(node.text) && <p class="nba-await-text">{node.text}</p>}
      {node.reason && <p class="nba-small">{node.reason}</p>}
      {(panel !== "edit" || isLacking) && node.arguments !== null && (
        <InSight sight={sight} label={`What would run: ${question.name}`}>
          <Arguments of={{ ...node, arguments: whole.value ?? node.arguments }} isWhole>
            <Lacking tree={state.tree.value} call={{ id: node.call_id ?? "" }} bytes={lacks} />
          </Arguments>
        </InSight>
      )}
      {panel === "edit" && !isLacking && <Editor state={state} question={question} />}
      {panel === "edit" && isLacking && <TooLong state={state} question={question} />}
      {panel === "note" && <NoteForm state={state} question={question} />}
      {canAnswer && panel === null && <Buttons state={state} question={question} />}
    </div>
  );
}

/** Whether a text says more than the call that stands below it anyway. */
function isNews(text: string): boolean {
  return text !== "" && !/^Run [\w.-]+\(.*\)\?$/s.test(text);
}

function Buttons({ state, question }: AwaitPlace): JSX.Element {
  const send = useSend(state, question);
  const answering = state.answers.of(question.node.id);
  const { panel, isSent, sight, whole } = answering;
  const { run, node } = question;
  const tool = visibleName(entry(run.calls, node.call_id ?? "")?.name ?? node.title);
  const about = question.name;
  const id = useOwnId();
  const lacks = whole.value === undefined ? node.left_out_bytes : 0;
  const isHeld = Boolean(lacks) || !sight.isWhole.value;
  const held = isHeld ? { heldBy: id } : {};
  const open = (which: "edit" | "note") => () => {
    panel.value = which;
  };
  return (
    <AnswerForm state={state} question={question}>
      <p class="nba-held" id={id} role="status">
        {isHeld && <Unseen {...{ state, question }} lacks={lacks} />}
      </p>
      <div class="nba-acts">
        <AwaitButton
          {...held}
          act="approve"
          label={isSent.value ? "Sending…" : "Approve"}
          about={about}
          isMain
          onClick={() => send({ action: "approve" })}
        />
        <AwaitButton
          {...(lacks ? {} : held)}
          act="edit"
          label="Edit…"
          about={about}
          onClick={open("edit")}
        />
        <AwaitButton
          act="deny"
          label="Deny"
          about={about}
          onClick={() => send({ action: "deny" })}
        />
        <AwaitButton act="note" label="Deny with a note…" about={about} onClick={open("note")} />
        <StopRun state={state} about={about} />
      </div>
      <div class="nba-acts nba-apart">
        <AwaitButton
          {...held}
          act="remember"
          label={`Approve, and don't ask again for ${tool} in this session`}
          about={about}
          title="Until the kernel restarts, the tool changes, or you take it back: %nbagents approvals"
          onClick={() => send({ action: "approve", remember: true })}
        />
      </div>
    </AnswerForm>
  );
}

/** Why nothing can be allowed yet, and what shows the rest. */
function Unseen({ state, question, lacks }: AwaitPlace & { lacks: number | undefined }) {
  const answering = state.answers.of(question.node.id);
  return (
    <>
      {lacks
        ? `The page has only the beginning of what would run. To approve it, see the rest:`
        : "Part of what would run has not been in sight. To approve it, scroll to the end, or see all at once:"}{" "}
      <button
        type="button"
        class="nba-link"
        data-act="show-all"
        onClick={({ currentTarget }) => {
          const box = currentTarget.closest(".nba-confirm");
          void answering.showAll(state.door, question.node).then(() => {
            if (!answering.problem.value) box?.querySelector<HTMLElement>(".nba-sight")?.focus();
          });
        }}
      >
        {lacks ? `Show all (${size(lacks)} more)` : "Show all"}
      </button>
    </>
  );
}

function StopRun({ state, about }: { state: RunState; about: string }): JSX.Element {
  const label = state.stopping.value ? "Stopping…" : "Stop the run";
  return <AwaitButton act="stop" label={label} about={about} onClick={() => state.stop()} />;
}

/** In place of the editor: approving the beginning of a text would call it. */
function TooLong({ state, question }: AwaitPlace): JSX.Element {
  const at = state.asked.value.open.findIndex(({ node }) => node.id === question.node.id);
  return (
    <AnswerForm state={state} question={question}>
      <p class="nba-await-text" role="status">
        These are too long to be edited here. Approve them as they are once you have seen all of
        them, deny them with a note, or change them in Python:{" "}
        <code>run.awaiting[{at}].approve(arguments)</code>
      </p>
      <div class="nba-acts">
        <Cancel {...{ state, question }} />
      </div>
    </AnswerForm>
  );
}

function NoteForm({ state, question }: AwaitPlace): JSX.Element {
  const send = useSend(state, question);
  const answering = state.answers.of(question.node.id);
  const note = answering.texts.value[NOTE] ?? "";
  return (
    <AnswerForm
      state={state}
      question={question}
      onSubmit={() => send({ action: "deny", ...(note.trim() ? { note } : {}) })}
    >
      <Labelled label="Why not? The model is told">
        {(props) => (
          <input
            {...props}
            class="nba-input"
            type="text"
            autoComplete="off"
            value={note}
            onInput={({ currentTarget }) => answering.write(NOTE, currentTarget.value)}
          />
        )}
      </Labelled>
      <div class="nba-acts">
        <AwaitButton
          act="deny-noted"
          label={answering.isSent.value ? "Sending…" : "Deny"}
          about={question.name}
          isMain
        />
        <Cancel {...{ state, question }} />
      </div>
    </AnswerForm>
  );
}

/** What opens takes the focus; what closes gives it back to the button that opened it. */
function usePanelFocus(panel: string | null) {
  const area = useRef<HTMLDivElement>(null);
  const before = useRef(panel);
  useLayoutEffect(() => {
    const was = before.current;
    before.current = panel;
    if (was === panel) return;
    const next = panel === null ? `[data-act="${was}"]` : FIRST;
    area.current?.querySelector<HTMLElement>(next)?.focus({ preventScroll: true });
  }, [panel]);
  return area;
}
