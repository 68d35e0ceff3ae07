import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { startAgent } from "./harness/agent-cli.ts";
import { chain } from "./harness/chain.ts";
import { discoveryFiles } from "./harness/discovery-files.ts";
import { editorChains } from "./harness/editor-chains.ts";
import { gemini } from "./harness/gemini.ts";
import { guidedUser } from "./harness/guided-user.ts";
import { companionScript, luacheck, plugins, neovim as program } from "./harness/installed.ts";
import { attachNeovim, neovim, pluginConfig, startNeovim } from "./harness/neovim.ts";
import { neovimCommand } from "./harness/neovim-remote.ts";
import { plainNeovim } from "./harness/plain-neovim.ts";
import { ended, processTree } from "./harness/process-tree.ts";
import { type EditorWithCli, twoInstances } from "./harness/two-instances.ts";
import type { World } from "./harness/world.ts";

const run = promisify(execFile);
const { needs } = neovim;

editorChains(neovim);
editorChains(plainNeovim, { agents: [gemini], only: ["context", "review"] });

twoInstances(neovim, startWithCli);

chain(
  "a companion that dies under Neovim starts again, and typed text stays; Neovim leaves nothing when it ends",
  async (world) => {
    const path = await world.write("note.txt", "first\nsecond\n");
    const editor = await startNeovim(world, [path]);
    const cli = await startAgent(world, gemini);
    await cli.connected();
    await cli.proposeReplace(path, "second", "2nd");
    const proposal = await editor.proposal("note.txt");
    await proposal.replace("2nd", "zwei");
    const port = Number(await editor.lua("require('ide-companion').status().port"));
    const server = await serverOf(editor.terminal.pid);
    process.kill(server, "SIGKILL");
    await ended([server]);
    await editor.until("another port", `(require('ide-companion').status().port or ${port}) ~= ${port}`);
    await editor.terminal.waitFor("nobody waits for this any more");
    await proposal.reject();
    await editor.terminal.waitFor("Your edits are kept");
    const kept = "vim.api.nvim_buf_get_lines(vim.fn.bufnr('/kept/note.txt'), 0, -1, true)";
    expect(await editor.lua(`table.concat(${kept}, ' ')`)).toBe("first zwei");

    await cli.kill();
    const next = await startAgent(world, gemini);
    await next.connected();
    await next.proposeReplace(path, "first", "1st");
    await (await editor.proposal("note.txt")).accept();
    await next.finished();
    expect(String(await world.read("note.txt"))).toBe("1st\nsecond\n");
    await editor.nothingWaits();

    const pids = await processTree(editor.terminal.pid);
    await editor.lua("vim.fn.timer_start(0, function() vim.cmd.qall() end)");
    expect(await editor.terminal.exited()).toBe(0);
    await ended(pids);
    expect(await discoveryFiles(world)).toEqual([]);
  },
  { needs },
);

guidedUser(neovim, async (world, files) => {
  const editor = await startNeovim(world, files);
  const place = "('%s:%d:%d'):format(vim.fn.expand('%:t'), vim.fn.line('.'), vim.fn.col('.'))";
  const space = "vim.api.nvim_create_namespace('e2e')";
  return {
    ...editor,
    place: () => editor.lua(place),
    findError(path, line, message) {
      const found = `{ lnum = ${line - 1}, col = 0, message = ${JSON.stringify(message)} }`;
      return editor.lua(`vim.diagnostic.set(${space}, vim.fn.bufadd(_A), { ${found} })`, path);
    },
  };
});

chain(
  "the Neovim plugin's own tests pass, in Neovim",
  async (world) => {
    const tests = join(plugins, "neovim", "tests", "run.lua");
    const { stdout } = await run(program, ["--clean", "-l", tests], { env: world.env }).catch(toOutput);
    expect(stdout).not.toContain("not ok");
    expect(stdout).toMatch(/[1-9]\d* passed, 0 failed/);
  },
  { needs },
);

chain(
  "luacheck finds nothing in the Neovim plugin",
  async () => {
    const { stdout } = await run(luacheck, ["--no-color", "."], { cwd: join(plugins, "neovim") }).catch(
      toOutput,
    );
    expect(stdout).toContain("Total: 0 warnings / 0 errors");
  },
  { needs: { luacheck } },
);

/** Process id of the companion that an editor has started. */
async function serverOf(editor: number): Promise<number> {
  for (const pid of await processTree(editor)) {
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8");
    if (command.includes(companionScript)) return pid;
  }
  throw new Error(`process ${editor} has started no companion`);
}

/** A Neovim in which `:IdeCompanion run` has started an agent, over the whole of its screen. */
async function startWithCli(world: World, file: string): Promise<EditorWithCli> {
  const config = `${pluginConfig}require("ide-companion").setup({ terminal = { position = "tabnew" } })`;
  const start = "autocmd User IdeCompanionStatus ++once IdeCompanion run gemini";
  const { command, env, socket } = await neovimCommand(world, config, ["-c", start, file]);
  const cli = await startAgent(world, gemini, { command, env });
  const editor = await attachNeovim(world, cli.terminal, socket);
  await cli.connected();
  const paths =
    "vim.tbl_map(function(diff) return diff.filePath end, require('ide-companion').status().diffs)";
  return {
    cli,
    accept: () => editor.lua("require('ide-companion').accept()"),
    reject: () => editor.lua("require('ide-companion').reject()"),
    waiting: () => editor.lua(`table.concat(${paths}, ' ')`),
  };
}

/** What a program has printed before it failed. */
function toOutput(error: { stdout: string }): { stdout: string } {
  return error;
}
