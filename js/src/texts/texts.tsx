/** Text as it is written: prose from a model as Markdown, everything else as it stands. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { jsonText } from "../numbers";
import { Pane } from "../page";
import type { JsonValue } from "../tree";
import { visible } from "../visible";
import { grouped, textSize } from "../words";
import { codeColours, proseDrawer, wantColours } from "./prose";

/** Longer texts are shown from their beginning, with a button for the rest. */
const FIRST_CHARACTERS = 20_000;
/** Of what is printed the beginning and the end are shown: what went wrong is said last. */
const HEAD_CHARACTERS = 4000;
/** The reader is at the end if no more than this is below, in pixels. */
const NEAR_PX = 8;
/** What a line of a text ends in where a saved run has left some of it out: `[1.2 MB of 1.3 MB left out]`. */
const LEFT_OUT = /… \[[^\]]+ left out\]$/m;
/** Drawing a text that grows takes at most one part of this many of a page's time. */
const SHARE = 5;

interface MarkdownProps {
  text: string;
  class: string;
  /** Whether more of it is to come. */
  isGrowing?: boolean;
}

export function Markdown({ text, class: name, isGrowing = false }: MarkdownProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const drawn = proseDrawer();
  const colours = codeColours();
  const last = useRef({ ended_ms: Number.NEGATIVE_INFINITY, took_ms: 0 });
  useEffect(() => {
    const draw = () => {
      const began_ms = performance.now();
      if (!box.current) return;
      const shown = visible(text);
      if (drawn) drawn(box.current, shown, { isGrowing, colours, wantColours });
      else box.current.textContent = shown;
      const ended_ms = performance.now();
      last.current = { ended_ms, took_ms: ended_ms - began_ms };
    };
    const { ended_ms, took_ms } = last.current;
    const wait_ms = ended_ms + (SHARE - 1) * took_ms - performance.now();
    if (wait_ms <= 0) return draw();
    const later = setTimeout(draw, wait_ms);
    return () => clearTimeout(later);
  }, [text, drawn, colours, isGrowing]);
  return <div class={`nba-markdown ${name}`} data-plain={!drawn} ref={box} />;
}

interface PlainProps {
  text: string;
  /** How it is called where it can be scrolled. */
  label: string;
  class?: string;
  /** Whether somebody has asked for all of it. */
  isAll?: boolean;
}

/** A text verbatim, in a pane that scrolls. */
export function Plain({ text, label, class: name = "", isAll }: PlainProps): JSX.Element {
  const isWhole = useSignal(false);
  const isCut = text.length > FIRST_CHARACTERS && !isAll && !isWhole.value;
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
          {showAll(text)}
        </button>
      )}
    </>
  );
}

function showAll(text: string): string {
  return `Show all${LEFT_OUT.test(text) ? " that is here" : ""} (${textSize(text)})`;
}

/** What is printed, and may go on: its end stays in sight for as long as the reader is there. */
export function Printed({ text, label, class: name = "", isAll }: PlainProps): JSX.Element {
  const isWhole = useSignal(false);
  const pane = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const left_out = isAll || isWhole.value ? 0 : text.length - FIRST_CHARACTERS;
  useLayoutEffect(() => {
    if (pane.current && isAtEnd.current) pane.current.scrollTop = pane.current.scrollHeight;
  }, [text]);
  const cut = left_out > 0 ? `\n… ${grouped(left_out)} characters are not shown …\n` : "";
  return (
    <>
      <Pane
        box={pane}
        class={name}
        label={label}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          isAtEnd.current = scrollHeight - clientHeight - scrollTop <= NEAR_PX;
        }}
      >
        <pre>
          {cut
            ? text.slice(0, HEAD_CHARACTERS) + cut + text.slice(HEAD_CHARACTERS + left_out)
            : text}
        </pre>
      </Pane>
      {cut && (
        <button
          type="button"
          class="nba-link"
          onClick={() => {
            isWhole.value = true;
          }}
        >
          {showAll(text)}
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
