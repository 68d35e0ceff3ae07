import { expect } from "vitest";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { startEmacs } from "../conformance/emacs-driver.ts";
import { startHelix } from "../conformance/helix-driver.ts";
import { startKakoune } from "../conformance/kakoune-driver.ts";
import { type KitEditor, lendEditor } from "../conformance/kit-editor.ts";
import { notOffered, oneFolder, runKit, within } from "../conformance/kit-run.ts";
import { startVim } from "../conformance/vim-driver.ts";
import { startVscodeWindows } from "../conformance/vscode-driver.ts";
import { emacs } from "../harness/emacs.ts";
import { helix } from "../harness/helix.ts";
import { kakoune } from "../harness/kakoune.ts";
import { scenario } from "../harness/scenario.ts";
import { vim } from "../harness/vim.ts";
import { vscodeNeeds } from "../harness/vscode.ts";

interface Checked {
  readonly name: string;
  readonly needs: Readonly<Record<string, string>>;
  /** What starts one of them. */
  prepare(sandbox: Sandbox): Promise<(inner: Sandbox) => Promise<KitEditor>>;
  /** The checks that are not run, of the contract of Gemini CLI and Qwen Code. */
  readonly notRun: readonly string[];
  readonly notRunOfClaude: readonly string[];
}

const editors: readonly Checked[] = [
  {
    name: "VS Code with the extension",
    needs: vscodeNeeds,
    prepare: startVscodeWindows,
    notRun: notOffered,
    notRunOfClaude: [],
  },
  {
    name: "Emacs with the package",
    needs: emacs.needs,
    prepare: async () => startEmacs,
    notRun: notOffered,
    notRunOfClaude: [],
  },
  {
    name: "Vim with the plugin",
    needs: vim.needs,
    prepare: async () => startVim,
    notRun: notOffered,
    notRunOfClaude: [],
  },
  {
    name: "Kakoune with the script",
    needs: kakoune.needs,
    prepare: async () => startKakoune,
    notRun: [...oneFolder, ...notOffered],
    notRunOfClaude: ["folder-opened"],
  },
  {
    name: "Helix by its own LSP client",
    needs: helix.needs,
    prepare: async () => startHelix,
    notRun: [...oneFolder, ...notOffered],
    notRunOfClaude: ["folder-opened"],
  },
];

for (const { name, needs, prepare, notRun, notRunOfClaude } of editors) {
  const passes = (kit: string, left: readonly string[], agent?: string) =>
    scenario(
      `${name} passes the whole ${kit}`,
      async (sandbox) => {
        const subject = await lendEditor(sandbox, await prepare(sandbox));
        expect(await runKit(sandbox, { ...subject, ...(agent !== undefined && { agent }) })).toEqual(left);
      },
      { within, needs },
    );
  passes("conformance kit", notRun);
  passes("conformance kit of Claude Code", notRunOfClaude, "claude-code");
}
