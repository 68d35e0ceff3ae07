import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { expect } from "vitest";
import { closeServer } from "../../packages/testkit/src/listen.ts";
import { ended, processTree } from "../../packages/testkit/src/process-tree.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { startConnected } from "./agent-cli.ts";
import { discoveryFiles } from "./discovery-files.ts";
import type { Editor, EditorKind } from "./editor.ts";
import { companionScript } from "./installed.ts";
import { qwen } from "./qwen.ts";
import { type ScenarioOptions, scenario } from "./scenario.ts";
import type { Terminal } from "./terminal.ts";

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

/**
 * The scenario in which the companion is killed under a proposal of Qwen Code, and the editor then ends. Gemini CLI takes no
 * answer in its terminal after that.
 */
export function dyingCompanion(
  { name, needs }: Pick<EditorKind, "name" | "needs">,
  start: (sandbox: Sandbox, files: readonly string[]) => Promise<EditorWithPlugin>,
  { matrix = false }: Pick<ScenarioOptions, "matrix"> = {},
): void {
  scenario(
    `a companion that dies under ${name} starts again, the CLI comes back, and typed text stays; ${name} leaves nothing when it ends`,
    async (sandbox) => {
      const filePath = await sandbox.write("note.txt", "first\nsecond\n");
      const editor = await start(sandbox, [filePath]);
      const cli = await startConnected(sandbox, qwen);
      await cli.proposeReplace(filePath, "second", "2nd");
      const proposal = await editor.proposal("note.txt");
      await proposal.replace("2nd", "zwei");
      await showsEdits(editor, "proposed");
      await killCompanion(sandbox, editor);
      await showsEdits(editor, "kept");

      await cli.cancelInTerminal();
      await cli.disconnected();
      await cli.say("/ide enable");
      await cli.connected();
      await cli.proposeReplace(filePath, "first", "1st");
      await (await editor.proposal("note.txt")).accept();
      await cli.finished();
      expect(String(await sandbox.read("note.txt"))).toBe("1st\nsecond\n");
      await editor.nothingWaits();

      const pids = await processTree(editor.terminal.pid);
      await editor.quit().catch(() => {}); // it may be gone before it has answered
      expect(await editor.terminal.exited()).toBe(0);
      await ended(pids);
      expect(await discoveryFiles(sandbox)).toEqual([]);
    },
    { needs, matrix },
  );
}

async function showsEdits(editor: EditorWithPlugin, which: "proposed" | "kept"): Promise<void> {
  const look = async () => (await editor.textOf(which, "note.txt")) === "first\nzwei";
  await poll(`edits in what is ${which}`, look, { describe: editor.terminal.screen });
}

/** As a crash would; returns when the CLI has given it up, and the next one runs. */
async function killCompanion(sandbox: Sandbox, editor: EditorWithPlugin): Promise<void> {
  const port = await editor.port();
  const pid = await companionOf(editor.terminal.pid);
  process.kill(pid, "SIGKILL");
  await ended([pid]);
  await givenUp(sandbox, port);
  const look = async () => {
    const now = await editor.port();
    return now > 0 && now !== port;
  };
  await poll("another companion", look, { describe: editor.terminal.screen });
}

/** Process id of the companion that an editor has started. */
export async function companionOf(editor: number): Promise<number> {
  for (const pid of await processTree(editor)) {
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8");
    if (command.includes(companionScript)) return pid;
  }
  throw new Error(`process ${editor} has started no companion`);
}

/** How often a CLI tries to open its stream again before it gives up; silently, between 1 and 3 seconds. */
const retries = 2;

/**
 * Waits until a CLI has given up a port on which its companion has died: each of its attempts undoes an
 * `/ide enable` before it.
 */
export async function givenUp(sandbox: Sandbox, port: number): Promise<void> {
  let attempts = 0;
  const server = createServer((socket) => {
    attempts += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  sandbox.own({ close: () => closeServer(server) });
  await poll("last attempt of the CLI", () => attempts >= retries);
}
