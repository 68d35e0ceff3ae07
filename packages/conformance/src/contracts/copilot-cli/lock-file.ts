import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Sandbox } from "../../target/folders.ts";
import { isListening } from "../../target/machine.ts";
import { type Start, type Started, startCompanion } from "../../target/process.ts";
import { isJson } from "../../wire/json-rpc.ts";
import { type LockFile, lockFolder, nameAndRoots, readLocksIn } from "../lock-file.ts";

/** The companion under test. */
export interface CopilotTarget {
  readonly socketPath: string;
  /** What the CLI sends with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its display name, for the report. */
  readonly name: string;
  /** The CLI's own folder: lock files are in `ide` below. */
  readonly home: string;
  readonly lock: LockFile;
  /** The folders that it says are open. */
  readonly roots: readonly string[];
}

export const homeOf = ({ COPILOT_HOME: named, HOME: home = homedir() }: NodeJS.ProcessEnv): string =>
  named ?? join(home, ".copilot");

/** Every lock file that holds a JSON object. */
export const readLocks = (home: string): Promise<LockFile[]> => readLocksIn(home, /\.lock$/);

/** Every companion whose lock file names a socket that a process listens on. */
export async function findCompanions(home: string): Promise<CopilotTarget[]> {
  const found: CopilotTarget[] = [];
  for (const lock of await readLocks(home)) {
    const { socketPath, headers } = lock.content;
    if (typeof socketPath !== "string" || !(await isListening(socketPath))) continue;
    found.push({ ...nameAndRoots(lock), socketPath, headers: textsIn(headers), home, lock });
  }
  return found;
}

function textsIn(headers: unknown): Record<string, string> {
  const entries = isJson(headers) ? Object.entries(headers) : [];
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}

/** The CLI's own folder in a sandbox. */
export const homeIn = ({ workspace }: Sandbox): string => join(dirname(workspace), "copilot");

export const startCopilot = (start: Start): Promise<Started<CopilotTarget>> =>
  startCompanion(start, {
    foreign: /^COPILOT/,
    variables: (sandbox) => ({ COPILOT_HOME: homeIn(sandbox) }),
    async search(env) {
      const home = homeOf(env);
      const others = (await readLocks(home)).map(({ path }) => path);
      return {
        where: `no lock file in ${lockFolder(home)} leads to a socket`,
        find: async () => (await findCompanions(home)).find(({ lock }) => !others.includes(lock.path)),
      };
    },
  });
