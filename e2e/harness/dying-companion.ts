import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import { chain } from "./chain.ts";
import { poll } from "./deadline.ts";
import { discoveryFiles } from "./discovery-files.ts";
import type { Editor, EditorKind } from "./editor.ts";
import { companionScript } from "./installed.ts";
import { startMcpClient } from "./mcp-client.ts";
import { ended, processTree } from "./process-tree.ts";
import type { Terminal } from "./terminal.ts";
import type { World } from "./world.ts";

/** An editor whose plugin starts the companion, and starts it again. */
export interface EditorWithPlugin extends Editor {
  readonly terminal: Terminal;
  /** Of the companion that runs; 0 when none does. */
  port(): Promise<number>;
  /** Lines of the proposal for a file of this name, edits included, or of the buffer in which they are kept. */
  textOf(which: "proposed" | "kept", name: string): Promise<string>;
  /** Ends it as its user does. */
  quit(): Promise<void>;
}

/** The chain in which the companion is killed, and the editor then ends. What CLIs do then is in `crash.e2e.test.ts`. */
export function dyingCompanion(
  { name, needs }: Pick<EditorKind, "name" | "needs">,
  start: (world: World, files: readonly string[]) => Promise<EditorWithPlugin>,
): void {
  chain(
    `a companion that dies under ${name} starts again, and typed text stays; ${name} leaves nothing when it ends`,
    async (world) => {
      const filePath = await world.write("note.txt", "first\nsecond\n");
      const editor = await start(world, [filePath]);
      const agent = await startMcpClient(world);
      const lost = expect(agent.call("openDiff", { filePath, newContent: "first\n2nd\n" })).rejects.toThrow();
      const proposal = await editor.proposal("note.txt");
      await proposal.replace("2nd", "zwei");
      await showsEdits(editor, "proposed");
      await killCompanion(editor);
      await lost;
      await editor.terminal.waitFor("nobody waits for this any more");
      await proposal.reject();
      await showsEdits(editor, "kept");

      const next = await startMcpClient(world);
      const decided = next.call("openDiff", { filePath, newContent: "1st\n", write: true });
      await (await editor.proposal("note.txt")).accept();
      expect(await decided).toMatchObject({ outcome: "accepted" });
      expect(String(await world.read("note.txt"))).toBe("1st\n");
      await editor.nothingWaits();

      const pids = await processTree(editor.terminal.pid);
      await editor.quit();
      expect(await editor.terminal.exited()).toBe(0);
      await ended(pids);
      expect(await discoveryFiles(world)).toEqual([]);
    },
    { needs },
  );
}

async function showsEdits(editor: EditorWithPlugin, which: "proposed" | "kept"): Promise<void> {
  const look = async () => ((await editor.textOf(which, "note.txt")) === "first\nzwei" ? true : undefined);
  await poll(`edits in what is ${which}`, look, { describe: editor.terminal.screen });
}

/** As a crash would; returns when the next one runs. */
async function killCompanion(editor: EditorWithPlugin): Promise<void> {
  const port = await editor.port();
  const pid = await companionOf(editor.terminal.pid);
  process.kill(pid, "SIGKILL");
  await ended([pid]);
  const look = async () => {
    const now = await editor.port();
    return now > 0 && now !== port ? true : undefined;
  };
  await poll("another companion", look, { describe: editor.terminal.screen });
}

/** Process id of the companion that an editor has started. */
async function companionOf(editor: number): Promise<number> {
  for (const pid of await processTree(editor)) {
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8");
    if (command.includes(companionScript)) return pid;
  }
  throw new Error(`process ${editor} has started no companion`);
}
