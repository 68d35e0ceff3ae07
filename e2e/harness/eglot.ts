import { killTree } from "../../packages/testkit/src/process-tree.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import type { Editor, EditorKind } from "./editor.ts";
import { createBasics, createRemote, type EmacsRemote, emacsCommand, inSelected, quote } from "./emacs.ts";
import { emacs as program } from "./installed.ts";
import { codeOn } from "./page.ts";
import { openReviewPage, type ReviewPage } from "./review-page.ts";
import { startTerminal, type Terminal } from "./terminal.ts";

/** Debian's Eglot for Emacs 28, which has none. */
const packages = "/usr/share/emacs/site-lisp/elpa-src";
const source = `${packages}/eglot-1.9/eglot.el`;

/** Emacs with our command as a language server, and no package of ours: it opens no document for a server. */
export const eglot: EditorKind = {
  name: "Emacs with Eglot",
  needs: { Emacs: program, Eglot: source },
  async start(sandbox, files) {
    const { command, env, socket } = await emacsCommand(sandbox, config, files);
    const terminal = await startTerminal(sandbox, { command, env });
    const remote = createRemote(sandbox, terminal, socket);
    await remote.until("a language server", inSelected("(eglot-managed-p)"));
    return { ...createActions(sandbox, terminal, remote), terminal, kill: () => killTree(terminal.pid) };
  },
};

const config = `
(dolist (folder (directory-files ${quote(packages)} t "eglot\\\\|seq\\\\|xref\\\\|project"))
  (add-to-list 'load-path folder))
${codeOn("emacs.md", "elisp", "eglot-ensure")}`;

const messages = `(with-current-buffer "*Messages*" (buffer-string))`;

function createActions(
  sandbox: Sandbox,
  terminal: Terminal,
  remote: EmacsRemote,
): Omit<Editor, "terminal" | "kill"> {
  let page: ReviewPage | undefined;
  const { lisp, until } = remote;
  const { command, go, mark, ...basics } = createBasics(terminal, remote);
  /** By the link in the message, as the user does; once it is open it shows the others without a click. */
  const openPage = async (name: string) => {
    await until(`message of ${name}`, `(string-search ${quote(`${name}. Review it at `)} ${messages})`);
    const link = /Review it at (http:\S+)/.exec(JSON.parse(`"${await lisp(messages)}"`))?.[1] ?? "";
    return openReviewPage(sandbox, link);
  };
  return {
    ...basics,
    async select(text) {
      await until("a language server", inSelected("(eglot-managed-p)"));
      await mark(text);
      await command("eglot-code-actions");
      await terminal.waitFor("Share selection");
      await terminal.press("Enter");
      await until("shared selection", `(string-search "hared " ${messages})`);
    },
    readAgain: async () => void (await lisp(inSelected("(revert-buffer t t)"))),
    async decideWritten(decision, text) {
      await go(text);
      await command("eglot-code-actions", `${decision} this change`);
      if (decision === "Keep") return;
      await terminal.waitFor("Server wants to edit");
      await terminal.type("y");
    },
    says: async (text) => void (await terminal.waitFor(text)),
    async proposal(name) {
      page ??= await openPage(name);
      const view = await page.proposal(name);
      return {
        replace: (before, after) => view.edit(before, after),
        async accept() {
          await view.accept();
          await view.gone();
        },
        async reject() {
          await view.reject();
          await view.gone();
        },
      };
    },
    nothingWaits: async () => void (await page?.nothingWaits()),
  };
}
