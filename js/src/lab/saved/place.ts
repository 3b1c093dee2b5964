/** Links to a run or a call: `…/notebook.ipynb#nbagents=RUN/CALL`. */
import { isRecord, showPlace } from "../../bridge";
import { type NotebookPanel, type Output, runsIn } from "../host";

const FRAGMENT = "#nbagents=";

/** The address of a place in the notebook at this path; what stands before it in ours stays. */
export function addressOf(path: string, place: string): string {
  const { origin, pathname } = location;
  const isNotebook = /\/notebooks\//.test(pathname);
  const at = path.replace(/^\w+:/, "").split("/").map(encodeURIComponent).join("/");
  const base = isNotebook ? pathname.replace(/\/notebooks\/.*/, "/notebooks/") : labTree();
  return `${origin}${base}${at}${FRAGMENT}${place.split("/").map(encodeURIComponent).join("/")}`;
}

/** Where JupyterLab opens files, by what it says of itself. */
function labTree(): string {
  const said = document.getElementById("jupyter-config-data")?.textContent ?? "{}";
  const config: unknown = JSON.parse(said);
  const base = isRecord(config) && typeof config.baseUrl === "string" ? config.baseUrl : "/";
  return `${base}lab/tree/`;
}

/** The place that an address's end names; nothing where it names none. */
export function placeIn(hash: string): string {
  if (!hash.startsWith(FRAGMENT)) return "";
  try {
    return hash.slice(FRAGMENT.length).split("/").map(decodeURIComponent).join("/");
  } catch {
    return "";
  }
}

/** Go to the place that an address names, where this notebook has it; whether it has. */
export async function goToPlace(
  { content, context }: NotebookPanel,
  hash: string,
): Promise<boolean> {
  const place = placeIn(hash);
  await context.ready;
  const [run_id] = place.split("/");
  const cells = content.model?.sharedModel.cells ?? [];
  const at = cells.findIndex((cell) => (cell.getOutputs?.() ?? []).some((one) => has(one, run_id)));
  if (!place || at < 0) return false;
  content.deselectAll();
  content.activeCellIndex = at;
  await content.scrollToItem(at, "smart");
  showPlace(place);
  return true;
}

/** Whether an output shows a run, or one that has it inside. */
function has({ data }: Output, run_id = ""): boolean {
  return Object.hasOwn(runsIn(data), run_id);
}
