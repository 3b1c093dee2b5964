/**
 * Bundle the page's modules into `widgets/nbagents_widgets/static/`.
 *
 *     node build.mjs            write them and print their sizes
 *     node build.mjs --check    compare with what is committed; the exit status says whether it is fresh
 */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import zlib from "node:zlib";
import * as esbuild from "esbuild";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const STATIC = path.join(HERE, "../widgets/nbagents_widgets/static");
const MEND = "node js/build.mjs";

/** Name of the module → its entry, and how large it may be. */
export const MODULES = {
  loader: { entry: "src/loader.ts", limit: { bytes: 2_000 } },
  "run-view": { entry: "src/run-view/index.tsx", limit: { gzip: 60_000 } },
  map: { entry: "src/map/index.ts", limit: { gzip: 100_000 } },
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

async function bundle(entry) {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: HERE,
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    jsx: "automatic",
    jsxImportSource: "preact",
    loader: { ".json": "json", ".svg": "text", ".png": "dataurl" },
    plugins: [styles],
    logLevel: "warning",
  });
  return Buffer.from(outputFiles[0].contents);
}

/** Every module that has an entry, as it should be built. */
export async function bundles() {
  const built = new Map();
  for (const [name, { entry, limit }] of Object.entries(MODULES)) {
    if (!fs.existsSync(path.join(HERE, entry))) throw new Error(`${entry} is missing`);
    const code = await bundle(entry);
    const sizes = { bytes: code.length, gzip: zlib.gzipSync(code, { level: 9 }).length };
    built.set(name, { code, sizes, limit, file: path.join(STATIC, `${name}.js`) });
  }
  return built;
}

/** The limits that a module exceeds. */
export function excess({ sizes, limit }) {
  return Object.entries(limit).filter(([unit, most]) => sizes[unit] > most);
}

async function main(checking) {
  let failed = false;
  fs.mkdirSync(STATIC, { recursive: true });
  for (const [name, module] of await bundles()) {
    const { code, sizes, file } = module;
    const size = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
    console.log(`${name.padEnd(10)} ${size(sizes.bytes).padStart(9)}  gzip ${size(sizes.gzip)}`);
    for (const [unit, most] of excess(module)) {
      console.error(`${name}.js is ${sizes[unit]} ${unit}; its limit is ${most}.`);
      failed = true;
    }
    if (!checking) fs.writeFileSync(file, code);
    else if (!fs.existsSync(file) || !code.equals(fs.readFileSync(file))) {
      console.error(`static/${name}.js is not what its source builds. Run: ${MEND}`);
      failed = true;
    }
  }
  process.exitCode = failed ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(process.argv.includes("--check"));
}
