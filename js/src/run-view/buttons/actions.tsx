/**
 * Buttons that do something: each has a name, and a tooltip that tells its Python twin where there is one.
 */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useView } from "../state";

const SAID_MS = 1500;

interface ActionProps {
  label: string;
  title: string;
  onClick: () => void;
}

export function Action({ label, title, onClick }: ActionProps): JSX.Element {
  return (
    <button type="button" class="nba-action" title={title} onClick={onClick}>
      {label}
    </button>
  );
}

export interface CopyProps {
  label: string;
  title: string;
  /** Called to write the text. */
  text: () => string | Promise<string>;
}

export function Copy({ label, title, text }: CopyProps): JSX.Element {
  const copy = async (near: HTMLElement) => {
    const isDone = await copied(await text(), near);
    return isDone ? "Copied" : "The page may not copy";
  };
  return <Doing label={label} title={title} act={copy} />;
}

interface DoingProps {
  label: string;
  title: string;
  /** Gives what was done, in words. */
  act: (near: HTMLElement) => Promise<string>;
}

/** A button that says for a moment what it did, or why it could not. */
export function Doing({ label, title, act }: DoingProps): JSX.Element {
  const view = useView();
  const word = useSignal(label);
  const press = async (near: HTMLElement) => {
    word.value = await act(near).catch((why) => (why instanceof Error ? why.message : "Failed"));
    view.notice.value = word.value;
    setTimeout(() => {
      word.value = label;
    }, SAID_MS);
  };
  return (
    <button
      type="button"
      class="nba-action"
      title={title}
      onClick={({ currentTarget }) => void press(currentTarget)}
    >
      {word.value}
    </button>
  );
}

/** Whether the text is on the clipboard now. On pages without TLS only the old way is open. */
async function copied(text: string, near: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const box = document.createElement("textarea");
    box.value = text;
    near.after(box);
    box.focus();
    box.select();
    const isDone = document.execCommand?.("copy") ?? false;
    box.remove();
    near.focus();
    return isDone;
  }
}
