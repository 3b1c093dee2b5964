/** The line above a view: what it is called, what is said of it, and what can be done, as to copy it. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { LinkButton, sets, toClipboard } from "../page";

const SAID_MS = 1500;

interface Props {
  name?: string;
  about: string;
  children?: ComponentChildren;
}

export function Head({ name = "", about, children }: Props): JSX.Element {
  return (
    <div class="nba-head">
      {name && <code>{name}</code>}
      {about && <span class="nba-small">{about}</span>}
      {children && <span class="nba-head-tools">{children}</span>}
    </div>
  );
}

interface CopyProps {
  /** Called when the button is pressed. */
  text: () => string;
  /** What is copied, for those who listen. */
  what: string;
  label?: string;
}

/** Copies a text, and says whether it did. */
export function CopyButton({ text, what, label = "Copy" }: CopyProps): JSX.Element {
  const said = useSignal("");
  return (
    <LinkButton
      class="nba-copy"
      aria-label={said.value || `Copy ${what}`}
      onClick={async () => {
        said.value = (await toClipboard(text())) ? "Copied" : "Not copied";
        setTimeout(sets(said, ""), SAID_MS);
      }}
    >
      {said.value || label}
    </LinkButton>
  );
}
