/** What opens and closes: a real button, and contents that are made when first needed. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { Button, flips, useOwnId } from "./controls";
import { Chevron } from "./icons";

interface Props {
  label: ComponentChildren;
  /** Called to make the contents. */
  children: () => ComponentChildren;
  class?: string;
}

export function FoldBox({ label, children, class: name = "" }: Props): JSX.Element {
  const isOpen = useSignal(false);
  const id = useOwnId();
  return (
    <div class={`nba-fold ${name}`}>
      <Button
        class="nba-fold-button"
        aria-expanded={isOpen.value}
        aria-controls={id}
        onClick={flips(isOpen)}
      >
        <Chevron />
        {label}
      </Button>
      <div id={id} hidden={!isOpen.value}>
        {isOpen.value && children()}
      </div>
    </div>
  );
}
