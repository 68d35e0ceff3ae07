import { expect } from "vitest";
import type { EditorKind } from "./editor.ts";
import { startFakeCli } from "./fake-cli.ts";
import type { ViEditor } from "./recovered-edits.ts";
import { scenario } from "./scenario.ts";
import { type Terminal, typeLine } from "./terminal.ts";

/** The scenario in which a user of an editor with `:IdeCompanion` says why a change is rejected. */
export function writtenComments({ name, needs, start }: EditorKind<ViEditor>): void {
  scenario(
    `comments that are written in ${name} by keys reach an agent with the rejection`,
    async (sandbox) => {
      const path = await sandbox.write("note.txt", "first\nsecond\nthird\n");
      const { terminal, ...editor } = await start(sandbox, [path]);
      const cli = await startFakeCli(sandbox);
      const outcome = cli.propose(path, "first\n2nd\nthird\n");
      await editor.proposal("note.txt");
      await writeComment(terminal, "2G\\c", "Comment on line 2:", "why a number?");
      await writeComment(terminal, "2GVj\\c", "Comment on lines 2-3:", "both, please");
      await terminal.waitFor("2 comments");
      await terminal.type("\\R");
      const place = { side: "proposed", startLine: 2 } as const;
      expect(await outcome).toMatchObject({
        kind: "rejected",
        comments: [
          { ...place, endLine: 2, quote: "2nd", text: "why a number?" },
          { ...place, endLine: 3, quote: "2nd\nthird", text: "both, please" },
        ],
      });
      await editor.nothingWaits();
    },
    { needs },
  );
}

/** @param question what the editor asks after the keys */
export async function writeComment(
  terminal: Terminal,
  keys: string,
  question: string,
  comment: string,
): Promise<void> {
  await terminal.type(keys);
  await terminal.waitFor(question);
  await typeLine(terminal, comment);
}
