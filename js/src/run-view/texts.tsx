/**
 * Text as it is written: prose from a model as Markdown, everything else as it stands.
 *
 * @module
 */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { JsonValue } from "../events";
import { markdown, replaceChanged } from "./markdown";
import { textSize } from "./words";

/** Longer texts are shown from their beginning, with a button for the rest. */
const FIRST_CHARACTERS = 20_000;
/** Above this a text that still grows is drawn anew less often than each frame. */
const LONG_MARKDOWN = 20_000;
const LONG_MARKDOWN_PAUSE_MS = 150;

export function Markdown({ text, class: name }: { text: string; class: string }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const drawnAt = useRef(0);
  useEffect(() => {
    const draw = () => {
      drawnAt.current = performance.now();
      if (box.current) replaceChanged(box.current, markdown(text));
    };
    const since_ms = performance.now() - drawnAt.current;
    if (text.length < LONG_MARKDOWN || since_ms > LONG_MARKDOWN_PAUSE_MS) return draw();
    const later = setTimeout(draw, LONG_MARKDOWN_PAUSE_MS - since_ms);
    return () => clearTimeout(later);
  }, [text]);
  return <div class={`nba-markdown ${name}`} ref={box} />;
}

interface PlainProps {
  text: string;
  /** How it is called where it can be scrolled. */
  label: string;
  class?: string;
}

/** A text verbatim, in a pane that scrolls. */
export function Plain({ text, label, class: name = "" }: PlainProps): JSX.Element {
  const isWhole = useSignal(false);
  const isCut = text.length > FIRST_CHARACTERS && !isWhole.value;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a pane that scrolls must take the keyboard */}
      <section class={`nba-pane ${name}`} tabIndex={0} aria-label={label}>
        <pre>{isCut ? text.slice(0, FIRST_CHARACTERS) : text}</pre>
      </section>
      {isCut && (
        <button
          type="button"
          class="nba-link"
          onClick={() => {
            isWhole.value = true;
          }}
        >
          Show all ({textSize(text)})
        </button>
      )}
    </>
  );
}

export function Json({ value, label }: { value: JsonValue; label: string }): JSX.Element {
  return <Plain text={JSON.stringify(value, null, 2) ?? ""} label={label} />;
}
