import { readdir, readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Sandbox } from "../../../target/folders.ts";
import { isListening, type Start, type Started, startCompanion } from "../../../target/process.ts";
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

export const startClaude = (start: Start): Promise<StartedClaude> =>
  startCompanion(start, {
    foreign: /^CLAUDE/,
    variables: (sandbox) => ({ CLAUDE_CONFIG_DIR: configFolderIn(sandbox) }),
    async search(env) {
      const folders = configFoldersOf(env);
      const others = (await findCompanions(folders)).map(({ lock }) => lock.path);
      return {
        where: `no lock file in ${folders.map(lockFolder).join(" or ")} leads to a port`,
        find: async () => (await findCompanions(folders)).find(({ lock }) => !others.includes(lock.path)),
      };
    },
  });
