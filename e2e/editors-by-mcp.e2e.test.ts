import { expect } from "vitest";
import type { Sandbox } from "../packages/testkit/src/sandbox.ts";
import { poll } from "../packages/testkit/src/waiting.ts";
import { startAgent } from "./harness/agent-cli.ts";
import { awaitedLater } from "./harness/awaited-later.ts";
import type { Editor, EditorKind } from "./harness/editor.ts";
import { editorToolNames, withEditorTools } from "./harness/editor-tools.ts";
import { emacs, quote } from "./harness/emacs.ts";
import { gemini } from "./harness/gemini.ts";
import { helix } from "./harness/helix.ts";
import { kakoune } from "./harness/kakoune.ts";
import { startMcpClient } from "./harness/mcp-client.ts";
import { neovim } from "./harness/neovim.ts";
import { plainNeovim } from "./harness/plain-neovim.ts";
import { scenario } from "./harness/scenario.ts";
import { vimString } from "./harness/vi.ts";
import { vim } from "./harness/vim.ts";

/** An editor, and what a linter and its user's eyes would tell of it. */
interface Seen {
  readonly editor: Editor;
  /** A linter finds the word from the 5th to the 9th character of the second line wrong. */
  find(path: string, message: string): Promise<unknown>;
  /** The user lets go of what is selected: nobody is shown a change in the middle of that. */
  deselect(): Promise<void>;
  /** Waits until a window shows a file, with the cursor in this line. */
  showsLine(path: string, line: number): Promise<void>;
}

async function inNeovim(sandbox: Sandbox, files: readonly string[]): Promise<Seen> {
  const editor = await neovim.start(sandbox, files);
  return {
    editor,
    find: (path, message) =>
      editor.lua(
        `vim.diagnostic.set(vim.api.nvim_create_namespace('linter'), vim.fn.bufnr(_A), {{
           lnum = 1, col = 4, end_lnum = 1, end_col = 9, severity = vim.diagnostic.severity.ERROR,
           source = 'linter', code = 'E7', message = '${message}' }})`.replaceAll(/\s+/g, " "),
        path,
      ),
    deselect: () => editor.terminal.press("Escape"),
    showsLine: (path, line) =>
      editor.until(`line ${line}`, `vim.fn.line('.', vim.fn.bufwinid(vim.fn.bufnr(_A))) == ${line}`, path),
  };
}

async function inVim(sandbox: Sandbox, files: readonly string[]): Promise<Seen> {
  const editor = await vim.start(sandbox, files);
  const isAt = (path: string, line: number) => `line('.', bufwinid(${vimString(path)})) == ${line}`;
  return {
    editor,
    find(path, message) {
      const place = `filename: ${vimString(path)}, lnum: 2, col: 5, end_lnum: 2, end_col: 10`;
      return editor.ask(`setloclist(0, [#{${place}, type: 'E', nr: 7, text: ${vimString(message)}}])`);
    },
    deselect: () => editor.terminal.press("Escape"),
    showsLine: (path, line) => editor.until(`line ${line}`, isAt(path, line)),
  };
}

async function inEmacs(sandbox: Sandbox, files: readonly string[]): Promise<Seen> {
  const editor = await emacs.start(sandbox, files);
  const inBuffer = (path: string, code: string) =>
    `(with-current-buffer (get-file-buffer ${quote(path)}) ${code})`;
  const found = (message: string) =>
    `(flymake-make-diagnostic (current-buffer) (+ 4 (line-beginning-position 2)) (+ 9 (line-beginning-position 2))
                              :error ${quote(message)})`;
  return {
    editor,
    find: (path, message) =>
      editor.lisp(
        inBuffer(
          path,
          `(progn
             (add-hook 'flymake-diagnostic-functions
                       (lambda (report &rest _)
                         (save-excursion (goto-char (point-min)) (funcall report (list ${found(message)}))))
                       nil t)
             (flymake-mode 1)
             (flymake-start))`,
        ),
      ),
    deselect: () => editor.terminal.type("\x07"), // C-g
    showsLine: (path, line) =>
      editor.until(
        `line ${line}`,
        inBuffer(path, `(= ${line} (line-number-at-pos (window-point (get-buffer-window))))`),
      ),
  };
}

usedByItsTools(neovim, inNeovim);
usedByItsTools(vim, inVim);
usedByItsTools(emacs, inEmacs);

scenario(
  "Gemini CLI without IDE mode repairs in Emacs what a linter has found there",
  async (sandbox) => {
    const path = await sandbox.write("poem.txt", "roses\nred violets\n");
    const other = await sandbox.write("other.txt", "1\n2\n3\n");
    const { editor, find, showsLine } = await inEmacs(sandbox, [path]);
    const cli = await startAgent(sandbox, withEditorTools(gemini, sandbox));
    const tool = await editorToolNames(cli);
    await find(path, "no such word");
    cli.model.plan(
      { call: tool("getDiagnostics"), args: { filePath: path } },
      { call: tool("openDiff"), args: { filePath: path, newContent: "roses\nred tulips\n", write: true } },
      { call: tool("openFile"), args: { filePath: other, line: 3 } },
      { text: "All is well." },
    );
    await cli.say("Fix it");
    const proposal = await editor.proposal("poem.txt");
    await proposal.replace("tulips", "lilies");
    await proposal.accept();
    await cli.terminal.waitFor("All is well.");
    await showsLine(other, 3);
    expect(String(await sandbox.read("poem.txt"))).toBe("roses\nred lilies\n");
    const received = cli.model.requests.at(-1)?.text ?? "";
    expect(received).toContain('"message":"no such word"');
    expect(received).toContain('"content":"roses\\nred lilies\\n"');
  },
  { needs: emacs.needs, matrix: true },
);

for (const { name, needs, start } of [plainNeovim, helix, kakoune]) {
  scenario(
    `an MCP client has a file shown in ${name}, and learns that diagnostics cannot be`,
    async (sandbox) => {
      const first = await sandbox.write("first.txt", "one\n");
      const second = await sandbox.write("second.txt", `${"another line\n".repeat(300)}the last one\n`);
      const { terminal } = await start(sandbox, [first]);
      const { call } = await startMcpClient(sandbox);
      expect(await call("openFile", { filePath: second, line: 301 })).toEqual({ filePath: second });
      await terminal?.waitFor("the last one");
      await expect(call("getDiagnostics")).rejects.toThrow("this editor reports no diagnostics");
    },
    { needs },
  );
}

function usedByItsTools(
  { name, needs }: Pick<EditorKind, "name" | "needs">,
  start: (sandbox: Sandbox, files: readonly string[]) => Promise<Seen>,
): void {
  scenario(
    `an MCP client uses ${name} by its tools`,
    async (sandbox) => {
      const [first, second] = [
        await sandbox.write("first.txt", "one\ntwo words here\n"),
        await sandbox.write("second.txt", "1\n2\n3\n"),
      ];
      const { editor, find, deselect, showsLine } = await start(sandbox, [second]);
      await editor.open(first);
      await editor.select("words");
      const { call } = await startMcpClient(sandbox);
      const selection = await poll("the selection", async () => {
        const answer = await call("getSelection");
        return JSON.stringify(answer).includes("selectedText") ? answer : undefined;
      });
      expect(selection).toMatchObject({ filePath: first, selectedText: "words", cursor: { line: 2 } });
      expect(await call("getOpenFiles")).toMatchObject({
        files: [
          { filePath: first, isActive: true },
          { filePath: second, isActive: false },
        ],
      });

      await deselect();
      await find(first, "no such word");
      const place = { line: 2, character: 5, endLine: 2, endCharacter: 10 };
      const diagnostic = { filePath: first, ...place, severity: "error", message: "no such word" };
      for (const of of [{ filePath: first }, {}]) {
        const answer = await poll("the diagnostics", async () => {
          const given = await call("getDiagnostics", of);
          return JSON.stringify(given).includes("no such word") ? given : undefined;
        });
        expect(answer).toMatchObject({ diagnostics: [diagnostic], omitted: 0 });
      }
      expect(await call("getDiagnostics", { filePath: second })).toEqual({ diagnostics: [], omitted: 0 });

      const change = { filePath: first, newContent: "one\ntwo lines here\n" };
      const decided = awaitedLater(call("openDiff", { ...change, write: true }));
      const proposal = await editor.proposal("first.txt");
      await proposal.replace("lines", "rhymes");
      await proposal.accept();
      expect(await decided).toMatchObject({ outcome: "accepted", edited: true, written: true });
      expect(String(await sandbox.read("first.txt"))).toBe("one\ntwo rhymes here\n");
      await editor.nothingWaits();

      const closed = awaitedLater(call("openDiff", change));
      await editor.proposal("first.txt");
      expect(await call("closeDiff", { filePath: first })).toEqual({ content: change.newContent });
      expect(await closed).toMatchObject({ outcome: "closed" });
      await editor.nothingWaits();

      await call("openFile", { filePath: second, line: 3 });
      await showsLine(second, 3);
    },
    { needs },
  );
}
