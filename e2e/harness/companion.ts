import { spawnCompanion, whenServing } from "../../packages/testkit/src/companion-process.ts";
import { ended, killTree } from "../../packages/testkit/src/process-tree.ts";
import type { Resident, Sandbox } from "../../packages/testkit/src/sandbox.ts";

/** The companion's executable, started as a user would. */
export interface Companion extends Resident {
  readonly pid: number;
  /** Where the CLIs connect. */
  readonly port: number;
  /** The link to the page; it opens once. */
  readonly link: string;
  /** All that it printed so far. */
  output(): string;
  /** Waits until it has printed this. */
  says(wanted: string | RegExp): Promise<unknown>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** Ends it as a user would. @returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

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
): Promise<Companion> {
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
    output,
    says: started.says,
    kill: () => killTree(pid),
    stop,
    describe: () => `--- companion ${pid}\n${output().trimEnd()}`,
    async close() {
      if (child.exitCode === null && child.signalCode === null) await stop();
    },
  });
  return { ...companion, ...(await whenServing(started)) };
}
