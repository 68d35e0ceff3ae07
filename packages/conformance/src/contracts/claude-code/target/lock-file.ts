import { mkdtemp, readdir, readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { createSandbox, type Sandbox, variablesFor } from "../../../target/folders.ts";
import { comeUp, end, isListening, launch, type Start, type Started } from "../../../target/process.ts";
import { isJson, type Json, parseJson } from "../../../wire/json-rpc.ts";

/** One lock file, as it is; only its name has been checked. */
export interface LockFile {
  readonly path: string;
  /** From the name. */
  readonly port: number;
  /** Permission bits of the file. */
  readonly mode: number;
  readonly content: Json;
}

/** The companion under test. */
export interface ClaudeTarget {
  readonly port: number;
  readonly token: string;
  /** Its display name, for the report. */
  readonly name: string;
  /** Of Claude Code: lock files are in `ide` below. */
  readonly configFolders: readonly string[];
  readonly lock: LockFile;
  /** The folders that it says are open. */
  readonly roots: readonly string[];
}

export const lockFolder = (configFolder: string): string => join(configFolder, "ide");

/** The folders in which the CLI looks: with its variable, two. */
export function configFoldersOf({
  CLAUDE_CONFIG_DIR: named,
  HOME: home = homedir(),
}: NodeJS.ProcessEnv): string[] {
  const own = join(home, ".claude");
  return named === undefined || named === own ? [own] : [named, own];
}

/** Every lock file that holds a JSON object. */
export async function readLocks(configFolders: readonly string[]): Promise<LockFile[]> {
  return (await Promise.all(configFolders.map(readLocksIn))).flat();
}

async function readLocksIn(configFolder: string): Promise<LockFile[]> {
  const folder = lockFolder(configFolder);
  const names = await readdir(folder).catch(() => []); // no such folder: nobody has written one
  const locks = await Promise.all(
    names.map(async (name) => {
      const port = /^(\d+)\.lock$/.exec(name)?.[1];
      if (port === undefined) return [];
      const path = join(folder, name);
      try {
        const [text, { mode }] = await Promise.all([readFile(path, "utf8"), stat(path)]);
        const content = parseJson(text);
        return isJson(content) ? [{ path, port: Number(port), mode: mode & 0o777, content }] : [];
      } catch {
        return []; // removed meanwhile
      }
    }),
  );
  return locks.flat();
}

/** Every companion whose lock file names a port that a process listens on. */
export async function findCompanions(configFolders: readonly string[]): Promise<ClaudeTarget[]> {
  const found: ClaudeTarget[] = [];
  for (const lock of await readLocks(configFolders)) {
    const { authToken, ideName, workspaceFolders } = lock.content;
    if (typeof authToken !== "string" || !(await isListening(lock.port))) continue;
    const folders: readonly unknown[] = Array.isArray(workspaceFolders) ? workspaceFolders : [];
    found.push({
      port: lock.port,
      token: authToken,
      name: typeof ideName === "string" ? ideName : "a companion without a name",
      configFolders,
      lock,
      roots: folders.filter((folder) => typeof folder === "string"),
    });
  }
  return found;
}

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
