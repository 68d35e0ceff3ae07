import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import type { EditorKind } from "./editor.ts";
import { attachEmacs, emacs, emacsCommand, packageConfig } from "./emacs.ts";
import { attachNeovim, neovim, neovimCommand, pluginConfig } from "./neovim.ts";
import type { Terminal } from "./terminal.ts";
import { attachVim, vim, vimCommand } from "./vim.ts";

/** An editor in whose own terminal a CLI was started by the editor's command, over the whole of its screen. */
export interface EditorWithCli<Cli> {
  readonly cli: Cli;
  /** Goes to the proposal that waits. */
  review(): Promise<unknown>;
  /** Accepts the proposal that waits. */
  accept(): Promise<unknown>;
  /** Rejects the proposal that waits. */
  reject(): Promise<unknown>;
  /** Sends the first line of the file to the agent's prompt. */
  send(): Promise<unknown>;
  /** Paths of the files for which proposals wait, with spaces between. */
  waiting(): Promise<string>;
  /** Types into the CLI again, after a review. */
  back(): Promise<void>;
}

/** How a CLI is started, other than by its own program. */
export interface StartOptions {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** An editor with terminals, and what a user types in a proposal there. */
export interface EditorWithTerminals extends Pick<EditorKind, "name" | "needs"> {
  /** @param agent as after `:IdeCompanion run` */
  start<Cli extends { readonly terminal: Terminal }>(
    sandbox: Sandbox,
    file: string,
    agent: string,
    startCli: (options: StartOptions) => Promise<Cli>,
  ): Promise<EditorWithCli<Cli>>;
  /** Comments on the first line; what the editor asks then. */
  readonly comment: string;
  /** Rejects, and sends the comments. */
  readonly sayWhy: string;
}

export const neovimTerminals: EditorWithTerminals = {
  ...neovim,
  async start(sandbox, file, agent, startCli) {
    const config = `${pluginConfig}require("ide-companion").setup({ terminal = { position = "tab" } })`;
    const start = `autocmd User IdeCompanionStatus ++once IdeCompanion run ${agent}`;
    const { command, env, socket } = await neovimCommand(sandbox, config, ["-c", start, file]);
    const cli = await startCli({ command, env });
    const editor = await attachNeovim(sandbox, cli.terminal, socket);
    const paths =
      "vim.tbl_map(function(diff) return diff.filePath end, require('ide-companion').status().diffs)";
    const windowOfFile = "vim.fn.win_findbuf(vim.fn.bufnr('open.txt'))[1]";
    const send = "function() vim.cmd('1IdeCompanion send') end";
    return {
      cli,
      review: () => editor.lua("require('ide-companion').diff()"),
      accept: () => editor.lua("require('ide-companion').accept()"),
      reject: () => editor.lua("require('ide-companion').reject()"),
      send: () => editor.lua(`vim.api.nvim_win_call(${windowOfFile}, ${send})`),
      waiting: () => editor.lua(`table.concat(${paths}, ' ')`),
      back: () => cli.terminal.type("i"),
    };
  },
  comment: "gg\\c",
  sayWhy: "\\R",
};

export const vimTerminals: EditorWithTerminals = {
  ...vim,
  async start(sandbox, file, agent, startCli) {
    const config = "let g:ide_companion = #{terminal: #{position: 'tab'}}\n";
    const start = `autocmd User IdeCompanionStatus ++once IdeCompanion run ${agent}`;
    const { command, env, channel } = await vimCommand(sandbox, ["-c", start, file], config);
    const cli = await startCli({ command, env });
    const editor = await attachVim(cli.terminal, channel);
    const sendIt = "win_execute(win_findbuf(bufnr('open.txt'))[0], '1IdeCompanion send')";
    return {
      cli,
      review: () => editor.ask("execute('IdeCompanion diff')"),
      accept: () => editor.ask("execute('IdeCompanion accept')"),
      reject: () => editor.ask("execute('IdeCompanion reject')"),
      send: () => editor.ask(sendIt),
      waiting: async () =>
        String(await editor.ask("join(map(ide_companion#Status().diffs, {_, diff -> diff.filePath}))")),
      back: async () => {},
    };
  },
  comment: "gg\\c",
  sayWhy: "\\R",
};

export const emacsTerminals: EditorWithTerminals = {
  ...emacs,
  async start(sandbox, file, agent, startCli) {
    const config = `${packageConfig}
(add-to-list 'display-buffer-alist '("\\\\*${agent}\\\\*" display-buffer-same-window))
(setq ide-companion-on-proposal 'message)`;
    const start = `(run-with-timer 0 nil #'ide-companion-run "${agent}")`;
    const { command, env, socket } = await emacsCommand(sandbox, config, [file, "--eval", start]);
    const cli = await startCli({ command, env });
    const editor = await attachEmacs(sandbox, cli.terminal, socket);
    return {
      cli,
      review: () => editor.lisp("(ide-companion-next-proposal)"),
      accept: () => editor.lisp("(ide-companion-accept)"),
      reject: () => editor.lisp("(ide-companion-reject)"),
      send: () => editor.lisp('(with-current-buffer "open.txt" (ide-companion-send 1 1))'),
      waiting: () => editor.lisp(`(mapconcat #'ide-companion--proposal-path ide-companion--proposals " ")`),
      back: async () => {},
    };
  },
  comment: "\x1b<\x03;", // M-<, C-c ;
  sayWhy: "\x03\x17", // C-c C-w
};

export const editorsWithTerminals = [neovimTerminals, vimTerminals, emacsTerminals] as const;
