/**
 * HTML in a frame of its own, on white like paper, where no script runs and nothing is fetched.
 *
 * @module
 */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { FoldBox } from "../run-view/fold-box";
import { Plain } from "../run-view/texts";
import { textSize } from "../run-view/words";
import { Head } from "./head";
import { htmlPage } from "./html-page";

const LARGE_PX = 640;

/** `text` is what it says in words, as far as that is known. */
export function HtmlFrame({ html, text }: { html: string; text: string }): JSX.Element {
  const page = useMemo(() => htmlPage(html), [html]);
  const isLarge = useSignal(false);
  return (
    <div class="nba-kind nba-wide">
      <Head about="HTML, without scripts">
        <button
          type="button"
          class="nba-link"
          aria-pressed={isLarge.value}
          onClick={() => {
            isLarge.value = !isLarge.value;
          }}
        >
          {isLarge.value ? "Show smaller" : "Show larger"}
        </button>
      </Head>
      <iframe
        class="nba-frame"
        title={text.slice(0, 200) || "HTML"}
        sandbox=""
        referrerpolicy="no-referrer"
        loading="lazy"
        srcdoc={page.source}
        style={`height:${isLarge.value ? LARGE_PX : page.height_px}px`}
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
