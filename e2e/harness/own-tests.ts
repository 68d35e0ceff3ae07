import { execFile } from "node:child_process";
import { join } from "node:path";
import { expect } from "vitest";
import { killTree } from "../../packages/testkit/src/process-tree.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { plugins } from "./installed.ts";
import { scenario } from "./scenario.ts";

/** @param program a Neovim, called `name` */
export function neovimOwnTests(name: string, program: string): void {
  scenario(
    `the Neovim plugin's own tests pass, in ${name}`,
    async (sandbox) => {
      const tests = join(plugins, "neovim", "tests", "run.lua");
      const { stdout } = await runAlone(sandbox, program, ["--clean", "-l", tests]);
      expect(stdout).not.toContain("not ok");
      expect(stdout).toMatch(/[1-9]\d* passed, 0 failed/);
    },
    { needs: { [name]: program }, within: ownTestsTime },
  );
}

/** How long an editor's own tests may take on a busy machine, in milliseconds. */
export const ownTestsTime = 600_000;

/**
 * Runs a program that needs nobody, to its end, which comes with the sandbox's at the latest.
 * @returns what it has printed, however it has ended
 */
export function runAlone(
  sandbox: Sandbox,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const options = { env: { ...sandbox.env, ...env } };
    const child = execFile(program, args, options, (_, stdout, stderr) => resolve({ stdout, stderr }));
    // An editor whose script has failed waits for commands.
    child.stdin?.end();
    const { pid } = child;
    if (pid !== undefined) sandbox.own({ close: () => killTree(pid) });
  });
}
