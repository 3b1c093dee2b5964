/**
 * What a call prints, joined as JupyterLab joins a cell's output; `nbagents/runs/tree/terminal.py` does the
 * same and says how.
 */

/** What stands there for people. */
export function shown(text: string): string {
  return written("", text).split("\r", 1)[0] ?? "";
}

/** What is kept of `more` printed after `text`. */
export function written(text: string, more: string): string {
  const begins = text.lastIndexOf("\n") + 1;
  if (!more.includes("\r") && !text.includes("\r", begins)) return text + more;
  const ended = (text.slice(begins) + more).split("\n");
  const last = ended.pop() ?? "";
  const lines = [...ended.map((line) => overwritten(line).whole), kept(last)];
  return text.slice(0, begins) + lines.join("\n");
}

/** A line that may go on: with a carriage return where it is not written at its end. */
function kept(line: string): string {
  const { whole, newest } = overwritten(line);
  return newest.length >= whole.length ? whole : `${whole}\r${newest}`;
}

/** A whole line, and that part of it which was written last. By characters, as Python counts them. */
function overwritten(line: string): { whole: string; newest: string } {
  const pieces = line.split("\r");
  const characters: string[] = [];
  for (const piece of pieces) {
    let at = 0;
    for (const character of piece) characters[at++] = character;
  }
  return { whole: characters.join(""), newest: pieces.at(-1) ?? "" };
}
