import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { killTree } from "../../packages/testkit/src/process-tree.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { companionOfEditor } from "./discovery-files.ts";
import { type Editor, type EditorKind, pathWithCommand } from "./editor.ts";
import { helix as installed } from "./installed.ts";
import { codeOn } from "./page.ts";
import { startTerminal, type Terminal, typeLine } from "./terminal.ts";

/** Helix, which has no plugins: our command is one of its language servers. */
export const helix: EditorKind = {
  name: "Helix",
  needs: { Helix: installed.program },
  start: startHelix,
};

async function startHelix(sandbox: Sandbox, files: readonly string[]): Promise<Editor> {
  const terminal = await openHelix(sandbox, files);
  await companionOfEditor(sandbox, terminal.pid);
  return { ...createActions(terminal), terminal, kill: () => killTree(terminal.pid) };
}

/** How to start one. @param languages TOML, added to those of the documentation */
export async function helixCommand(sandbox: Sandbox, files: readonly string[], languages = "") {
  const folder = join(sandbox.home, ".config", "helix");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "languages.toml"), `${codeOn("helix.md", "toml")}\n${languages}`);
  const env = { PATH: await pathWithCommand(sandbox), HELIX_RUNTIME: installed.runtime };
  return { command: [installed.program, ...files], env };
}

/** Starts one in a terminal; its companion starts with the first file. @param languages as of `helixCommand` */
export async function openHelix(
  sandbox: Sandbox,
  files: readonly string[],
  languages = "",
): Promise<Terminal> {
  const log = join(sandbox.home, ".cache", "helix", "helix.log");
  const describe = async () => `--- Helix's log\n${await readFile(log, "utf8").catch(() => "")}`;
  sandbox.own({ describe, close: async () => {} });
  return startTerminal(sandbox, {
    ...(await helixCommand(sandbox, files, languages)),
    // Two proposals next to a file: the status line of each has room for its path.
    columns: 220,
  });
}

/**
 * The document that has the focus, by its name in the status line, which cuts what is long. Paths outside of the
 * workspace, as those of proposals, are absolute there.
 */
const inFront = (folder: string, name: string) =>
  new RegExp(` NOR +${folder}${name.slice(0, 4).replace(/[^\w ]/g, "\\$&")}`);

/** What its user does with keys. */
export function createHelixKeys(terminal: Terminal) {
  const command = (text: string) => typeLine(terminal, `:${text}`);
  /** From any other mode; an escape that is not awaited makes one key with the next one. */
  const normalMode = async () => {
    if ((await terminal.screen()).includes(" NOR ")) return;
    await terminal.press("Escape");
    await terminal.waitFor(" NOR ");
  };
  /** A busy Helix still shows the mode before: what is typed then would be commands. @param keys that lead there */
  const insertMode = async (keys: string) => {
    await terminal.type(keys);
    await terminal.waitFor(" INS ");
  };
  return {
    command,
    normalMode,
    insertMode,
    /** Types text in insert mode. @param keys that lead there */
    async insert(keys: string, text: string) {
      await insertMode(keys);
      await terminal.type(text.replaceAll("\n", "\r"));
      await normalMode();
    },
    openFile: (path: string) => command(`open ${path.replace(/[\\\s"']/g, "\\$&")}`),
    /** Takes an entry of the menu of actions. @param above entries before it */
    async act(title: string, above = 0) {
      await terminal.type(" a");
      await terminal.waitFor(title);
      for (let entry = 0; entry < above; entry++) await terminal.press("Down");
      await terminal.press("Enter");
      await terminal.waitForNo(title);
    },
  };
}

function createActions(terminal: Terminal): Omit<Editor, "terminal" | "kill"> {
  const { command, insert, openFile, act } = createHelixKeys(terminal);
  /** Decided, its document is the user's to close. */
  const closeProposal = async () => {
    await terminal.waitFor(":bc! closes the proposal");
    await command("buffer-close!");
    await terminal.press("C-w");
    await terminal.type("o");
  };
  return {
    async open(path) {
      await openFile(path);
      // A proposal that came before would be hidden by it.
      await terminal.waitFor(inFront("", basename(path)));
    },
    close: () => command("buffer-close"),
    async select(text) {
      await typeLine(terminal, `gg/${text}`);
      await act("Share selection");
      // Claude Code's prompt receives a reference as well.
      await terminal.waitFor(/shared|has a reference to/i);
    },
    async typeUnsaved(text) {
      await insert("ggA", text);
    },
    readAgain: () => command("reload"),
    async decideWritten(decision, text) {
      await typeLine(terminal, `gg/${text}`);
      await terminal.waitFor(new RegExp(`^●.* ${text}`, "m"));
      await act(`${decision} this change`, decision === "Keep" ? 0 : 1);
    },
    saveAll: () => command("write-all"),
    shows: async (text) => void (await terminal.waitFor(text)),
    says: async (text) => void (await terminal.waitFor(text)),
    async proposal(name) {
      await terminal.waitFor(inFront("/[^│]*/", name));
      return {
        async replace(before, after) {
          await terminal.type("%s");
          await terminal.waitFor("select:");
          await typeLine(terminal, before);
          await insert("c", after);
        },
        async accept() {
          await act("Accept the change");
          await closeProposal();
        },
        async reject() {
          await command("buffer-close!");
        },
      };
    },
    async nothingWaits() {
      await poll("nothing to decide", async () => {
        await command("lsp-workspace-command ide-companion.status");
        return terminal.waitFor("Waiting for you: 0", 1000).catch(() => undefined); // not yet
      });
    },
  };
}
