/** A button that copies a text, and says whether it did. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

const SAID_MS = 1500;

interface Props {
  /** Called when the button is pressed. */
  text: () => string;
  /** What is copied, for those who listen. */
  what: string;
  label?: string;
}

export function CopyButton({ text, what, label = "Copy" }: Props): JSX.Element {
  const said = useSignal("");
  return (
    <button
      type="button"
      class="nba-link nba-copy"
      aria-label={said.value || `Copy ${what}`}
      onClick={async () => {
        said.value = (await copied(text())) ? "Copied" : "Not copied";
        setTimeout(() => {
          said.value = "";
        }, SAID_MS);
      }}
    >
      {said.value || label}
    </button>
  );
}

/** Put a text where it can be pasted from; whether that went well. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // the page may not, or is not served safely
  }
}
