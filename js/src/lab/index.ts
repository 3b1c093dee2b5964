/**
 * The prebuilt extension of JupyterLab and Notebook: a module-federation container, by hand. All that
 * is read at start is this file; the views beside it are fetched with the first output that needs one.
 *
 * Source: webpack, "Module Federation"; JupyterLab, "Distributing a prebuilt extension".
 */
import type { Plugin, ShareScope } from "./host";
import { magicsPlugin } from "./magics";
import { runsPlugin } from "./runs";

declare global {
  var _JUPYTERLAB: Record<string, unknown> | undefined;
}

let scope: ShareScope = {};

/** The plugins that this application can have: one that lacks a package goes without its plugin. */
async function plugins(): Promise<unknown[]> {
  const tried: Promise<Plugin<never[]>>[] = [runsPlugin(scope), magicsPlugin(scope)];
  const made = await Promise.allSettled(tried);
  for (const one of made) {
    if (one.status === "rejected") console.warn("nbagents: a plugin is left out.", one.reason);
  }
  return made.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}

const container = {
  init(given: ShareScope): void {
    scope = given;
  },
  async get(): Promise<() => unknown> {
    const module = { __esModule: true, default: await plugins() };
    return () => module;
  },
};

window._JUPYTERLAB ??= {};
window._JUPYTERLAB.nbagents = container;
