import { mkdtemp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { variablesFor } from "../../../target/discovery-file.ts";
import { comeUp, end, launch } from "../../../target/process.ts";
import { createSandbox, type Sandbox, type Start, type Started } from "../../../target/started-companion.ts";
import { type ClaudeTarget, configFoldersOf, findCompanions, lockFolder } from "./lock-file.ts";

export type StartedClaude = Started<ClaudeTarget>;

/** Claude Code's own folder in a sandbox. */
export const configFolderIn = ({ workspace }: Sandbox): string => join(dirname(workspace), "claude");

/**
 * Starts a companion by a command, and waits for its lock file.
 * @throws Error with what it has printed, when it ends or does not come up in time
 */
export async function startClaude({ command, folder, within, ...start }: Start): Promise<StartedClaude> {
  const sandbox = start.sandbox ?? (await createSandbox(folder));
  await start.prepare?.(sandbox);
  const env = environment(sandbox, await mkdtemp(join(folder, "s")));
  const folders = configFoldersOf(env);
  const others = (await findCompanions(folders)).map(({ lock }) => lock.path);
  const run = await launch(command, sandbox.workspace, env);
  try {
    const where = `no lock file in ${folders.map(lockFolder).join(" or ")} leads to a port`;
    const find = async () => (await findCompanions(folders)).find(({ lock }) => !others.includes(lock.path));
    const target = await comeUp(run, find, { within, where });
    return { target, sandbox, pid: run.pid, env, end: (signal) => end(run, signal, within) };
  } catch (error) {
    await end(run, "SIGKILL", within);
    throw error;
  }
}

/** @param own a private folder of this start, for the sockets of editors: two starts may share a sandbox */
function environment(sandbox: Sandbox, own: string): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !/^CLAUDE/.test(name));
  return {
    ...Object.fromEntries(others),
    ...variablesFor(sandbox.systemFolders),
    CLAUDE_CONFIG_DIR: configFolderIn(sandbox),
    // Where programs keep what outlasts them.
    XDG_STATE_HOME: join(dirname(sandbox.workspace), "state"),
    CONFORMANCE_FOLDER: own,
  };
}
