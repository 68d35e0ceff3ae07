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
      expectAllPassed(stdout);
    },
    { needs: { [name]: program }, within: ownTestsTime },
  );
}

/** @throws Error that begins with a test of a report that has failed, and why; the others follow */
export function expectAllPassed(report: string): void {
  const failures = report.split(/^(?=(?:not )?ok - )/m).filter((part) => part.startsWith("not ok"));
  // The report of a whole run has the first line alone.
  if (failures.length > 0) throw new Error(failures.join("").trim().replace("\n", ": "));
  expect(report).toMatch(/[1-9]\d* passed, 0 failed/);
}

/** How long an editor's own tests may take on a busy machine, in milliseconds. */
export const ownTestsTime = 300_000;

export interface RunAloneOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** How far it has come, shown when it does not end in time; by default what it has printed. */
  readonly progress?: () => string | Promise<string>;
}

/**
 * Runs a program that needs nobody, to its end, which comes with the sandbox's at the latest.
 * @returns what it has printed, however it has ended
 */
export function runAlone(
  sandbox: Sandbox,
  program: string,
  args: readonly string[],
  { env = {}, progress }: RunAloneOptions = {},
): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const options = { env: { ...sandbox.env, ...env } };
    const child = execFile(program, args, options, (_, stdout, stderr) => resolve({ stdout, stderr }));
    // An editor whose script has failed waits for commands.
    child.stdin?.end();
    let printed = "";
    child.stdout?.on("data", (text) => {
      printed += text;
    });
    const describe = async () => `${program}:\n${(await (progress?.() ?? printed)).slice(-1000)}`;
    const { pid } = child;
    if (pid !== undefined) sandbox.own({ close: () => killTree(pid), describe });
  });
}
