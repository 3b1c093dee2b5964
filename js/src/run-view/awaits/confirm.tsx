/** A call that waits for consent: what will run, why that is asked, and what can be said to it. */
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { InSight, LinkButton, sets, useOwnId } from "../../page";
import { Arguments, Lacking } from "../../texts";
import { entry } from "../../tree";
import { visibleName } from "../../visible-text";
import { size } from "../../words";
import { AnswerForm, AwaitButton, StopRun, useAwait, useSend } from "../answers";
import { FIRST, late } from "../late";

const Editor = late(({ Editor }) => Editor);
const NoteForm = late(({ NoteForm }) => NoteForm);
const TooLong = late(({ TooLong }) => TooLong);

/** How much of what would run the page was not sent, and has not asked for. */
function useLack(): number | undefined {
  const { question, answering } = useAwait();
  return answering.whole.value === undefined ? question.node.left_out_bytes : undefined;
}

export function Confirm(): JSX.Element {
  const { state, question, answering, canAnswer } = useAwait();
  const { node, name } = question;
  const { sight, whole } = answering;
  const panel = canAnswer ? answering.panel.value : null;
  const area = usePanelFocus(panel);
  const lacks = useLack();
  const isLacking = node.left_out_bytes !== undefined;
  return (
    <div class="nba-confirm" ref={area}>
      {isNews(node.text) && <p class="nba-await-text">{node.text}</p>}
      {node.reason && <p class="nba-small">{node.reason}</p>}
      {(panel !== "edit" || isLacking) && node.arguments !== null && (
        <InSight sight={sight} label={`What would run: ${name}`}>
          <Arguments of={{ ...node, arguments: whole.value ?? node.arguments }} isWhole>
            <Lacking tree={state.tree.value} call={{ id: node.call_id ?? "" }} bytes={lacks} />
          </Arguments>
        </InSight>
      )}
      {panel === "edit" && (isLacking ? <TooLong /> : <Editor />)}
      {panel === "note" && <NoteForm />}
      {canAnswer && panel === null && <Buttons />}
    </div>
  );
}

/** Whether a text says more than the call that stands below it anyway. */
function isNews(text: string): boolean {
  return text !== "" && !/^Run [\w.-]+\(.*\)\?$/s.test(text);
}

function Buttons(): JSX.Element {
  const send = useSend();
  const { question, answering } = useAwait();
  const { panel, sight } = answering;
  const { run, node } = question;
  const tool = visibleName(entry(run.calls, node.call_id ?? "")?.name ?? node.title);
  const id = useOwnId();
  const lacks = useLack();
  const isHeld = Boolean(lacks) || !sight.isWhole.value;
  const held = isHeld ? { heldBy: id } : {};
  return (
    <AnswerForm>
      <p class="nba-held" id={id} role="status">
        {isHeld && <Unseen lacks={lacks} />}
      </p>
      <div class="nba-acts">
        <AwaitButton
          {...held}
          act="approve"
          label="Approve"
          isMain
          onClick={() => send({ action: "approve" })}
        />
        <AwaitButton
          {...(lacks ? {} : held)}
          act="edit"
          label="Edit…"
          onClick={sets(panel, "edit")}
        />
        <AwaitButton act="deny" label="Deny" onClick={() => send({ action: "deny" })} />
        <AwaitButton act="note" label="Deny with a note…" onClick={sets(panel, "note")} />
        <StopRun />
      </div>
      <div class="nba-acts nba-apart">
        <AwaitButton
          {...held}
          act="remember"
          label={`Approve, and don't ask again for ${tool} in this session`}
          title="Until the kernel restarts, the tool changes, or you take it back: %nbagents approvals"
          onClick={() => send({ action: "approve", remember: true })}
        />
      </div>
    </AnswerForm>
  );
}

/** Why nothing can be allowed yet, and what shows the rest. */
function Unseen({ lacks }: { lacks: number | undefined }): JSX.Element {
  const { state, question, answering } = useAwait();
  return (
    <>
      {lacks
        ? `The page has only the beginning of what would run. To approve it, see the rest:`
        : "Part of what would run has not been in sight. To approve it, scroll to the end, or see all at once:"}{" "}
      <LinkButton
        data-act="show-all"
        onClick={({ currentTarget }) => {
          const box = currentTarget.closest(".nba-confirm");
          void answering.showAll(state.door, question.node).then(() => {
            if (!answering.problem.value) box?.querySelector<HTMLElement>(".nba-sight")?.focus();
          });
        }}
      >
        {lacks ? `Show all (${size(lacks)} more)` : "Show all"}
      </LinkButton>
    </>
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
