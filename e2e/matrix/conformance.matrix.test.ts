import { expect } from "vitest";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { startEmacs } from "../conformance/emacs-driver.ts";
import { startHelix } from "../conformance/helix-driver.ts";
import { startKakoune } from "../conformance/kakoune-driver.ts";
import { type KitEditor, lendEditor } from "../conformance/kit-editor.ts";
import { notOffered, oneFolder, runKit, within } from "../conformance/kit-run.ts";
import { startVim } from "../conformance/vi-driver.ts";
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
  /** No folder can be added to it. */
  readonly hasOneFolder?: boolean;
}

/** A contract: the agent that the kit is asked for, and the checks that are not run. */
interface Contract {
  readonly name: string;
  readonly agent?: string;
  readonly notRun: readonly string[];
  /** Those that are not run either in an editor with one folder. */
  readonly withOneFolder: readonly string[];
}

const contracts: readonly Contract[] = [
  { name: "conformance kit", notRun: notOffered, withOneFolder: oneFolder },
  {
    name: "conformance kit of Claude Code",
    agent: "claude-code",
    notRun: [],
    withOneFolder: ["folder-opened"],
  },
  { name: "conformance kit of Codex CLI", agent: "codex-cli", notRun: [], withOneFolder: [] },
  {
    name: "conformance kit of Copilot CLI",
    agent: "copilot-cli",
    notRun: [],
    withOneFolder: ["folder-opened", "lock-in-place"],
  },
];

const editors: readonly Checked[] = [
  {
    name: "VS Code with the extension",
    needs: vscodeNeeds,
    prepare: startVscodeWindows,
  },
  {
    name: "Emacs with the package",
    needs: emacs.needs,
    prepare: async () => startEmacs,
  },
  {
    name: "Vim with the plugin",
    needs: vim.needs,
    prepare: async () => startVim,
  },
  {
    name: "Kakoune with the script",
    needs: kakoune.needs,
    prepare: async () => startKakoune,
    hasOneFolder: true,
  },
  {
    name: "Helix by its own LSP client",
    needs: helix.needs,
    prepare: async () => startHelix,
    hasOneFolder: true,
  },
];

for (const editor of editors) {
  for (const { name, agent, notRun, withOneFolder } of contracts) {
    scenario(
      `${editor.name} passes the whole ${name}`,
      async (sandbox) => {
        const subject = await lendEditor(sandbox, await editor.prepare(sandbox));
        const left = await runKit(sandbox, { ...subject, ...(agent !== undefined && { agent }) });
        expect(left).toEqual(editor.hasOneFolder ? [...withOneFolder, ...notRun] : notRun);
      },
      { within, needs: editor.needs },
    );
  }
}
