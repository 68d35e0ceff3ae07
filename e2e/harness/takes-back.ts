import { expect } from "vitest";
import { callCommand } from "./installation.ts";
import { scenario } from "./scenario.ts";
import { setUpUnasking, type Writer } from "./unasking.ts";

/** What a CLI writes without asking is reverted, and its model reads that. */
export function takesBack(agent: Writer): void {
  scenario(
    `what ${agent.displayName} writes without asking is reverted: a change and a new file`,
    async (sandbox) => {
      const path = await sandbox.write("a.txt", "alpha\r\nbeta\r\n");
      const { prompt, goOn } = await setUpUnasking(sandbox, agent);
      const calls = agent.calls(path, sandbox.path("new.txt"));
      await prompt("Change two files", ...calls, { text: "Both are done." });
      expect(String(await sandbox.read("a.txt"))).toBe("alpha\r\nBETA\r\n");
      const { turns } = JSON.parse(await callCommand(sandbox, "changes", "--json"));
      // opencode puts a prompt of its command line into quotation marks.
      const title = expect.stringContaining("Change two files");
      expect(turns).toMatchObject([
        { title, changes: [{ kind: "modified", added: 1, removed: 1 }, { kind: "added" }] },
      ]);
      await callCommand(sandbox, "changes", "revert", "--yes", "--comment", "Neither of them");
      expect(String(await sandbox.read("a.txt"))).toBe("alpha\r\nbeta\r\n");
      expect(await sandbox.read("new.txt")).toBeUndefined();
      const heard = await goOn("Write the new one again", ...calls.slice(-1), { text: "It is done." });
      expect(heard).toContain("The user's comment: Neither of them");
    },
  );
}
