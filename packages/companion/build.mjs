import { chmod, cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { englishOnly, withoutForms } from "./bundle-plugins.mjs";

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
  const { metafile } = await build({
    ...options,
    // They look for other files from where they lie.
    entryPoints: Object.fromEntries(Object.entries(parts).map(([source, name]) => [name, source])),
    chunkNames: "chunks/[name]-[hash]",
    splitting: true,
    plugins: [englishOnly, withoutForms],
    // Its other form asks for its own files in a way that no bundler follows.
    alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
    banner: {
      // CommonJS libraries in an ES module still ask for Node's own modules by require.
      js: 'import{createRequire as createRequireOfBundle}from"node:module";const require=createRequireOfBundle(import.meta.url);',
    },
  });
  // In one file, though other files hold some of it as well: an agent waits for it, and each file costs a millisecond.
  await build({
    ...options,
    entryPoints: { "ide-companion": "src/cli/entry.ts" },
    plugins: [besides(parts)],
  });
  if (write) {
    await chmod(path.join(outdir, "ide-companion.js"), 0o755);
    await copyPlugins(path.join(outdir, "editors"));
  }
  return metafile;
}

/** What the executable loads from another file, and the name of that. */
const parts = {
  "src/cli/main.ts": "ide-companion-main",
  "src/cli/hook/rarely.ts": "ide-companion-rarely",
  "src/cli/hook/snapshots.ts": "ide-companion-snapshots",
};

/**
 * Leaves parts where they lie.
 * @param {Record<string, string>} parts
 * @returns {import("esbuild").Plugin}
 */
const besides = (parts) => ({
  name: "besides",
  setup: ({ onResolve }) =>
    onResolve({ filter: /\.ts$/, namespace: "file" }, ({ path: source, resolveDir }) => {
      const name = parts[path.relative(import.meta.dirname, path.resolve(resolveDir, source))];
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
