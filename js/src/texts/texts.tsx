/** Text as it is written: prose from a model as Markdown, everything else as it stands. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { jsonText } from "../numbers";
import { LinkButton, Pane, sets } from "../page";
import type { JsonValue } from "../tree";
import { visible } from "../visible-text";
import { grouped, textSize } from "../words";
import { codeColours, proseDrawer, wantColours } from "./prose";

/** Longer texts are shown from their beginning, with a button for the rest. */
const FIRST_CHARACTERS = 20_000;
/** Of what is printed the beginning and the end are shown: what went wrong is said last. */
const HEAD_CHARACTERS = 4000;
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
export function Plain(props: PlainProps): JSX.Element {
  return <Cut {...props} shorten={(text) => text.slice(0, FIRST_CHARACTERS)} />;
}

/** What is printed, and may go on: its end stays in sight for as long as the reader is there. */
export function Printed(props: PlainProps): JSX.Element {
  return <Cut {...props} shorten={withoutMiddle} isAtEnd />;
}

function withoutMiddle(text: string): string {
  const left_out = text.length - FIRST_CHARACTERS;
  const cut = `\n… ${grouped(left_out)} characters are not shown …\n`;
  return text.slice(0, HEAD_CHARACTERS) + cut + text.slice(HEAD_CHARACTERS + left_out);
}

interface CutProps extends PlainProps {
  /** What is shown at first of a long text. */
  shorten: (text: string) => string;
  isAtEnd?: boolean;
}

function Cut({ text, label, class: name = "", isAll, shorten, isAtEnd = false }: CutProps) {
  const isWhole = useSignal(false);
  const isCut = text.length > FIRST_CHARACTERS && !isAll && !isWhole.value;
  return (
    <>
      <Pane class={name} label={label} isAtEnd={isAtEnd}>
        <pre>{isCut ? shorten(text) : text}</pre>
      </Pane>
      {isCut && (
        <LinkButton onClick={sets(isWhole, true)}>
          Show all{LEFT_OUT.test(text) && " that is here"} ({textSize(text)})
        </LinkButton>
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
