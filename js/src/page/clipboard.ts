/** What is taken elsewhere: on the clipboard, or as a file. */

const SAVED_MS = 10_000;

/**
 * Put a text where it can be pasted from; whether that went well: a page may not, or is not served safely.
 *
 * @param near A button: beside it the old way is open, also without TLS, and it has the focus again.
 */
export async function toClipboard(text: string, near?: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (!near) return false;
    const box = document.createElement("textarea");
    box.value = text;
    near.after(box);
    box.focus();
    box.select();
    const isDone = document.execCommand?.("copy") ?? false;
    box.remove();
    near.focus();
    return isDone;
  }
}

/** Give a text as a file. */
export function download(text: string, type: string, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), SAVED_MS);
}
