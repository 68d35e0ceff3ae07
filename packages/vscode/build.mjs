import { cp, rm } from "node:fs/promises";
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
 * @returns {Promise<import("esbuild").Metafile>} its inputs and outputs
 */
export async function buildExtension() {
  const outdir = join(here, "dist");
  await rm(outdir, { recursive: true, force: true });
  const options = {
    absWorkingDir: here,
    entryPoints: ["src/window.ts"],
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
  const { metafile } = await build(options);
  await joinChunks(outdir, metafile.outputs, ["window"], options);
  await cp(join(here, "src", "main.cjs"), join(outdir, "main.cjs"));
  return metafile;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildExtension();
