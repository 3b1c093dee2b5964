/** A part of what opens, under a label. */
import type { ComponentChildren, JSX } from "preact";

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
