import { writeFile } from "node:fs/promises";
import { join } from "node:path";

const repository = join(import.meta.dirname, "../..");

/** @type {import("./index.mjs").BenchEditor} */
export const vim = {
  name: "Vim",
  program: "/usr/bin/vim.nox",
  down: "j",
  up: "k",
  async prepare({ home, file, ready, withPlugin, showsProposals }) {
    const lines = ["set nocompatible"];
    if (withPlugin) lines.push(`set runtimepath^=${join(repository, "editors/vim").replaceAll(" ", "\\ ")}`);
    if (showsProposals) lines.push("let g:ide_companion = #{diff: #{focus: v:true}}");
    const rc = join(home, "vimrc");
    await writeFile(rc, `${lines.join("\n")}\n`);
    // The plugin starts its server in a timer that is set at VimEnter: this comes after it.
    const writeReady = `writefile([], ${quote(ready)})`;
    const command = `autocmd VimEnter * ++once call timer_start(0, {-> timer_start(0, {-> ${writeReady}})})`;
    return { args: ["-n", "-i", "NONE", "-u", rc, "-c", command, file] };
  },
};

/** Text as a string of Vim's script. */
const quote = (text) => `'${text.replaceAll("'", "''")}'`;
