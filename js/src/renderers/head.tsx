/** The line above a view: what it is called, what is said of it, and what can be done. */
import type { ComponentChildren, JSX } from "preact";

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
