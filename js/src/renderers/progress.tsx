/** How far something is: a bar, and the same in words. */
import type { JSX } from "preact";

interface Props {
  fraction: number | null;
  words: string;
  isDone: boolean;
  /** Whether its call has ended: then nothing moves any more. */
  isOver?: boolean;
}

export function Progress({ fraction, words, isDone, isOver = false }: Props): JSX.Element {
  const part = fraction === null ? {} : { value: fraction };
  return (
    <div class="nba-progress" data-done={isDone}>
      {!(isOver && fraction === null) && <progress {...part} max={1} aria-label={words} />}
      <span>{words}</span>
    </div>
  );
}
