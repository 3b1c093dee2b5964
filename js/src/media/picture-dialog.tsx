/** A picture at full size, over everything else: as large as fits, or as large as one likes. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button, Pane, sets } from "../page";

interface Props {
  src: string;
  /** What it shows, in words. */
  alt: string;
  onClose: () => void;
}

const STEP = 1.5;
const LEAST_PX = 40;
const MOST_PX = 20_000;

export function PictureDialog({ src, alt, onClose }: Props): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const image = useRef<HTMLImageElement>(null);
  /** How wide it is shown, in pixels; `null`: as it fits. */
  const width_px = useSignal<number | null>(null);
  const natural_px = useSignal(0);
  useLayoutEffect(() => dialog.current?.showModal?.(), []);
  const zoom = (by: number) => {
    const wide = (image.current?.clientWidth ?? 0) * by;
    width_px.value = Math.min(Math.max(wide, LEAST_PX), MOST_PX);
  };
  const fit = sets(width_px, null);
  const whole = () => {
    width_px.value = natural_px.value || null;
  };
  const keys: Record<string, () => void> = {
    "+": () => zoom(STEP),
    "=": () => zoom(STEP),
    "-": () => zoom(1 / STEP),
    "0": fit,
    "1": whole,
  };
  const hear = (event: KeyboardEvent) => {
    event.stopPropagation(); // what is below has keys of its own
    if (!event.ctrlKey && !event.metaKey && Object.hasOwn(keys, event.key)) keys[event.key]?.();
  };
  const now = width_px.value;
  const percent = now && natural_px.value ? `${Math.round((100 * now) / natural_px.value)} %` : "";
  return (
    <dialog
      class="nba-picture-dialog"
      ref={dialog}
      aria-label={alt}
      onClose={onClose}
      onKeyDown={hear}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) currentTarget.close(); // beside it
      }}
    >
      <div class="nba-picture-tools">
        <span class="nba-picture-alt">{alt}</span>
        <span class="nba-small" role="status">
          {percent || "Fits"}
        </span>
        <Tool label="Smaller" sign="−" hint="-" onClick={() => zoom(1 / STEP)} />
        <Tool label="Larger" sign="+" hint="+" onClick={() => zoom(STEP)} />
        <Tool label="Fit" hint="0" onClick={fit} isOn={now === null} />
        <Tool label="Own size" hint="1" onClick={whole} isOn={now === natural_px.value} />
        <Tool label="Close" hint="Esc" onClick={() => dialog.current?.close()} />
      </div>
      <Pane class="nba-picture-pane" label="The picture; it scrolls where it is larger">
        <img
          ref={image}
          src={src}
          alt={alt}
          data-fits={now === null}
          style={now === null ? "" : `width:${now}px`}
          onLoad={({ currentTarget }) => {
            natural_px.value = currentTarget.naturalWidth;
          }}
        />
      </Pane>
    </dialog>
  );
}

interface ToolProps {
  label: string;
  /** What stands on it, where that is no word. */
  sign?: string;
  /** The key that does it. */
  hint: string;
  isOn?: boolean;
  onClick: () => void;
}

function Tool({ label, sign, hint, isOn, onClick }: ToolProps): JSX.Element {
  return (
    <Button
      class="nba-picture-tool"
      aria-label={sign && label}
      aria-pressed={isOn}
      title={`${label} (${hint})`}
      onClick={onClick}
    >
      {sign ?? label}
    </Button>
  );
}
