/** A button below or above a table. */
import type { ComponentProps, JSX } from "preact";
import { Button } from "../../page";

export function GridButton(props: ComponentProps<typeof Button>): JSX.Element {
  return <Button class="nba-grid-button" {...props} />;
}
