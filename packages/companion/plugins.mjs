import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";

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
export async function copyPlugins(folder) {
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
