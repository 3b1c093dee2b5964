/** The modules beside this script. */
import type { Library } from "../bridge";

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

/** What draws saved runs and finds them: it comes with the first one. */
export function savedModule(): Promise<typeof import("./saved")> {
  return moduleBeside("lab-saved");
}

/** What tells a kernel where its notebook is: it comes with a notebook. */
export function placeModule(): Promise<typeof import("./place")> {
  return moduleBeside("lab-place");
}
