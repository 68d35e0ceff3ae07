import { chmod, rm } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { englishOnly, withoutForms } from "./bundle-plugins.mjs";
import { copyPlugins } from "./plugins.mjs";

/** `node build.mjs [FOLDER]` builds into `dist`, or where a test wants it. */
const outdir = path.resolve(import.meta.dirname, process.argv[2] ?? "dist");

await rm(path.join(outdir, "chunks"), { recursive: true, force: true });
// An executable that needs no node_modules. What is imported dynamically lies in files of its own: Node parses
// every byte of a file that it loads, and a start must not wait for the parts that come later.
await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: { "ide-companion": "src/cli/main.ts" },
  outdir,
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  platform: "node",
  target: "node20",
  format: "esm",
  // Names stay, for stack traces that people can read.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "warning",
  plugins: [englishOnly, withoutForms],
  // Its other form asks for its own files in a way that no bundler follows.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  banner: {
    // CommonJS libraries in an ES module still ask for Node's own modules by require.
    js: 'import{createRequire as createRequireOfBundle}from"node:module";const require=createRequireOfBundle(import.meta.url);',
  },
});
await chmod(path.join(outdir, "ide-companion.js"), 0o755);
await copyPlugins(path.join(outdir, "editors"));
