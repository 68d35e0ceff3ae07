import { cp } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../../packages/testkit/src/run.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import type { EditorKind } from "../harness/editor.ts";
import { editorScenarios } from "../harness/editor-scenarios.ts";
import { eglot } from "../harness/eglot.ts";
import { emacs } from "../harness/emacs.ts";
import { gemini } from "../harness/gemini.ts";
import { helix } from "../harness/helix.ts";
import { newerNeovim, plugins, newerNeovim as program } from "../harness/installed.ts";
import { kakoune } from "../harness/kakoune.ts";
import { kate } from "../harness/kate.ts";
import { attachNeovim, neovim, neovimCommand } from "../harness/neovim.ts";
import { neovimOwnTests } from "../harness/own-tests.ts";
import { codeOn } from "../harness/page.ts";
import { plainNeovim } from "../harness/plain-neovim.ts";
import { qwen } from "../harness/qwen.ts";
import { typedThenKilled } from "../harness/recovered-edits.ts";
import { startTerminal } from "../harness/terminal.ts";
import { unaskingGemini } from "../harness/unasking.ts";
import { vim } from "../harness/vim.ts";
import { vscode } from "../harness/vscode.ts";
import { writtenInEditors } from "../harness/written-in-editors.ts";

/** A Neovim of 0.12 or later that has our plugin by `vim.pack`, which clones it. */
const packedNeovim: EditorKind = {
  name: "a newer Neovim with vim.pack",
  needs: { "newer Neovim": program, git: "/usr/bin/git" },
  async start(sandbox, files) {
    await writeRepository(join(sandbox.home, "ide-companion"), sandbox);
    const config = codeOn("neovim.md", "lua", "vim.pack");
    const { command, env, socket } = await neovimCommand(sandbox, config, ["--", ...files]);
    const terminal = await startTerminal(sandbox, { command: [program, ...command.slice(1)], env });
    await terminal.waitFor("Proceed?");
    await terminal.type("y");
    return attachNeovim(sandbox, terminal, socket);
  },
};

/** A git repository in which the plugin lies as it does in ours. */
async function writeRepository(repository: string, sandbox: Sandbox): Promise<void> {
  await cp(join(plugins, "neovim"), join(repository, "editors", "neovim"), { recursive: true });
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  const git = (...args: string[]) => run("git", [...who, ...args], { cwd: repository, env: sandbox.env });
  await git("init", "--quiet");
  await git("add", ".");
  await git("commit", "--quiet", "--message=The plugin");
}

for (const editor of [vim, emacs, kakoune, helix, vscode]) {
  editorScenarios(editor, { agents: [gemini, qwen], only: ["agent"] });
}
for (const editor of [kate, eglot]) editorScenarios(editor, { only: ["agent"] });
// Each commit runs it with Gemini CLI.
editorScenarios(neovim, { agents: [qwen], only: ["agent"] });
for (const editor of [neovim, vim, emacs, kakoune, helix, kate, vscode]) {
  editorScenarios(editor, { only: ["together"] });
}
// Each commit runs them with a fake CLI.
for (const editor of [neovim, vim, emacs, kakoune, helix, kate, vscode]) {
  editorScenarios(editor, { only: ["bytes", "environment"] });
  typedThenKilled(editor);
}
// Each commit runs it with Neovim: the companion sweeps when it starts, whatever has started it.
for (const editor of [vim, emacs, kakoune, helix, kate, vscode]) {
  editorScenarios(editor, { only: ["sweep"] });
}
editorScenarios(eglot, { only: ["bytes", "sweep"] });
editorScenarios(plainNeovim, { only: ["agent", "bytes", "sweep"] });
editorScenarios(packedNeovim, { only: ["agent"] });
// Each commit runs it with Helix, by the same actions of code.
writtenInEditors(unaskingGemini, [eglot, kate, plainNeovim]);
neovimOwnTests("a newer Neovim", newerNeovim);
