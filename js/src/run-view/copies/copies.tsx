/**
 * A run for elsewhere. Python writes it, for as long as a kernel is there; else the page gives what
 * the notebook holds of it.
 */
import type { JSX } from "preact";
import type { Door, NotebookActions } from "../../bridge";
import { download } from "../../page";
import { Copy, Doing } from "../buttons";
import type { OfRun } from "../state";

export function Copies({ state: { door }, run }: OfRun): JSX.Element {
  const { notebook, frozen } = door;
  const canAsk = door.canAsk?.() ?? false;
  const hasForm = canAsk || frozen !== undefined;
  return (
    <div class="nba-copies">
      {notebook && (
        <Copy
          label="Copy link"
          title="The address of this run in this notebook; a call has its own"
          text={() => notebook.linkTo(run.id)}
        />
      )}
      {hasForm && (
        <Copy
          label="Copy as Markdown"
          title="Prompt, calls and answer (run.to_markdown())"
          text={() => written(door, "markdown", frozen && fenced(frozen.text))}
        />
      )}
      {canAsk && (
        <Copy
          label="Copy as Python"
          title="Python that asks the same again (run.to_python())"
          text={() => written(door, "python")}
        />
      )}
      {canAsk && notebook && (
        <Doing
          label="Make cells of the calls"
          title="Plain Python below, a cell a call; nothing is run (run.to_cells())"
          act={() => cellsBelow(door, notebook)}
        />
      )}
      {hasForm && (
        <Doing
          label="Save as HTML"
          title="One file, without scripts (run.to_html())"
          act={async () => {
            const otherwise = frozen && pageOf(frozen.html, run.agent_name);
            download(await written(door, "html", otherwise), "text/html", `${run.id}.html`);
            return "Saved";
          }}
        />
      )}
      {!canAsk && (
        <span class="nba-small">
          {hasForm
            ? "As the notebook holds it: with a kernel there is more, and Python."
            : "A kernel is needed for more."}
        </span>
      )}
    </div>
  );
}

/** Put the calls below as cells, which the kernel writes; what was done, in words. */
async function cellsBelow(door: Door, notebook: NotebookActions): Promise<string> {
  const cells = await door.ask("run:cells", {});
  const sources = Array.isArray(cells) ? cells.map(String) : [];
  notebook.insertBelow(...sources);
  return sources.length === 1 ? "A cell is below" : `${sources.length} cells are below`;
}

/** What the kernel writes of the run; where it cannot, what there is already. */
async function written(door: Door, form: string, otherwise?: string): Promise<string> {
  try {
    if (!door.canAsk?.()) throw new Error("This needs a running kernel.");
    return String(await door.ask("run:copy", { form }));
  } catch (reason) {
    if (otherwise === undefined) throw reason;
    return otherwise;
  }
}

/** A text as a block of Markdown, whatever is in it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text.trimEnd()}\n${fence}\n`;
}

const HEAD = `<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; media-src data:; style-src 'unsafe-inline'">`;

/** What the notebook holds as HTML, which Python made, as a page of its own. */
function pageOf(html: string, title: string): string {
  const head = document.createElement("title");
  head.textContent = title;
  const style = "color-scheme:light dark;max-width:960px;margin:24px auto;font-family:system-ui";
  return `<!doctype html>\n${HEAD}\n${head.outerHTML}\n<body style="${style}">${html}\n`;
}
