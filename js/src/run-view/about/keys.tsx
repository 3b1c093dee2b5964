/** The keys of a run, listed. */
import type { JSX } from "preact";

const KEYS: [string, string][] = [
  ["↑ ↓ Home End", "go from row to row"],
  ["→ ←", "open and close a row; from a closed row, back to what holds it"],
  ["e", "open all, close all"],
  ["/", "filter; Esc empties it"],
  ["?", "show or hide these keys"],
  ["Esc", "leave full screen"],
];

export function Keys(): JSX.Element {
  return (
    <dl class="nba-keys" aria-label="Keys">
      {KEYS.map(([keys, does]) => (
        <div key={keys}>
          <dt>
            {keys.split(" ").map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}
