import { readFile } from "node:fs/promises";
import { connectCompanion } from "ide-companion/client";
import { expect } from "vitest";
import { chain } from "./chain.ts";
import { discoveryFiles } from "./discovery-files.ts";
import type { Editor, EditorKind } from "./editor.ts";
import type { World } from "./world.ts";

/** An editor whose plugin shows files and tells diagnostics when an agent asks. */
export interface GuidingEditor extends Editor {
  /** File name, line and column of the cursor, the column in bytes: `note.txt:2:5`. */
  place(): Promise<string>;
  /** Lets a linter of the editor's find an error in a file. @param line 1-based */
  findError(path: string, line: number, message: string): Promise<unknown>;
}

/** The chain in which an agent shows its user a place, and asks what is wrong there. */
export function guidedUser(
  { name, needs }: Pick<EditorKind, "name" | "needs">,
  start: (world: World, files: readonly string[]) => Promise<GuidingEditor>,
): void {
  chain(
    `an agent shows a place in ${name}, and is told what has been found there`,
    async (world) => {
      const [open, shown] = [
        await world.write("open.txt", "1\n"),
        await world.write("a b #%.txt", "1\né 2\n"),
      ];
      const editor = await start(world, [open]);
      const agent = await connectAgent(world);
      await agent.openFile({ filePath: shown, line: 2, character: 3 });
      expect(await editor.place()).toBe("a b #%.txt:2:4");

      await editor.findError(shown, 2, "not a number");
      const { diagnostics } = await agent.getDiagnostics({ filePath: shown });
      expect(diagnostics).toMatchObject([
        { filePath: shown, line: 2, severity: "error", message: "not a number" },
      ]);
      expect(await agent.getDiagnostics({ filePath: open })).toMatchObject({ diagnostics: [] });
      await agent.close();
    },
    { needs },
  );
}

async function connectAgent(world: World) {
  const file = (await discoveryFiles(world)).find((path) => path.includes("gemini")) ?? "";
  const { port, authToken } = JSON.parse(await readFile(file, "utf8"));
  return connectCompanion({ port, token: authToken });
}
