import { expect } from "vitest";
import { startAgent } from "./agent-cli.ts";
import { gemini } from "./gemini.ts";
import type { EditorWithTerminals } from "./own-terminals.ts";
import { pathTo } from "./path-to.ts";
import { type ScenarioOptions, scenario } from "./scenario.ts";

/** The scenario in which one editor runs twice in one folder, each with Gemini CLI in its own terminal. */
export function twoInstances(
  { name, needs, start }: EditorWithTerminals,
  { matrix = false }: Pick<ScenarioOptions, "matrix"> = {},
): void {
  scenario(
    `of two ${name} in one folder each has the diffs of the CLI in its own terminal`,
    async (sandbox) => {
      await pathTo(sandbox, gemini);
      const file = await sandbox.write("open.txt", "open\n");
      const startOne = async () => {
        const one = await start(sandbox, file, "gemini", (options) => startAgent(sandbox, gemini, options));
        await one.cli.connected();
        return one;
      };
      const first = await startOne();
      const second = await startOne();
      // Before the CLI asks anything: Term of Emacs draws what comes after that wrongly.
      await first.send();
      await first.cli.terminal.waitFor("@open.txt (line 1)");
      expect(await second.cli.terminal.screen()).not.toContain("@open.txt");
      await first.cli.terminal.press("C-u");
      await second.cli.proposeWrite(sandbox.path("second.txt"), "of the second\n");
      await first.cli.proposeWrite(sandbox.path("first.txt"), "of the first\n");
      expect(await first.waiting()).toBe(sandbox.path("first.txt"));
      expect(await second.waiting()).toBe(sandbox.path("second.txt"));
      await second.accept();
      await second.cli.finished();
      await first.reject();
      await first.cli.terminal.waitFor(gemini.rejected);
      expect(String(await sandbox.read("second.txt"))).toBe("of the second\n");
      expect(await sandbox.read("first.txt")).toBeUndefined();
    },
    { needs, matrix },
  );
}
