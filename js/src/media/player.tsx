/** Sound and moving pictures, with the browser's own controls; nothing plays by itself. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { sets } from "../page";

export interface MediaProps {
  name: string;
  /** Its type and size, in words. */
  about: string;
  /** What the file holds, as a `data:` address of its own type. */
  src: string;
  /** The same, as something to save. */
  href: string;
}

export function Media({ name, about, src, href }: MediaProps): JSX.Element {
  const isBroken = useSignal(false);
  const on = {
    src,
    controls: true,
    preload: "metadata",
    "aria-label": name,
    onError: sets(isBroken, true),
  } as const;
  return (
    <figure class="nba-media">
      {isBroken.value ? (
        <p class="nba-small">This browser cannot play it.</p>
      ) : src.startsWith("data:video/") ? (
        <video {...on} playsInline />
      ) : (
        <audio {...on} />
      )}
      <figcaption class="nba-file">
        <code>{name}</code>
        {about && <span class="nba-small">{about}</span>}
        <a href={href} download={name}>
          Download
        </a>
      </figcaption>
    </figure>
  );
}
