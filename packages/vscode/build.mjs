import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { englishOnly, withoutForms } from "../companion/bundle-plugins.mjs";
import { joinChunks } from "../companion/join-chunks.mjs";

const here = import.meta.dirname;
const companion = (name) => join(here, "..", "companion", "src", name);

/**
 * VS Code provides the module `vscode` only through `require`, which must be called from this bundle.
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
 * Leaves the module that the CommonJS entry loads out of that entry's bundle.
 * @type {import("esbuild").Plugin}
 */
const externalModule = {
  name: "external-module",
  setup({ onResolve }) {
    onResolve({ filter: /extension\.ts$/ }, () => ({ path: "./extension.mjs", external: true }));
  },
};

/**
 * Leaves out what only the commands know of agents' CLIs: `Agent.loadCli` is never called in an editor.
 * @type {import("esbuild").Plugin}
 */
const withoutClis = {
  name: "without-clis",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /[-/]cli\.ts$/ }, ({ path, kind }) =>
      kind === "dynamic-import" ? { path, namespace: "none" } : undefined,
    );
    onLoad({ filter: /.*/, namespace: "none" }, () => ({ contents: "" }));
  },
};

/**
 * Builds the extension into `dist`.
 * @returns {Promise<import("esbuild").Metafile[]>} the inputs and outputs of each bundle
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
    // Readable names in stack traces.
    keepNames: true,
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
  };
  const split = {
    ...common,
    entryPoints: ["src/extension.ts"],
    format: "esm",
    splitting: true,
    outExtension: { ".js": ".mjs" },
    chunkNames: "chunks/[name]-[hash]",
    plugins: [vscodeByRequire, withoutClis, englishOnly, withoutForms],
    alias: {
      "ide-companion": companion("index.ts"),
      "ide-companion/editor-kit": companion("editor-kit.ts"),
    },
    banner: {
      // Bundled CommonJS libraries load Node's modules with `require`, which an ES module does not have.
      js: 'import{createRequire as createRequireOfBundle}from"node:module";const requireOfBundle=createRequireOfBundle(import.meta.url),require=requireOfBundle;',
    },
  };
  const extension = await build(split);
  await joinChunks(outdir, extension.metafile.outputs, ["extension"], split);
  const main = await build({
    ...common,
    entryPoints: ["src/main.cts"],
    format: "cjs",
    outExtension: { ".js": ".cjs" },
    plugins: [externalModule],
  });
  return [extension.metafile, main.metafile];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildExtension();
