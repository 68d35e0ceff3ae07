import { execFile } from "node:child_process";
import { killTree } from "./process-tree.ts";
import type { World } from "./world.ts";

/** How long an editor's own tests may take on a busy machine, in milliseconds. */
export const ownTestsTime = 600_000;

/**
 * Runs a program that needs nobody, to its end, which comes with the world's at the latest.
 * @returns what it has printed, however it has ended
 */
export function runAlone(
  world: World,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const options = { env: { ...world.env, ...env } };
    const child = execFile(program, args, options, (_, stdout, stderr) => resolve({ stdout, stderr }));
    // An editor whose script has failed waits for commands.
    child.stdin?.end();
    const { pid } = child;
    if (pid !== undefined) world.own({ close: () => killTree(pid) });
  });
}
