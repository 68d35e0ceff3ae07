import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { killTree } from "../../packages/testkit/src/process-tree.ts";
import { run } from "../../packages/testkit/src/run.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { type Editor, type EditorKind, inVersion, pathWithCommand } from "./editor.ts";
import { emacsClient, plugins, emacs as program } from "./installed.ts";
import { startTerminal, type Terminal, typeLine } from "./terminal.ts";

/** How to start one that can be asked. @param config its init.el */
export async function emacsCommand(sandbox: Sandbox, config: string, args: readonly string[]) {
  const folder = join(sandbox.home, ".emacs.d");
  const server = `s-${args.length}-${Date.now().toString(36)}`;
  const socket = join(sandbox.tmp, "emacs", server);
  await mkdir(folder, { recursive: true });
  await mkdir(dirname(socket), { recursive: true, mode: 0o700 });
  await writeFile(join(folder, "early-init.el"), early);
  await writeFile(join(folder, "init.el"), `${quiet}${config}`);
  const serve = `(progn (setq server-socket-dir ${quote(dirname(socket))} server-name ${quote(server)}) (server-start))`;
  const command = [program, "-nw", "--eval", serve, ...args];
  return { command, env: { PATH: await pathWithCommand(sandbox) }, socket };
}

/** None of the system's packages, and no compiler in the background. */
const early = "(setq package-enable-at-startup nil native-comp-deferred-compilation nil)";
/** No page of welcome, and no file of Emacs' own besides those of the test. */
const quiet = `
(setq inhibit-startup-screen t auto-save-default nil make-backup-files nil create-lockfiles nil
      suggest-key-bindings nil)
`;

/** What a test asks of an Emacs, other than what its user does. */
export type EmacsRemote = ReturnType<typeof createRemote>;

export function createRemote(sandbox: Sandbox, terminal: Terminal, socket: string) {
  const lisp = async (code: string) => {
    const { stdout } = await run(emacsClient, ["--socket-name", socket, "--eval", code], {
      env: sandbox.env,
    });
    return stdout.trimEnd().replace(/^"(.*)"$/s, "$1");
  };
  return {
    /** Evaluates Lisp in it. @returns what it prints; a string without its quotes */
    lisp,
    /** Waits until Lisp in it is neither nil nor an error. */
    async until(what: string, code: string) {
      // It may not listen yet.
      const look = async () => (await lisp(code).catch(() => "nil")) !== "nil";
      await poll(what, look, { describe: terminal.screen });
    },
  };
}

/** What both kinds of Emacs do alike, by the keys and commands of every Emacs. */
export function createBasics(terminal: Terminal, { lisp, until }: EmacsRemote) {
  const command = async (name: string, ...answers: string[]) => {
    for (const answer of [`\x1bx${name}`, ...answers]) {
      await typeLine(terminal, answer);
    }
  };
  /** Goes to the first occurrence of a text. */
  const go = async (text: string) => {
    const code = `(goto-char (point-min)) (search-forward ${quote(text)}) (backward-char ${text.length})`;
    await lisp(inSelected(`(progn ${code})`));
  };
  return {
    /** A command by its name; arguments are typed as it asks for them. */
    command,
    open: async (path: string) => void (await lisp(`(find-file ${quote(path)})`)),
    async close() {
      const name = await lisp(inSelected("(buffer-name)"));
      await command("kill-current-buffer");
      await until(`end of ${name}`, `(null (get-buffer ${quote(name)}))`);
    },
    go,
    /** Selects the first occurrence of a text. */
    async mark(text: string) {
      await go(text);
      await terminal.press("C-Space");
      await terminal.type("\x06".repeat(text.length)); // C-f
    },
    async typeUnsaved(text: string) {
      await terminal.type(`\x1b<\x05${text}`); // M-<, C-e
      await until("unsaved edits", inSelected("(buffer-modified-p)"));
    },
    saveAll: async () => void (await lisp("(save-some-buffers t)")),
    shows: (text: string) => until(text, inSelected(`(string-search ${quote(text)} (buffer-string))`)),
  };
}

/** Lisp about the buffer that is looked at. */
export const inSelected = (code: string) => `(with-current-buffer (window-buffer (selected-window)) ${code})`;

/** Text as a Lisp string. */
export function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}

/** Emacs with our package, and nothing else. */
export const emacs: EditorKind<Emacs> = {
  name: "Emacs",
  needs: { Emacs: program },
  async start(sandbox, files, other) {
    const { socket, ...start } = await emacsCommand(sandbox, packageConfig, files);
    const terminal = await startTerminal(sandbox, inVersion(start, other));
    return attachEmacs(sandbox, terminal, socket);
  },
};

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
  const { command, go, mark, ...basics } = createBasics(terminal, remote);
  return {
    ...basics,
    async select(text) {
      await mark(text);
      await until(`selection of ${text}`, `(string-search ${quote(text)} (format "%S" ide-companion--sent))`);
    },
    async decideWritten(decision, text) {
      await go(text);
      await until(`mark of ${text}`, inSelected("(overlays-at (point))"));
      await command(`ide-companion-${decision.toLowerCase()}-written`);
    },
    says: async (text) => void (await terminal.waitFor(text)),
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
