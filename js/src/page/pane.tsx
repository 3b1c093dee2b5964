/** A pane that scrolls: it has a name, and takes the keyboard. */
import type { ComponentChildren, JSX, Ref } from "preact";

interface Props {
  label: string;
  class?: string;
  children: ComponentChildren;
  box?: Ref<HTMLDivElement>;
  onKeyDown?: (event: KeyboardEvent) => void;
  onScroll?: (event: Event & { currentTarget: HTMLDivElement }) => void;
}

export function Pane({ label, class: name = "", children, box, ...heard }: Props): JSX.Element {
  const props = { ...heard, ...(box ? { ref: box } : {}) };
  return (
    // biome-ignore lint/a11y/useSemanticElements: no fieldset, and a page has too many for landmarks
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a pane that scrolls must take the keyboard
    <div class={`nba-pane ${name}`} role="group" tabIndex={0} aria-label={label} {...props}>
      {children}
    </div>
  );
}
