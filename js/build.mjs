/**
 * Bundle the page's modules into `widgets/nbagents_widgets/static/`, and describe the JupyterLab
 * extension, whose static folder that is too, in `widgets/nbagents_widgets/labextension/`.
 *
 *     node build.mjs            write them and print their sizes
 *     node build.mjs --check    compare with what is committed; the exit status says whether it is fresh
 */
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import zlib from "node:zlib";
import * as esbuild from "esbuild";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const PACKAGE = path.join(HERE, "../widgets/nbagents_widgets");
const STATIC = path.join(PACKAGE, "static");
const LAB = path.join(PACKAGE, "labextension");
const MEND = "node js/build.mjs";

/** What the run view lends to its late parts, by the names under which it has them. */
const KIT = "src/run-view/late/kit.ts";

/** Name of the module → its entry, and how large it may be. */
export const MODULES = {
  loader: { entry: "src/loader.ts", limit: { bytes: 2_000 } },
  "run-view": { entry: "src/run-view/index.tsx", limit: { gzip: 60_000 } },
  // Drawn by the run view with its own preact: given what `kit.ts` imports, it gives its parts.
  "run-parts": { entry: "src/run-view/late/parts.ts", limit: { gzip: 30_000 }, lent: KIT },
  "run-pane": { entry: "src/run-view/late/pane.ts", limit: { gzip: 25_000 }, lent: KIT },
  markdown: { entry: "src/markdown/index.ts", limit: { gzip: 34_000 } },
  "code-colours": { entry: "src/code-colours/index.ts", limit: { gzip: 27_000 } },
  map: { entry: "src/map/index.ts", limit: { gzip: 100_000 } },
  "atlas-50m": { entry: "src/map/world/fine-coasts.ts", limit: { gzip: 240_000 } },
  "map-names": { entry: "src/map/names/table.ts", limit: { gzip: 15_000 } },
  table: { entry: "src/table/index.tsx", limit: { gzip: 26_000 } },
  catalogue: { entry: "src/catalogue/index.tsx", limit: { gzip: 20_000 } },
  panel: { entry: "src/panel/index.tsx", limit: { gzip: 16_000 } },
  chart: { entry: "src/chart/index.ts", limit: { gzip: 290_000 } },
  // Draws saved runs in JupyterLab, and finds them by their links.
  "lab-saved": { entry: "src/lab/saved/index.ts", limit: { gzip: 8_000 } },
  // Tells kernels in JupyterLab where their notebook is.
  "lab-place": { entry: "src/lab/place/index.ts", limit: { gzip: 1_500 } },
  // The extension's start-up part: a script, not a module. It names the others by their hashes.
  remoteEntry: { entry: "src/lab/index.ts", limit: { bytes: 10_500 }, format: "iife" },
};

/** Stylesheets become text, without what only people read. */
const styles = {
  name: "styles",
  setup(build) {
    build.onLoad({ filter: /\.css$/ }, async ({ path: file }) => {
      const source = await fs.promises.readFile(file, "utf8");
      const { code } = await esbuild.transform(source, { loader: "css", minify: true });
      return { contents: code, loader: "text" };
    });
  },
};

/** What only Python reads of the atlas, the countries' codes and names, stays behind. */
const shapes = {
  name: "shapes",
  setup(build) {
    build.onLoad({ filter: /world\/atlas\.json$|countries-50m\.json$/ }, async ({ path: file }) => {
      const atlas = JSON.parse(await fs.promises.readFile(file, "utf8"));
      for (const one of atlas.objects.countries.geometries) {
        delete one.id;
        delete one.properties;
      }
      return { contents: JSON.stringify(atlas), loader: "json" };
    });
  },
};

/** Leaves out what a kit imports: a module asks for it by its name, with the `require` it is given. */
function lentBy(kit) {
  const home = path.join(HERE, path.dirname(kit));
  const source = fs.readFileSync(path.join(HERE, kit), "utf8");
  const found = [...source.matchAll(/^import \* as \w+ from "(.+)";$/gm)].map(([, name]) => name);
  const at = (folder, name) => (name.startsWith(".") ? path.resolve(folder, name) : name);
  const lent = new Map(
    found.map((name) => [at(home, name), name.startsWith(".") ? path.posix.basename(name) : name]),
  );
  return {
    name: "lent",
    setup(build) {
      build.onResolve({ filter: /./ }, ({ path: name, resolveDir }) => {
        const known = lent.get(at(resolveDir, name));
        return known && { path: known, external: true, sideEffects: false };
      });
    },
  };
}

/** A module that makes its exports of what it is lent. */
const LENT = {
  format: "cjs",
  banner: { js: "export const parts=require=>{const module={exports:{}};" },
  footer: { js: "return module.exports};" },
};

async function bundle({ entry, format = "esm", lent }, define = {}) {
  const { outputFiles, metafile } = await esbuild.build({
    absWorkingDir: HERE,
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format,
    define,
    platform: "browser",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    jsx: "automatic",
    jsxImportSource: "preact",
    loader: { ".json": "json", ".svg": "text", ".png": "dataurl" },
    plugins: lent ? [styles, lentBy(lent)] : [styles, shapes],
    ...(lent ? LENT : {}),
    logLevel: "warning",
  });
  const code = Buffer.from(outputFiles[0].contents);
  return { code, packages: packagesOf(metafile), sources: sourcesOf(metafile) };
}

/** The files of which something is left in a bundle. */
function sourcesOf(metafile) {
  const [{ inputs }] = Object.values(metafile.outputs);
  return Object.keys(inputs).filter((file) => inputs[file].bytesInOutput > 0);
}

/** The packages whose code is in a bundle, by where esbuild read it. */
function packagesOf(metafile) {
  const inside = /node_modules\/((?:@[^/]+\/)?[^/]+)\//;
  const names = Object.keys(metafile.inputs).map((file) => inside.exec(file)?.[1]);
  return names.filter((name) => name !== undefined);
}

/** Whose code the bundles hold, and its terms: they must travel with it. */
function notices(names) {
  const parts = ["The JavaScript beside this file holds code of these packages.\n"];
  for (const name of names) {
    const folder = path.join(HERE, "node_modules", name);
    const { version, license } = JSON.parse(fs.readFileSync(path.join(folder, "package.json")));
    const terms = fs.readFileSync(path.join(folder, "LICENSE"), "utf8").trim();
    parts.push(`${"=".repeat(72)}\n${name} ${version} (${license})\n\n${terms}\n`);
  }
  return Buffer.from(parts.join("\n").replaceAll("\r", ""));
}

/** Every module, as it should be built, and the notices of what is in them. */
export async function bundles() {
  const built = new Map();
  const used = new Set(["world-atlas"]); // copied as `atlas.json`
  const keep = (name, code, file, limit = {}, sources = []) => {
    const sizes = { bytes: code.length, gzip: zlib.gzipSync(code, { level: 9 }).length };
    built.set(name, { code, sizes, limit, file, sources });
  };
  const all = Object.entries(MODULES);
  const last = all.filter(([, { format }]) => format); // they hold the others' hashes
  const first = all.filter(([, { format }]) => !format);
  for (const [name, module] of [...first, ...last]) {
    const { entry, limit, format } = module;
    if (!fs.existsSync(path.join(HERE, entry))) throw new Error(`${entry} is missing`);
    const define = format ? { NBA_MODULES: JSON.stringify(hashes(built)) } : {};
    const { code, packages, sources } = await bundle(module, define);
    for (const one of packages) used.add(one);
    keep(name, code, path.join(STATIC, `${name}.js`), limit, sources);
  }
  keep("LICENSES", notices([...used].sort()), path.join(STATIC, "LICENSES.txt"));
  for (const [name, described] of Object.entries(labextension(hashes(built)))) {
    const code = Buffer.from(`${JSON.stringify(described, null, 2)}\n`);
    keep(name, code, path.join(LAB, `${name}.json`));
  }
  return built;
}

/** What tells scripts from what they were before: JupyterLab lets browsers keep them for a year. */
function hashes(built) {
  const modules = [...built].filter(([, { file }]) => file.endsWith(".js"));
  const hash = (code) => crypto.createHash("sha256").update(code).digest("hex").slice(0, 12);
  return Object.fromEntries(modules.map(([name, { code }]) => [name, hash(code)]));
}

/** How JupyterLab is told of the extension, and how a person is told to remove it. */
function labextension({ remoteEntry }) {
  const { version, license } = JSON.parse(fs.readFileSync(path.join(HERE, "package.json")));
  const load = `static/remoteEntry.js?v=${remoteEntry}`;
  const _build = { load, extension: "./extension" };
  return {
    package: {
      name: "nbagents",
      version,
      description: "Saved runs of nbagents, with no kernel; colours for %%tool and %%agent.",
      license,
      jupyterlab: { extension: true, _build },
    },
    install: {
      packageManager: "python",
      packageName: "jupyter-nbagents",
      uninstallInstructions: "pip uninstall jupyter-nbagents",
    },
  };
}

/** The limits that a module exceeds. */
export function excess({ sizes, limit }) {
  return Object.entries(limit).filter(([unit, most]) => sizes[unit] > most);
}

async function main(checking) {
  let failed = false;
  for (const folder of [STATIC, LAB]) fs.mkdirSync(folder, { recursive: true });
  for (const [name, module] of await bundles()) {
    const { code, sizes, file } = module;
    const size = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
    console.log(`${name.padEnd(11)} ${size(sizes.bytes).padStart(9)}  gzip ${size(sizes.gzip)}`);
    for (const [unit, most] of excess(module)) {
      console.error(`${name}.js is ${sizes[unit]} ${unit}; its limit is ${most}.`);
      failed = true;
    }
    if (!checking) fs.writeFileSync(file, code);
    else if (!fs.existsSync(file) || !code.equals(fs.readFileSync(file))) {
      console.error(`${path.relative(PACKAGE, file)} is not what its source builds. Run: ${MEND}`);
      failed = true;
    }
  }
  process.exitCode = failed ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(process.argv.includes("--check"));
}
