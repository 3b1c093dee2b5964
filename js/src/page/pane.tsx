/** What holds a part of a view: a pane that scrolls, and a section under a label. */
import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** The reader is at the end if no more than this is below, in pixels. */
const NEAR_PX = 8;

interface PaneProps {
  label: string;
  class?: string;
  children: ComponentChildren;
  /** Whether the end of what grows in it stays in sight, for as long as the reader is there. */
  isAtEnd?: boolean;
  onKeyDown?: (event: KeyboardEvent) => void;
}

/** It has a name, and takes the keyboard. */
export function Pane({
  label,
  class: name = "",
  children,
  isAtEnd = false,
  onKeyDown,
}: PaneProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const isFollowed = useRef(isAtEnd);
  useLayoutEffect(() => {
    if (box.current && isFollowed.current) box.current.scrollTop = box.current.scrollHeight;
  });
  const look = ({ currentTarget }: { currentTarget: Element }) => {
    const { scrollTop, clientHeight, scrollHeight } = currentTarget;
    isFollowed.current = isAtEnd && scrollHeight - clientHeight - scrollTop <= NEAR_PX;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: no fieldset, and a page has too many for landmarks
    <div
      class={`nba-pane ${name}`}
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a pane that scrolls must take the keyboard
      tabIndex={0}
      aria-label={label}
      ref={box}
      onScroll={look}
      onKeyDown={onKeyDown}
    >
      {children}
    </div>
  );
}

interface SectionProps {
  label: string;
  note?: string;
  /** What can be done with it, beside its label. */
  action?: ComponentChildren;
  children: ComponentChildren;
}

export function Section({ label, note, action, children }: SectionProps): JSX.Element {
  return (
    <section class="nba-section">
      <div class="nba-label">
        {label}
        {note && <span class="nba-note">{note}</span>}
        {action}
      </div>
      {children}
    </section>
  );
}
