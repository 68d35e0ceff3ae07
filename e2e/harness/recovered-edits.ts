import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { startAgent } from "./agent-cli.ts";
import { chain } from "./chain.ts";
import { poll } from "./deadline.ts";
import type { Editor, EditorKind } from "./editor.ts";
import { gemini } from "./gemini.ts";
import type { Terminal } from "./terminal.ts";
import type { World } from "./world.ts";

/** An editor with `:IdeCompanion`. */
export interface ViEditor extends Editor {
  readonly terminal: Terminal;
}

/** The chain in which an editor is killed over a proposal into which its user has typed. */
export function recoveredEdits(
  { name, needs }: Pick<EditorKind, "name" | "needs">,
  start: (world: World, files: readonly string[]) => Promise<ViEditor>,
): void {
  chain(
    `the text typed into a proposal of a ${name} that was killed is offered by the next, and restored`,
    async (world) => {
      const filePath = await world.write("note.txt", "first\nsecond\n");
      const killed = await start(world, [filePath]);
      const cli = await startAgent(world, gemini);
      await cli.connected();
      await cli.proposeReplace(filePath, "second", "2nd");
      await (await killed.proposal("note.txt")).replace("2nd", "zwei");
      await draftWritten(world, killed.terminal);
      await killed.kill();

      const { terminal } = await start(world, [filePath]);
      await terminal.waitFor(":IdeCompanion edits   Your text is not in note.txt");
      await terminal.type(":IdeCompanion edits");
      await terminal.press("Enter");
      await terminal.waitFor("r restores");
      await terminal.type("r");
      await terminal.waitFor("saves your text");
      await terminal.type(":w");
      await terminal.press("Enter");
      const holdsText = async () =>
        String(await world.read("note.txt")) === "first\nzwei\n" ? true : undefined;
      await poll("the text in its file", holdsText, { describe: terminal.screen });
    },
    { needs },
  );
}

async function draftWritten(world: World, terminal: Terminal): Promise<void> {
  const folder = join(world.home, ".local/state/ide-companion/edits");
  const look = async () => {
    for (const file of await readdir(folder).catch(() => [])) {
      if ((await readFile(join(folder, file), "utf8")).includes("zwei")) return true;
    }
    return undefined;
  };
  await poll("a draft on disk", look, { describe: terminal.screen });
}
