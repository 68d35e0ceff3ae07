import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { emacs, inSelected, quote } from "../harness/emacs.ts";
import { makeProject, sweepBy } from "./driver-steps.ts";
import { type Drivers, endsBySignal, type KitEditor } from "./kit-editor.ts";

/** Emacs with our package, in a terminal, driven by its keys; a file of a project is open. */
export async function startEmacs(sandbox: Sandbox): Promise<KitEditor> {
  const first = join(sandbox.workspace, "open.txt");
  await writeFile(first, "open\n");
  await makeProject(sandbox.workspace);
  const editor = await emacs.start(sandbox, [first]);
  return { drivers: createDrivers(editor), end: endsBySignal(editor.terminal.pid) };
}

/** Lisp that gives the buffer in which a change of this file is proposed, or nil. */
const proposed = (path: string) => `(cl-loop for proposal in ide-companion--proposals
  when (equal ${quote(path)} (ide-companion--proposal-path proposal))
  return (ide-companion--proposal-buffer proposal))`;

function createDrivers({ terminal, lisp, until }: Awaited<ReturnType<typeof emacs.start>>): Drivers {
  /** By keys: M-g g, C-a, C-u C-f. A command goes by characters, of which a pair of UTF-16 units is one. */
  const goTo = async (line: string, column: string) => {
    await terminal.type(`\x1bgg${line}\r\x01`);
    await until(`line ${line}`, inSelected(`(= (line-number-at-pos) ${line})`));
    const ahead = `(buffer-substring (point) (line-end-position))`;
    const steps = `(length (decode-coding-string (substring (encode-coding-string ${ahead} 'utf-16le) 0 ${2 * (Number(column) - 1)}) 'utf-16le))`;
    const count = await lisp(inSelected(steps));
    const there = await lisp(inSelected(`(+ (point) ${count})`));
    if (count !== "0") await terminal.type(`\x15${count}\x06`);
    await until(`column ${column}`, inSelected(`(= (point) ${there})`));
  };
  const open = async (path: string, line: string, column: string) => {
    await terminal.type("\x07"); // C-g
    await lisp(`(find-file ${quote(path)})`);
    await goTo(line, column);
  };
  const enter = async (path: string) => {
    await lisp(`(with-current-buffer ${proposed(path)} (ide-companion--enter ide-companion--proposal))`);
    await until(`window of ${path}`, `(eq ${proposed(path)} (window-buffer (selected-window)))`);
  };
  const keys = async (path: string, typed: string) => {
    await enter(path);
    await terminal.type(typed);
  };
  return {
    open,
    async select(path, line, column, toLine, toColumn) {
      await open(path, line, column);
      await terminal.press("C-Space");
      await until("mark", inSelected("mark-active"));
      await goTo(toLine, toColumn);
    },
    sweep: sweepBy(open, () => terminal.press("Down")),
    async close(path) {
      if ((await lisp(proposed(path))) !== "nil") await enter(path);
      else await lisp(`(switch-to-buffer (get-file-buffer ${quote(path)}))`);
      await terminal.type("\x18k\r"); // C-x k
    },
    accept: (path) => keys(path, "\x03\x03"), // C-c C-c
    reject: (path) => keys(path, "\x03\x0b"), // C-c C-k
    async edit(path, text) {
      await keys(path, "\x18h\x17"); // C-x h, C-w
      await terminal.type(text.replaceAll("\n", "\r"));
      await until(`edit of ${path}`, inSelected(`(equal ${quote(text)} (buffer-string))`));
    },
    shows: async (path) => ((await lisp(proposed(path))) === "nil" ? "no" : "yes"),
    /** A folder is open while a file of a project in it is. */
    async folder(path) {
      await makeProject(path);
      await lisp(`(find-file ${quote(`${path}/note.txt`)})`);
    },
    mention: (path, first, last) =>
      lisp(`(with-current-buffer (find-file-noselect ${quote(path)}) (ide-companion-send ${first} ${last}))`),
    environment: async () => (await lisp(`(shell-command-to-string "env")`)).replaceAll("\\n", "\n"),
  };
}
