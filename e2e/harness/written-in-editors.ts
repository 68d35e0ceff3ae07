import { expect } from "vitest";
import { eventually } from "../../packages/testkit/src/eventually.ts";
import { everyEditor } from "./agent-in-editors.ts";
import { awaitedLater } from "./awaited-later.ts";
import { callCommand } from "./installation.ts";
import { scenario } from "./scenario.ts";
import { setUpUnasking, type Writer } from "./unasking.ts";

/** Tries in each of these editors what its user does with a change and a file that a CLI writes without asking. */
export function writtenInEditors(agent: Writer, editors = everyEditor): void {
  for (const { name, needs, start, ...time } of editors)
    scenario(
      `what ${agent.displayName} writes without asking is kept in ${name}, and reverted there with an unsaved edit elsewhere`,
      async (sandbox) => {
        const path = await sandbox.write("note.txt", "alpha\ngamma\nbeta\n");
        const fresh = sandbox.path("new.txt");
        const editor = await start(sandbox, [path]);
        const { prompt } = await setUpUnasking(sandbox, agent);
        const said = awaitedLater(editor.says(`${agent.displayName} changed 2 files: +2 −1`));
        await prompt("Change two files", ...agent.calls(path, fresh), { text: "Both are done." });
        await said;
        await editor.readAgain?.();
        await editor.shows("BETA");
        const left = async () => JSON.parse(await callCommand(sandbox, "changes", "--json")).turns;
        await editor.open(fresh);
        await editor.decideWritten("Keep", "new");
        await eventually(async () => expect(await left()).toMatchObject([{ changes: [{ path }] }]));
        await editor.open(path);
        await editor.typeUnsaved(" and mine");
        await editor.decideWritten("Revert", "BETA");
        await editor.shows("beta");
        await editor.saveAll();
        await eventually(async () =>
          expect(String(await sandbox.read("note.txt"))).toBe("alpha and mine\ngamma\nbeta\n"),
        );
        await eventually(async () => expect(await left()).toEqual([]));
        expect(String(await sandbox.read("new.txt"))).toBe("new\n");
      },
      { ...time, needs },
    );
}
