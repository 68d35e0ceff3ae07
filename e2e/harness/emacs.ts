import { join } from "node:path";
import { killTree } from "../../packages/testkit/src/process-tree.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import type { Editor, EditorKind } from "./editor.ts";
import {
  createBasics,
  createRemote,
  type EmacsRemote,
  emacsCommand,
  inSelected,
  quote,
} from "./emacs-remote.ts";
import { plugins, emacs as program } from "./installed.ts";
import { startTerminal, type Terminal } from "./terminal.ts";

/** Emacs with our package, and nothing else. */
export const emacs = {
  name: "Emacs",
  needs: { Emacs: program },
  async start(sandbox: Sandbox, files: readonly string[]): Promise<Emacs> {
    const { command, env, socket } = await emacsCommand(sandbox, packageConfig, files);
    const terminal = await startTerminal(sandbox, { command, env });
    return attachEmacs(sandbox, terminal, socket);
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
export async function attachEmacs(sandbox: Sandbox, terminal: Terminal, socket: string): Promise<Emacs> {
  const remote = createRemote(sandbox, terminal, socket);
  await remote.until("a port of the companion", "(plist-get ide-companion--status :port)");
  return { ...createActions(terminal, remote), ...remote, terminal, kill: () => killTree(terminal.pid) };
}

/** The buffer of the proposal for a file. */
const bufferOf = (name: string) => `(catch 'found
  (dolist (proposal ide-companion--proposals)
    (when (string-suffix-p ${quote(name)} (ide-companion--proposal-path proposal))
      (throw 'found (ide-companion--proposal-buffer proposal)))))`;

function createActions(terminal: Terminal, remote: EmacsRemote): Omit<Editor, "terminal" | "kill"> {
  const { until } = remote;
  const { command, mark, ...basics } = createBasics(terminal, remote);
  return {
    ...basics,
    async select(text) {
      await mark(text);
      await until(`selection of ${text}`, `(string-search ${quote(text)} (format "%S" ide-companion--sent))`);
    },
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
