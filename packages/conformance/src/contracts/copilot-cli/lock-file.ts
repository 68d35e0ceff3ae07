import { readdir, readFile, stat } from "node:fs/promises";
import { connect } from "node:net";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Sandbox } from "../../target/folders.ts";
import { type Start, type Started, startCompanion } from "../../target/process.ts";
import { isJson, type Json, parseJson } from "../../wire/json-rpc.ts";

/** One lock file, as it is; only its name has been checked. */
export interface LockFile {
  readonly path: string;
  /** Permission bits of the file. */
  readonly mode: number;
  readonly content: Json;
}

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

export const lockFolder = (home: string): string => join(home, "ide");

export const homeOf = ({ COPILOT_HOME: named, HOME: home = homedir() }: NodeJS.ProcessEnv): string =>
  named ?? join(home, ".copilot");

/** Every lock file that holds a JSON object. */
export async function readLocks(home: string): Promise<LockFile[]> {
  const folder = lockFolder(home);
  const names = await readdir(folder).catch(() => []); // no such folder: nobody has written one
  const locks = await Promise.all(
    names
      .filter((name) => name.endsWith(".lock"))
      .map(async (name) => {
        const path = join(folder, name);
        try {
          const [text, { mode }] = await Promise.all([readFile(path, "utf8"), stat(path)]);
          const content = parseJson(text);
          return isJson(content) ? [{ path, mode: mode & 0o777, content }] : [];
        } catch {
          return []; // removed meanwhile
        }
      }),
  );
  return locks.flat();
}

/** Every companion whose lock file names a socket that a process listens on. */
export async function findCompanions(home: string): Promise<CopilotTarget[]> {
  const found: CopilotTarget[] = [];
  for (const lock of await readLocks(home)) {
    const { socketPath, headers, ideName, workspaceFolders } = lock.content;
    if (typeof socketPath !== "string" || !(await answers(socketPath))) continue;
    const folders: readonly unknown[] = Array.isArray(workspaceFolders) ? workspaceFolders : [];
    found.push({
      socketPath,
      headers: textsIn(headers),
      name: typeof ideName === "string" ? ideName : "a companion without a name",
      home,
      lock,
      roots: folders.filter((folder) => typeof folder === "string"),
    });
  }
  return found;
}

/** Whether a process listens on a socket. */
export function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    const done = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.once("connect", () => done(true));
    socket.once("error", () => done(false)); // refused, which is the answer
  });
}

function textsIn(headers: unknown): Record<string, string> {
  const entries = isJson(headers) ? Object.entries(headers) : [];
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}

export type StartedCopilot = Started<CopilotTarget>;

/** The CLI's own folder in a sandbox. */
export const homeIn = ({ workspace }: Sandbox): string => join(dirname(workspace), "copilot");

export const startCopilot = (start: Start): Promise<StartedCopilot> =>
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
