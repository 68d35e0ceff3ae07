import { spawnCompanion, whenServing } from "../../packages/testkit/src/companion-process.ts";
import { ended, killTree } from "../../packages/testkit/src/process-tree.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";

/** The companion's executable, started as a user would. */
export type Companion = Awaited<ReturnType<typeof startCompanion>>;

export interface CompanionOptions {
  /** Folders or files as typed on the command line; the workspace when absent. */
  readonly args?: readonly string[];
  readonly cwd?: string;
  /** The Node that runs it; that of the tests when absent. */
  readonly node?: string;
}

export async function startCompanion(
  sandbox: Sandbox,
  { args = [], cwd = sandbox.workspace, node = process.execPath }: CompanionOptions = {},
) {
  const { env } = sandbox;
  const started = spawnCompanion({ args: [...args, "--no-open"], program: [node], cwd, env });
  const { pid, child, output } = started;
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal);
    await ended([pid]);
    return child.exitCode;
  };
  const companion = sandbox.own({
    pid,
    /** All that it printed so far. */
    output,
    /** Waits until it has printed this. */
    says: started.says,
    /** Ends it as a crash would. */
    kill: () => killTree(pid),
    /** Ends it as a user would. @returns its exit code. */
    stop,
    describe: () => `--- companion ${pid}\n${output().trimEnd()}`,
    async close() {
      if (child.exitCode === null && child.signalCode === null) await stop();
    },
  });
  return { ...companion, ...(await whenServing(started)) };
}
