import { join } from "node:path";
import type { Editor, EditorKind } from "./editor.ts";
import { createRemote, type EmacsRemote, emacsCommand, quote } from "./emacs-remote.ts";
import { plugins, emacs as program } from "./installed.ts";
import { killTree } from "./process-tree.ts";
import { startTerminal, type Terminal } from "./terminal.ts";
import type { World } from "./world.ts";

/** Emacs with our package, and nothing else. */
export const emacs = {
  name: "Emacs",
  needs: { Emacs: program },
  async start(world: World, files: readonly string[]): Promise<Emacs> {
    const { command, env, socket } = await emacsCommand(world, packageConfig, files);
    const terminal = await startTerminal(world, { command, env });
    return attachEmacs(world, terminal, socket);
  },
} satisfies EditorKind;

/** As after an installation. */
export const packageConfig = `
(add-to-list 'load-path ${quote(join(plugins, "emacs"))})
(require 'ide-companion)
(ide-companion-mode 1)
`;

export type Emacs = Editor & EmacsRemote & { readonly terminal: Terminal };

/** Drives one that runs, once its companion does. */
export async function attachEmacs(world: World, terminal: Terminal, socket: string): Promise<Emacs> {
  const remote = createRemote(world, terminal, socket);
  await remote.until("a port of the companion", "(plist-get ide-companion--status :port)");
  return { ...createActions(terminal, remote), ...remote, terminal, kill: () => killTree(terminal.pid) };
}

/** The buffer of the proposal for a file. */
const bufferOf = (name: string) => `(catch 'found
  (dolist (proposal ide-companion--proposals)
    (when (string-suffix-p ${quote(name)} (ide-companion--proposal-path proposal))
      (throw 'found (ide-companion--proposal-buffer proposal)))))`;

function createActions(terminal: Terminal, { lisp, until }: EmacsRemote): Omit<Editor, "terminal" | "kill"> {
  /** A command by its name; arguments are typed as it asks for them. */
  const command = async (name: string, ...answers: string[]) => {
    for (const answer of [`\x1bx${name}`, ...answers]) {
      await terminal.type(answer);
      await terminal.press("Enter");
    }
  };
  const inSelected = (code: string) => `(with-current-buffer (window-buffer (selected-window)) ${code})`;
  return {
    open: async (path) => void (await lisp(`(find-file ${quote(path)})`)),
    async close() {
      const name = await lisp(inSelected("(buffer-name)"));
      await command("kill-current-buffer");
      await until(`end of ${name}`, `(null (get-buffer ${quote(name)}))`);
    },
    async select(text) {
      await lisp(
        inSelected(
          `(progn (goto-char (point-min)) (search-forward ${quote(text)}) (backward-char ${text.length}))`,
        ),
      );
      await terminal.press("C-Space");
      await terminal.type("\x06".repeat(text.length)); // C-f
      await until(`selection of ${text}`, `(string-search ${quote(text)} (format "%S" ide-companion--told))`);
    },
    async typeUnsaved(text) {
      await terminal.type(`\x1b<\x05${text}`); // M-<, C-e
      await until("unsaved edits", inSelected("(buffer-modified-p)"));
    },
    shows: (text) => until(text, inSelected(`(string-search ${quote(text)} (buffer-string))`)),
    async proposal(name) {
      await until(`proposal for ${name}`, bufferOf(name));
      await until(
        `window of ${name}`,
        `(with-current-buffer ${bufferOf(name)} (ide-companion--enter ide-companion--proposal))`,
      );
      await terminal.waitFor("proposes");
      return {
        async replace(before, after) {
          await terminal.type("\x1b<"); // M-<
          await command("replace-string", before, after);
          await until(after, inSelected(`(string-search ${quote(after)} (buffer-string))`));
        },
        accept: () => terminal.type("\x03\x03"), // C-c C-c
        reject: () => terminal.type("\x03\x0b"), // C-c C-k
      };
    },
    nothingWaits: () =>
      until(
        "no proposal",
        "(and (null ide-companion--proposals) (zerop (ide-companion--waiting)) (= 1 (length (window-list))))",
      ),
  };
}
