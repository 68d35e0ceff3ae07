import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Sandbox } from "../../../target/folders.ts";
import { isListening } from "../../../target/machine.ts";
import { type Start, type Started, startCompanion } from "../../../target/process.ts";
import { type LockFile, lockFolder, nameAndRoots, readLocksIn } from "../../lock-file.ts";

/** A lock file of this contract. */
interface PortLock extends LockFile {
  /** From the name. */
  readonly port: number;
}

/** The companion under test. */
export interface ClaudeTarget {
  readonly port: number;
  /** Empty when the lock file has none. */
  readonly token: string;
  /** Its display name, for the report. */
  readonly name: string;
  /** Of Claude Code: lock files are in `ide` below. */
  readonly configFolders: readonly string[];
  readonly lock: PortLock;
  /** The folders that it says are open. */
  readonly roots: readonly string[];
}

/** The folders in which the CLI looks: with its variable, two. */
export function configFoldersOf({
  CLAUDE_CONFIG_DIR: named,
  HOME: home = homedir(),
}: NodeJS.ProcessEnv): string[] {
  const own = join(home, ".claude");
  return named === undefined || named === own ? [own] : [named, own];
}

/** Every lock file that holds a JSON object. */
export async function readLocks(configFolders: readonly string[]): Promise<PortLock[]> {
  const locks = await Promise.all(configFolders.map((folder) => readLocksIn(folder, /^\d+\.lock$/)));
  return locks.flat().map((lock) => ({ ...lock, port: Number.parseInt(basename(lock.path), 10) }));
}

/** Every companion whose lock file names a port that a process listens on. */
export async function findCompanions(configFolders: readonly string[]): Promise<ClaudeTarget[]> {
  const found: ClaudeTarget[] = [];
  for (const lock of await readLocks(configFolders)) {
    const { authToken } = lock.content;
    if (!(await isListening(lock.port))) continue;
    const token = typeof authToken === "string" ? authToken : "";
    found.push({ ...nameAndRoots(lock), port: lock.port, token, configFolders, lock });
  }
  return found;
}

/** Claude Code's own folder in a sandbox. */
export const configFolderIn = ({ workspace }: Sandbox): string => join(dirname(workspace), "claude");

export const startClaude = (start: Start): Promise<Started<ClaudeTarget>> =>
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
