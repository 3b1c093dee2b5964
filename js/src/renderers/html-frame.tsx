/**
 * HTML in a frame of its own, on white like paper, where no script runs, nothing is fetched and
 * nothing moves. The frame stands only while it is in sight.
 */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { FoldBox, flips, LinkButton } from "../page";
import { Plain } from "../texts";
import { textSize } from "../words";
import { framesOfPage, type Standing } from "./frames";
import { Head } from "./head";
import { type HtmlPage, htmlPage } from "./html-page";

const LARGE_PX = 640;

/** `text` is what it says in words, as far as that is known. */
export function HtmlFrame({ html, text }: { html: string; text: string }): JSX.Element {
  const page = useMemo(() => htmlPage(html), [html]);
  const isLarge = useSignal(false);
  return (
    <div class="nba-kind nba-wide">
      <Head about="HTML, without scripts">
        <LinkButton aria-pressed={isLarge.value} onClick={flips(isLarge)}>
          {isLarge.value ? "Show smaller" : "Show larger"}
        </LinkButton>
      </Head>
      <Frame
        page={page}
        title={text.slice(0, 200) || "HTML"}
        height_px={isLarge.value ? LARGE_PX : page.height_px}
      />
      <FoldBox label={`As text, ${textSize(html)}`}>
        {() => (
          <>
            {text && <Plain text={text} label="What it says in words" />}
            <Plain text={html} label="HTML as it was written" />
          </>
        )}
      </FoldBox>
    </div>
  );
}

interface FrameProps {
  page: HtmlPage;
  title: string;
  height_px: number;
}

/** The place of a frame, as tall as the frame whether that stands or not: nothing jumps. */
function Frame({ page, title, height_px }: FrameProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const standing = useSignal<Standing>("away");
  const source = useSignal(page.source);
  useEffect(() => {
    const el = place.current;
    const end = new AbortController();
    const told = (now: Standing) => {
      standing.value = now;
    };
    if (el) framesOfPage().watch(el, told, end.signal);
    return () => end.abort();
  }, [standing]);
  useEffect(() => {
    let isNewest = true;
    source.value = page.source;
    page.stilled?.().then((stilled) => {
      if (isNewest) source.value = stilled;
    });
    return () => {
      isNewest = false;
    };
  }, [page, source]);
  return (
    <div
      ref={place}
      class="nba-frame"
      data-standing={standing.value}
      style={`height:${height_px}px`}
    >
      {standing.value === "drawn" && (
        <iframe title={title} sandbox="" referrerpolicy="no-referrer" srcdoc={source.value} />
      )}
      {standing.value === "waiting" && (
        <p class="nba-small">Drawn when fewer others are in sight. Its text is below.</p>
      )}
    </div>
  );
}
