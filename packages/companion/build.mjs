import { chmod, cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { englishOnly, withoutForms } from "./bundle-plugins.mjs";
import { joinChunks } from "./join-chunks.mjs";

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
  const options = {
    absWorkingDir: import.meta.dirname,
    outdir,
    write,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    // Names stay, for stack traces that people can read.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
  };
  const split = {
    ...options,
    entryPoints: { "ide-companion-main": "src/cli/main.ts" },
    chunkNames: "chunks/[name]-[hash]",
    splitting: true,
    plugins: [englishOnly, withoutForms],
    // Its other form asks for its own files in a way that no bundler follows.
    alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
    banner: {
      // CommonJS libraries in an ES module still ask for Node's own modules by require.
      js: 'import{createRequire as createRequireOfBundle}from"node:module";const require=createRequireOfBundle(import.meta.url);',
    },
  };
  const { metafile } = await build(split);
  // Each in one file, though other files hold some of it as well: an agent waits for it.
  for (const [name, source] of Object.entries(hookParts)) {
    const { inputs } = (
      await build({
        ...split,
        splitting: false,
        entryPoints: { [name]: source },
        plugins: [besides(source), englishOnly, withoutForms],
      })
    ).metafile;
    Object.assign(metafile.inputs, inputs);
  }
  if (write) await joinChunks(outdir, metafile.outputs, ["ide-companion-main", "review-command"], split);
  if (write) {
    await chmod(path.join(outdir, "ide-companion.js"), 0o755);
    await copyPlugins(path.join(outdir, "editors"));
  }
  return metafile;
}

/** What a hook loads: the executable, and two parts that few of its calls need. */
const hookParts = {
  "ide-companion": "src/cli/entry.ts",
  "ide-companion-rarely": "src/cli/hook/rarely.ts",
  "ide-companion-snapshots": "src/cli/hook/snapshots.ts",
};

/**
 * Leaves the other parts where they lie.
 * @param {string} source of this one
 * @returns {import("esbuild").Plugin}
 */
const besides = (source) => ({
  name: "besides",
  setup: ({ onResolve }) =>
    onResolve({ filter: /\.ts$/, namespace: "file" }, ({ path: given, resolveDir }) => {
      const file = path.relative(import.meta.dirname, path.resolve(resolveDir, given));
      const parts = { "ide-companion-main": "src/cli/main.ts", ...hookParts };
      const [name] = Object.entries(parts).find(([, part]) => part === file && part !== source) ?? [];
      return name === undefined ? undefined : { path: `./${name}.js`, external: true };
    }),
});

const editors = path.join(import.meta.dirname, "..", "..", "editors");

/** What `ide-companion install` sets up; tests and words for developers stay here. */
const plugins = {
  neovim: ["doc", "lua", "plugin"],
  vim: ["autoload", "doc", "plugin"],
  emacs: (await readdir(path.join(editors, "emacs"))).filter((name) => name.endsWith(".el")),
  kakoune: ["ide-companion.kak"],
};

/**
 * Puts the editors' plugins where the executable finds them. The compiled modules of `src/editors` lie in the same folder, as
 * files: what is put there replaces only the folders of the plugins.
 * @param {string} folder
 */
async function copyPlugins(folder) {
  for (const [editor, parts] of Object.entries(plugins)) {
    const target = path.join(folder, editor);
    await rm(target, { recursive: true, force: true });
    for (const part of parts) {
      await cp(path.join(editors, editor, part), path.join(target, part), { recursive: true });
    }
    if (parts.includes("doc")) await writeTags(path.join(target, "doc"));
  }
}

/**
 * The index without which `:help` finds nothing, as `:helptags` writes it.
 * @param {string} folder
 */
async function writeTags(folder) {
  const lines = [];
  for (const name of (await readdir(folder)).filter((each) => each.endsWith(".txt"))) {
    const text = await readFile(path.join(folder, name), "utf8");
    for (const [, tag] of text.matchAll(/(?<=^|[ \t])\*([^*\s|]+)\*(?=[ \t]|$)/gm)) {
      lines.push(`${tag}\t${name}\t/*${tag.replaceAll(/[\\/]/g, "\\$&")}*\n`);
    }
  }
  await writeFile(path.join(folder, "tags"), lines.sort().join(""));
}

/** `node build.mjs [FOLDER]` builds into `dist`, or where a test wants it. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildExecutable(process.argv[2] && path.resolve(process.argv[2]));
}
