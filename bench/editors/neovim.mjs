import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const repository = join(import.meta.dirname, "../..");

/** @type {import("./index.mjs").BenchEditor} */
export const neovim = {
  name: "Neovim",
  program: join(repository, ".cache/trixie-editors/usr/bin/nvim"),
  mostAtStart: 5,
  down: "j",
  up: "k",
  async prepare({ home, file, ready, withPlugin, showsProposals }) {
    const folder = join(home, ".config", "nvim");
    await mkdir(folder, { recursive: true });
    const lines = [];
    if (withPlugin) lines.push(`vim.opt.rtp:prepend(${quote(join(repository, "editors/neovim"))})`);
    if (showsProposals) lines.push('require("ide-companion").setup({ diff = { focus = true } })');
    await writeFile(join(folder, "init.lua"), `${lines.join("\n")}\n`);
    // The plugin starts its server in what is scheduled at UIEnter: this comes after it.
    const writeReady = `vim.fn.writefile({}, ${quote(ready)})`;
    const afterStart = `vim.schedule(function() vim.schedule(function() ${writeReady} end) end)`;
    const command = `autocmd UIEnter * ++once lua ${afterStart}`;
    return { args: ["-n", "-c", command, file] };
  },
};

/** Text as a Lua string; the same escapes hold. */
const quote = (text) => JSON.stringify(text);
