/**
 * A part of what opens, under a label.
 *
 * @module
 */
import type { ComponentChildren, JSX } from "preact";

interface SectionProps {
  label: string;
  note?: string;
  children: ComponentChildren;
}

export function Section({ label, note, children }: SectionProps): JSX.Element {
  return (
    <section class="nba-section" aria-label={label}>
      <div class="nba-label" aria-hidden="true">
        {label}
        {note && <span class="nba-note">{note}</span>}
      </div>
      {children}
    </section>
  );
}
