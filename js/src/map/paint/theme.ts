/** The basemap's colours: CSS variables of `map.css`, light or dark as the host is. */

import { watchTheme } from "../../page";

export interface Theme {
  readonly sea: string;
  readonly land: string;
  readonly coast: string;
  readonly border: string;
  readonly grid: string;
  readonly text: string;
  readonly halo: string;
  readonly beyond: string;
  readonly mark: string;
  /** Of names on land and at sea. */
  readonly name: string;
  readonly seaName: string;
}

export function themeOf(box: Element): Theme {
  const style = getComputedStyle(box);
  const colour = (name: string) => style.getPropertyValue(`--nba-map-${name}`).trim();
  return {
    sea: colour("sea"),
    land: colour("land"),
    coast: colour("coast"),
    border: colour("border"),
    grid: colour("grid"),
    text: colour("text"),
    halo: colour("halo"),
    beyond: colour("beyond"),
    mark: colour("pin"),
    name: colour("name"),
    seaName: colour("sea-name"),
  };
}

/** What hosts say of their theme. Attributes and classes are those of the page's body and root. */
interface HostSigns {
  readonly jupyterLight: string | null;
  readonly dataTheme: string | null;
  readonly classes: readonly string[];
  readonly systemDark: boolean;
}

/** JupyterLab's attribute, VS Code's and marimo's classes, Sphinx's attribute; else the system. */
export function isDark({ jupyterLight, dataTheme, classes, systemDark }: HostSigns): boolean {
  if (jupyterLight !== null) return jupyterLight === "false";
  if (classes.some((name) => ["vscode-dark", "vscode-high-contrast", "dark"].includes(name))) {
    return true;
  }
  if (classes.some((name) => ["vscode-light", "light"].includes(name))) return false;
  if (dataTheme === "dark" || dataTheme === "light") return dataTheme === "dark";
  return systemDark;
}

/** Keeps the box's theme like the host's, now and when it changes. */
export function followTheme(box: HTMLElement, changed: () => void, signal: AbortSignal): void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => {
    box.dataset.nbaTheme = isDark(signs(system.matches)) ? "dark" : "light";
    changed();
  };
  watchTheme(follow, signal);
  // Forced colours change what the variables are.
  matchMedia("(forced-colors: active)").addEventListener("change", changed, { signal });
  follow();
}

function signs(systemDark: boolean): HostSigns {
  const [body, root] = [document.body, document.documentElement];
  const attribute = (name: string) => body.getAttribute(name) ?? root.getAttribute(name);
  return {
    jupyterLight: attribute("data-jp-theme-light"),
    dataTheme: attribute("data-theme"),
    classes: [...body.classList, ...root.classList],
    systemDark,
  };
}
