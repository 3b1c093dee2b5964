/**
 * Text as it is written: prose from a model as Markdown, everything else as it stands.
 *
 * @module
 */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { JsonValue } from "../events";
import { jsonText } from "../numbers";
import { visible } from "../visible";
import { Pane } from "./pane";
import { markdownDrawer, replaceChanged } from "./prose";
import { textSize } from "./words";

/** Longer texts are shown from their beginning, with a button for the rest. */
const FIRST_CHARACTERS = 20_000;
/** How a text ends of which a saved run has only the beginning: `[1.2 MB of 1.3 MB left out]`. */
const LEFT_OUT = /… \[[^\]]+ left out\]$/;
/** Drawing a text that grows takes at most one part of this many of a page's time. */
const SHARE = 5;

export function Markdown({ text, class: name }: { text: string; class: string }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const drawn = markdownDrawer();
  const last = useRef({ ended_ms: Number.NEGATIVE_INFINITY, took_ms: 0 });
  useEffect(() => {
    const draw = () => {
      const began_ms = performance.now();
      if (!box.current) return;
      const shown = visible(text);
      if (drawn) replaceChanged(box.current, drawn(shown));
      else box.current.textContent = shown;
      const ended_ms = performance.now();
      last.current = { ended_ms, took_ms: ended_ms - began_ms };
    };
    const { ended_ms, took_ms } = last.current;
    const wait_ms = ended_ms + (SHARE - 1) * took_ms - performance.now();
    if (wait_ms <= 0) return draw();
    const later = setTimeout(draw, wait_ms);
    return () => clearTimeout(later);
  }, [text, drawn]);
  return <div class={`nba-markdown ${name}`} data-plain={!drawn} ref={box} />;
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
      <Pane class={name} label={label}>
        <pre>{isCut ? text.slice(0, FIRST_CHARACTERS) : text}</pre>
      </Pane>
      {isCut && (
        <button
          type="button"
          class="nba-link"
          onClick={() => {
            isWhole.value = true;
          }}
        >
          Show all{LEFT_OUT.test(text) ? " that is here" : ""} ({textSize(text)})
        </button>
      )}
    </>
  );
}

export function Json({ value, label }: { value: JsonValue; label: string }): JSX.Element {
  return <Plain text={jsonText(value, "  ")} label={label} />;
}

/** Without the colours of a terminal. */
export function plainText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
  return text.replace(/\u001b\[[0-9;]*[A-Za-z]/g, "");
}
