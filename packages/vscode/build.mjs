import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { englishOnly, withoutForms } from "../companion/bundle-plugins.mjs";

const here = import.meta.dirname;
const companion = (name) => join(here, "..", "companion", "src", name);

/**
 * `vscode` is there for `require` alone, which is asked in the name of this very bundle.
 * @type {import("esbuild").Plugin}
 */
const vscodeByRequire = {
  name: "vscode-by-require",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^vscode$/ }, () => ({ path: "vscode", namespace: "editor" }));
    onLoad({ filter: /.*/, namespace: "editor" }, () => ({
      contents: 'module.exports = requireOfBundle("vscode");',
    }));
  },
};

/**
 * The module that the CommonJS entry loads is a file of its own.
 * @type {import("esbuild").Plugin}
 */
const moduleBesides = {
  name: "module-besides",
  setup({ onResolve }) {
    onResolve({ filter: /extension\.ts$/ }, () => ({ path: "./extension.mjs", external: true }));
  },
};

/**
 * Builds what the extension is made of, into `dist`.
 * @returns {Promise<import("esbuild").Metafile[]>} what has gone into it
 */
export async function buildExtension() {
  const outdir = join(here, "dist");
  await rm(outdir, { recursive: true, force: true });
  const common = {
    absWorkingDir: here,
    outdir,
    bundle: true,
    platform: "node",
    target: "node20",
    minify: true,
    // Names stay, for stack traces that people can read.
    keepNames: true,
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
  };
  const extension = await build({
    ...common,
    entryPoints: ["src/extension.ts"],
    format: "esm",
    splitting: true,
    outExtension: { ".js": ".mjs" },
    chunkNames: "chunks/[name]-[hash]",
    plugins: [vscodeByRequire, englishOnly, withoutForms],
    alias: {
      "ide-companion": companion("index.ts"),
      "ide-companion/editor-kit": companion("editor-kit.ts"),
    },
    banner: {
      // CommonJS libraries in an ES module still ask for Node's own modules by require.
      js: 'import{createRequire as createRequireOfBundle}from"node:module";const requireOfBundle=createRequireOfBundle(import.meta.url),require=requireOfBundle;',
    },
  });
  const main = await build({
    ...common,
    entryPoints: ["src/main.cts"],
    format: "cjs",
    outExtension: { ".js": ".cjs" },
    plugins: [moduleBesides],
  });
  return [extension.metafile, main.metafile];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildExtension();
