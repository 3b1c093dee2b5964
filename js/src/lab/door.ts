/**
 * What stands behind the view of a saved run: the modules beside this script, the notebook it is in,
 * and no kernel.
 *
 * @module
 */
import type { Door, Library, NotebookActions } from "../bridge";

/** Each module beside this script, and the hash of its text; written by `build.mjs`. */
declare const NBA_MODULES: Record<string, string>;

/** Where this script came from; it is known only while the script is read. */
const HERE = (document.currentScript as HTMLScriptElement | null)?.src ?? "";

/** Import a module from beside this script; the browser keeps it until its text changes. */
export async function moduleBeside<Module = Library>(name: string): Promise<Module> {
  const hash = Object.hasOwn(NBA_MODULES, name) ? NBA_MODULES[name] : undefined;
  if (!hash) throw new Error(`${name} needs a running kernel.`);
  const url = new URL(`${name}.js?v=${hash}`, HERE);
  return await import(url.href);
}

/** The door of a saved run. */
export function savedDoor(notebook: NotebookActions | null, isTrusted: boolean): Door {
  return {
    isLive: false,
    isUntrusted: !isTrusted,
    load: moduleBeside,
    emit: () => {},
    ask: () =>
      Promise.reject(new Error("This is a saved run: run the cell again to ask for more.")),
    stop: () => {},
    resolve: () => Promise.reject(new Error("This is a saved run: nobody waits for an answer.")),
    ...(notebook ? { notebook } : {}),
  };
}
