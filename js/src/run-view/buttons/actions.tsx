/**
 * Buttons that do something: each has a name, and a tooltip that tells its Python twin where there is one.
 */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { reasonOf } from "../../bridge";
import { ActionButton, sets, toClipboard } from "../../page";
import { useView } from "../state";

const SAID_MS = 1500;

interface ActionProps {
  label: string;
  title: string;
  onClick: () => void;
}

export function Action({ label, title, onClick }: ActionProps): JSX.Element {
  return (
    <ActionButton title={title} onClick={onClick}>
      {label}
    </ActionButton>
  );
}

interface CopyProps {
  label: string;
  title: string;
  /** Called to write the text. */
  text: () => string | Promise<string>;
}

export function Copy({ label, title, text }: CopyProps): JSX.Element {
  const copy = async (near: HTMLElement) => {
    const isDone = await toClipboard(await text(), near);
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
    word.value = await act(near).catch(reasonOf);
    view.notice.value = word.value;
    setTimeout(sets(word, label), SAID_MS);
  };
  return (
    <ActionButton title={title} onClick={({ currentTarget }) => void press(currentTarget)}>
      {word.value}
    </ActionButton>
  );
}
