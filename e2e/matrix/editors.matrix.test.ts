import { editorScenarios } from "../harness/editor-scenarios.ts";
import { eglot } from "../harness/eglot.ts";
import { emacs } from "../harness/emacs.ts";
import { helix } from "../harness/helix.ts";
import { newerNeovim } from "../harness/installed.ts";
import { kakoune } from "../harness/kakoune.ts";
import { kate } from "../harness/kate.ts";
import { neovim } from "../harness/neovim.ts";
import { neovimOwnTests } from "../harness/own-tests.ts";
import { packedNeovim } from "../harness/packed-neovim.ts";
import { plainNeovim } from "../harness/plain-neovim.ts";
import { qwen } from "../harness/qwen.ts";
import { vim } from "../harness/vim.ts";
import { vscode } from "../harness/vscode.ts";

// Each commit runs them with Gemini CLI.
for (const editor of [neovim, vim, emacs, kakoune, helix, vscode]) {
  editorScenarios(editor, { agents: [qwen], only: ["agent"] });
}
for (const editor of [vim, emacs, kakoune, helix, kate, vscode]) {
  editorScenarios(editor, { only: ["together"] });
}
// Each commit runs them with a fake CLI.
for (const editor of [neovim, vim, emacs, kakoune, helix, kate, vscode]) {
  editorScenarios(editor, { only: ["bytes", "environment"] });
}
editorScenarios(vscode, { only: ["sweep"] });
editorScenarios(eglot, { only: ["bytes", "sweep"] });
editorScenarios(plainNeovim, { only: ["agent", "bytes", "sweep"] });
editorScenarios(packedNeovim, { only: ["review"] });
neovimOwnTests("a newer Neovim", newerNeovim);
