/**
 * Links to runs and calls: the place that the page's address names is looked for in each notebook.
 */
import type { NotebookPanel } from "./host";
import { savedModule } from "./modules";

/** What the address named when the page came, before JupyterLab changes it. */
let wanted = named();

function named(): string {
  return location.hash.startsWith("#nbagents=") ? location.hash : "";
}

/** Go to the place in a notebook that the address names, now and when it comes to name another. */
export function followLinks(panel: NotebookPanel): void {
  const look = async () => {
    const hash = named() || wanted;
    if (!hash || panel.isDisposed) return;
    if (await (await savedModule()).goToPlace(panel, hash)) wanted = "";
  };
  const hear = () => void look();
  window.addEventListener("hashchange", hear);
  panel.disposed.connect(() => window.removeEventListener("hashchange", hear));
  hear();
}
