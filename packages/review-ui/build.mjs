import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const entry = "src/main.tsx";
const worker = "src/editor/diff-worker.ts";

/**
 * Builds the page: `index.html` and `assets/*`, whose names contain a hash of their content.
 * @param {string} [folder] the output folder; by default the one that the review frontend serves
 */
export async function buildPage(folder = join(here, "..", "companion", "dist", "review")) {
  const assets = join(folder, "assets");
  await mkdir(assets, { recursive: true });
  const { outputs } = await bundlePage(assets);
  await writeIndex(folder, outputs);
  await removeOthers(assets, new Set(Object.keys(outputs).map((path) => basename(path))));
}

/**
 * @param {string} [assets] the output folder; by default nothing is written
 * @returns {Promise<import("esbuild").Metafile>} the inputs and outputs
 */
export async function bundlePage(assets) {
  const common = {
    absWorkingDir: here,
    outdir: assets ?? "dist",
    write: assets !== undefined,
    bundle: true,
    target: "es2022",
    minify: true,
    legalComments: "none",
    entryNames: "[name]-[hash]",
    metafile: true,
  };
  const page = await build({
    ...common,
    entryPoints: [entry, "src/icon.svg"],
    splitting: true,
    format: "esm",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    loader: { ".svg": "copy" },
    jsx: "automatic",
    jsxImportSource: "preact",
  });
  // A separate bundle, because the worker shares little code with the page.
  const apart = await build({ ...common, entryPoints: [worker], format: "iife" });
  return {
    inputs: { ...page.metafile.inputs, ...apart.metafile.inputs },
    outputs: { ...page.metafile.outputs, ...apart.metafile.outputs },
  };
}

/** Replaces the page atomically, because a browser may be loading it. */
async function writeIndex(folder, outputs) {
  const outputOf = (source) => Object.keys(outputs).find((path) => outputs[path].entryPoint === source);
  const script = outputOf(entry);
  const icon = Object.keys(outputs).find((path) => path.endsWith(".svg"));
  const style = outputs[script].cssBundle;
  // A browser learns of these only once it has the script, which is a round trip later.
  const preloads = outputs[script].imports
    .filter(({ kind }) => kind === "import-statement")
    .map(({ path }) => `<link rel="modulepreload" href="assets/${basename(path)}" />`);
  const template = await readFile(join(here, "src", "index.html"), "utf8");
  const html = template
    .replace("<!-- PRELOADS -->", preloads.join("\n    "))
    .replace("SCRIPT", `assets/${basename(script)}`)
    .replace("WORKER", `assets/${basename(outputOf(worker))}`)
    .replace("STYLE", `assets/${basename(style)}`)
    .replace("ICON", `assets/${basename(icon)}`);
  const temporary = join(folder, `index.${process.pid}.tmp`);
  await writeFile(temporary, html);
  await rename(temporary, join(folder, "index.html"));
}

async function removeOthers(assets, wanted) {
  const others = (await readdir(assets)).filter((name) => !wanted.has(name));
  await Promise.all(others.map((name) => rm(join(assets, name), { force: true })));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPage();
