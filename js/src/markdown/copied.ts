/** The buttons that copy code: one listener for all that come and go. */

const SAID_MS = 1500;

/** Hears clicks in an answer. */
export async function copied({ target }: Event): Promise<void> {
  const button = target instanceof Element ? target.closest(".nba-copy") : null;
  const code = button?.closest(".nba-prose-code")?.querySelector("pre");
  if (!button || !code) return;
  const went = await navigator.clipboard.writeText(code.textContent ?? "").then(
    () => true,
    () => false, // the page may not, or is not served safely
  );
  say(button, went ? "Copied" : "Not copied", went ? "Copied" : "Not copied");
  setTimeout(() => say(button, "Copy", "Copy the code"), SAID_MS);
}

function say(button: Element, words: string, label: string): void {
  button.textContent = words;
  button.setAttribute("aria-label", label);
}
