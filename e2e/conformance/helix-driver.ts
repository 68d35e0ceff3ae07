import { mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { createHelixKeys, openHelix } from "../harness/helix.ts";
import type { Terminal } from "../harness/terminal.ts";
import { makeProject, moveDown, shellEnvironment, stepsTo } from "./driver-steps.ts";
import { type Drivers, endsBySignal, type KitEditor } from "./kit-editor.ts";

/** Helix by its own LSP client, in a terminal, driven by its keys. It starts a language server with the first file. */
export async function startHelix(sandbox: Sandbox): Promise<KitEditor> {
  const first = join(sandbox.workspace, "open.txt");
  await writeFile(first, "open\n");
  await makeProject(sandbox.workspace);
  const config = join(sandbox.home, ".config", "helix");
  await mkdir(config, { recursive: true });
  await writeFile(join(config, "config.toml"), statusLine);
  const terminal = await openHelix(sandbox, [first], json);
  return { drivers: createDrivers(sandbox, terminal), end: endsBySignal(terminal.pid) };
}

/** Short enough to be read, with the mode in it, next to the window of a proposal. */
const statusLine = `[editor.statusline]\nleft = ["mode", "file-base-name"]\n`;

/** A language of a file that the kit opens. */
const json = `[[language]]\nname = "json"\nlanguage-servers = ["ide-companion"]\n`;

function createDrivers(sandbox: Sandbox, terminal: Terminal): Drivers {
  const { command, normalMode, insertMode, insert, openFile, act } = createHelixKeys(terminal);
  /** Each proposal came with a separate window. No driver leaves Helix in its insert mode. */
  const oneWindow = async () => {
    await terminal.type("\x17o"); // C-w o
    await normalMode();
  };
  const goTo = async (path: string, line: string, column: string) => {
    const steps = await stepsTo(path, Number(line), Number(column));
    await terminal.type(`${line}gggh${steps === 0 ? "" : `${steps}l`}`);
  };
  /** Helix tells of a place when its user asks what can be done there. */
  const ask = async () => {
    await terminal.type(" a");
    await terminal.waitFor("Share selection");
    await terminal.press("Escape");
    await terminal.waitForNo("Share selection");
  };
  const open = async (path: string) => {
    await oneWindow();
    await openFile(path);
    await terminal.waitFor(statusOf(path));
  };
  /** By the path of what they propose; a document that is decided is on no disk any more. */
  const documents = new Map<string, string>();
  const documentOf = async (path: string) => {
    const document = (await findDocument(sandbox, path)) ?? documents.get(path);
    if (document !== undefined) documents.set(path, document);
    return document;
  };
  const enter = async (path: string) => {
    const document = await documentOf(path);
    if (document === undefined) throw new Error(`no change of ${path} is proposed`);
    await open(document);
  };
  return {
    async open(path, line, column) {
      await open(path);
      await goTo(path, line, column);
      await ask();
    },
    async select(path, line, column, toLine, toColumn) {
      await open(path);
      await goTo(path, line, column);
      await terminal.type("v");
      await terminal.waitFor("SEL");
      // The character under the cursor is part of the selection.
      await goTo(path, toLine, String(Number(toColumn) - 1));
      await ask();
    },
    /** It tells where its user types, and of no other movement. */
    async sweep(path, first, last) {
      await open(path);
      await goTo(path, first, "1");
      await insertMode("i");
      await moveDown(first, last, async () => {
        await terminal.press("Down");
        await terminal.type("x");
      });
      await normalMode();
    },
    async close(path) {
      await open((await findDocument(sandbox, path)) ?? path);
      await command("buffer-close!");
    },
    /** By the first of the actions in a proposal. */
    async accept(path) {
      await enter(path);
      await act("Accept the change");
    },
    async reject(path) {
      await enter(path);
      await command("lsp-workspace-command ide-companion.reject");
    },
    async edit(path, text) {
      await enter(path);
      await insert("%di", text);
    },
    /** Nobody but its user closes a document of Helix: what is decided has no marks any more. */
    shows: async (path) => {
      const document = await documentOf(path);
      if (document === undefined) return "no";
      // Other proposals may come meanwhile, with separate windows: then its user looks again.
      const look = async () => {
        await oneWindow();
        await openFile(document);
        return terminal.waitFor(statusOf(document), 1000).catch(() => undefined);
      };
      const screen = await poll(`${document} on the screen`, look, { describe: terminal.screen });
      return screen.includes("●") ? "yes" : "no";
    },
    /** By the action that shares what is selected. */
    async mention(path, first, last) {
      await open(path);
      await goTo(path, first, "1");
      await terminal.type("x".repeat(Number(last) - Number(first) + 1));
      await act("Share selection");
    },
    environment: () => shellEnvironment(sandbox),
  };
}

/** What the line below a document says that is open in normal mode, and looked at. */
const statusOf = (path: string) => new RegExp(`NOR .*${basename(path)}`);

/** The document in which a change of this file is proposed; it is on disk as long as that waits. */
async function findDocument(sandbox: Sandbox, path: string): Promise<string | undefined> {
  // A folder that goes away meanwhile is an error of the whole.
  const look = () => readdir(sandbox.tmp, { recursive: true }).catch(() => undefined);
  const names = await poll(`documents in ${sandbox.tmp}`, look);
  const found = names.find((name) => /\.ide-proposal-/.test(name) && basename(name) === basename(path));
  return found && join(sandbox.tmp, found);
}
