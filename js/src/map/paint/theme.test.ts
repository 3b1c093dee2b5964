import { describe, expect, it } from "vitest";
import { isDark } from "./theme";

const silent = { jupyterLight: null, dataTheme: null, classes: [], systemDark: false };

describe("the theme", () => {
  it("is JupyterLab's, whatever the system's is", () => {
    expect(isDark({ ...silent, jupyterLight: "true", systemDark: true })).toBe(false);
    expect(isDark({ ...silent, jupyterLight: "false" })).toBe(true);
  });

  it.each([
    ["vscode-dark", true],
    ["vscode-light", false],
    ["dark", true],
    ["light", false],
  ])("is the host's, which says %s", (name, dark) => {
    expect(isDark({ ...silent, classes: ["x", name], systemDark: !dark })).toBe(dark);
  });

  it("is Sphinx's attribute", () => {
    expect(isDark({ ...silent, dataTheme: "dark" })).toBe(true);
    expect(isDark({ ...silent, dataTheme: "light", systemDark: true })).toBe(false);
  });

  it("is the system's where the host says nothing", () => {
    expect(isDark({ ...silent, systemDark: true })).toBe(true);
    expect(isDark({ ...silent, dataTheme: "auto" })).toBe(false);
  });
});
