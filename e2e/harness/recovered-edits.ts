import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import type { Editor, EditorKind } from "./editor.ts";
import { startFakeCli } from "./fake-cli.ts";
import type { ProposerKind } from "./proposer.ts";
import { scenario } from "./scenario.ts";
import { type Terminal, typeLine } from "./terminal.ts";

/** An editor with `:IdeCompanion`. */
export interface ViEditor extends Editor {
  readonly terminal: Terminal;
}

/** The scenario in which an editor is killed over a proposal into which its user has typed. */
export function recoveredEdits(
  { name, needs, start }: EditorKind<ViEditor>,
  { agent, matrix, start: startProposer }: ProposerKind,
): void {
  scenario(
    `the text typed into a proposal of ${agent} in a ${name} that was killed is offered by the next, and restored`,
    async (sandbox) => {
      const filePath = await sandbox.write("note.txt", "first\nsecond\n");
      const killed = await start(sandbox, [filePath]);
      const cli = await startProposer(sandbox);
      await cli.proposeReplace(filePath, "second", "2nd");
      await (await killed.proposal("note.txt")).replace("2nd", "zwei");
      await onDisk(sandbox, { folder: "edits", text: "zwei" }, killed.terminal);
      await killed.kill();
      // It would propose the file again, and the editor say that over the offer.
      await cli.leave();

      const { terminal } = await start(sandbox, [filePath]);
      await terminal.waitFor("Your text is not in note.txt: ");
      await typeLine(terminal, ":IdeCompanion edits");
      await terminal.waitFor("r restores");
      await terminal.type("r");
      await terminal.waitFor("saves your text");
      await typeLine(terminal, ":w");
      const holdsText = async () => String(await sandbox.read("note.txt")) === "first\nzwei\n";
      await poll("the text in its file", holdsText, { describe: terminal.screen });
    },
    { needs, matrix },
  );
}

/** The scenario in which an editor and its companion are killed right after the last key. */
export function typedThenKilled({ name, needs, start, ...time }: EditorKind): void {
  scenario(
    `what is typed in a proposal in ${name} is on disk 300 ms later, whatever is killed then`,
    async (sandbox) => {
      const path = await sandbox.write("note.txt", "first\nsecond\n");
      const editor: Editor = await start(sandbox, [path]);
      const cli = await startFakeCli(sandbox);
      await cli.proposeReplace(path, "second", "2nd");
      await (await editor.proposal("note.txt")).replace("2nd", "zwei");
      await delay(300);
      await editor.kill();
      expect(await textsIn(sandbox, "edits")).toContainEqual(expect.stringContaining("zwei"));
    },
    { needs, ...time },
  );
}

/** Waits until what the user has written is in a file of the companion, and not only in one that is being written. */
export async function onDisk(
  sandbox: Sandbox,
  { folder, text }: { readonly folder: StateFolder; readonly text: string },
  terminal: Terminal,
): Promise<void> {
  const look = async () => (await textsIn(sandbox, folder)).some((held) => held.includes(text));
  await poll(`${text} on disk`, look, { describe: terminal.screen });
}

type StateFolder = "edits" | "comments";

/** What the files of the companion hold that it writes whole. */
export async function textsIn(sandbox: Sandbox, name: StateFolder): Promise<readonly string[]> {
  const folder = join(sandbox.home, ".local/state/ide-companion", name);
  const files = (await readdir(folder).catch(() => [])).filter((file) => !file.startsWith("."));
  return Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
}
