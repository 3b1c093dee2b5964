/** A button that gives a text as a file. */
import type { JSX } from "preact";
import { type CopyProps, Doing } from "../buttons";

const SAVED_MS = 10_000;

interface SaveProps extends CopyProps {
  /** How the file is called, and of which MIME type it is. */
  name: string;
  type: string;
}

/** Gives a text as a file. */
export function Save({ label, title, text, name, type }: SaveProps): JSX.Element {
  const save = async () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([await text()], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), SAVED_MS);
    return "Saved";
  };
  return <Doing label={label} title={title} act={save} />;
}
