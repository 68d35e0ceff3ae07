import { chmod, rm } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { englishOnly, withoutForms } from "./bundle-plugins.mjs";
import { copyPlugins } from "./plugins.mjs";

/**
 * Builds the executable, which needs no node_modules. What is imported dynamically lies in separate files: Node
 * parses every byte of a file that it loads, and a start must not wait for the parts that come later.
 * @param {string} [outdir] absolute
 * @param {{ write?: boolean }} [options] `write: false` only tells what would go into it
 * @returns {Promise<import("esbuild").Metafile>} what has gone into it
 */
export async function buildExecutable(
  outdir = path.join(import.meta.dirname, "dist"),
  { write = true } = {},
) {
  if (write) await rm(path.join(outdir, "chunks"), { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: { "ide-companion": "src/cli/main.ts" },
    outdir,
    write,
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
    metafile: true,
    plugins: [englishOnly, withoutForms],
    // Its other form asks for its own files in a way that no bundler follows.
    alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
    banner: {
      // CommonJS libraries in an ES module still ask for Node's own modules by require.
      js: 'import{createRequire as createRequireOfBundle}from"node:module";const require=createRequireOfBundle(import.meta.url);',
    },
  });
  if (write) {
    await chmod(path.join(outdir, "ide-companion.js"), 0o755);
    await copyPlugins(path.join(outdir, "editors"));
  }
  return metafile;
}

/** `node build.mjs [FOLDER]` builds into `dist`, or where a test wants it. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildExecutable(process.argv[2] && path.resolve(process.argv[2]));
}
