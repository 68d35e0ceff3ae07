import { expect } from "vitest";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import type { AgentCli } from "./agent-cli.ts";
import type { EditorKind } from "./editor.ts";
import { gemini } from "./gemini.ts";
import { pathTo } from "./path-to.ts";
import { type ScenarioOptions, scenario } from "./scenario.ts";

/** An editor in whose own terminal a CLI was started by the editor's command. */
export interface EditorWithCli {
  readonly cli: AgentCli;
  /** Accepts the proposal that waits. */
  accept(): Promise<unknown>;
  /** Rejects the proposal that waits. */
  reject(): Promise<unknown>;
  /** Sends the first line of the file to the agent's prompt. */
  send(): Promise<unknown>;
  /** Paths of the files for which proposals wait, with spaces between. */
  waiting(): Promise<string>;
}

/**
 * The scenario in which one editor runs twice in one folder.
 * @param start one that looks at a file, with Gemini CLI over the whole of its screen
 */
export function twoInstances(
  { name, needs }: Pick<EditorKind, "name" | "needs">,
  start: (sandbox: Sandbox, file: string) => Promise<EditorWithCli>,
  { matrix = false }: Pick<ScenarioOptions, "matrix"> = {},
): void {
  scenario(
    `of two ${name} in one folder each has the diffs of the CLI in its own terminal`,
    async (sandbox) => {
      await pathTo(sandbox, gemini);
      const file = await sandbox.write("open.txt", "open\n");
      const first = await start(sandbox, file);
      const second = await start(sandbox, file);
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
      await first.send();
      await first.cli.terminal.waitFor("@open.txt (line 1)");
      expect(await second.cli.terminal.screen()).not.toContain("@open.txt");
    },
    { needs, matrix },
  );
}
