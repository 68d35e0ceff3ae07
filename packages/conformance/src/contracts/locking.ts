import { readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Sandbox } from "../target/folders.ts";
import { isListening } from "../target/machine.ts";
import { type Start, type Started, startCompanion } from "../target/process.ts";
import { isJson, type Json, parseJson } from "../wire/json-rpc.ts";

/** A lock file by which a CLI finds companions, as it is; only its name has been checked. */
export interface LockFile {
  readonly path: string;
  readonly content: Json;
}

/** @param own the CLI's own folder */
export const lockFolder = (own: string): string => join(own, "ide");

/** Every lock file that holds a JSON object. @param own the CLI's own folder @param isName of a lock file */
export async function readLocksIn(own: string, isName: RegExp): Promise<LockFile[]> {
  const folder = lockFolder(own);
  const names = await readdir(folder).catch(() => []); // no such folder: nobody has written one
  const locks = await Promise.all(
    names
      .filter((name) => isName.test(name))
      .map(async (name) => {
        const path = join(folder, name);
        try {
          const content = parseJson(await readFile(path, "utf8"));
          return isJson(content) ? [{ path, content }] : [];
        } catch {
          return []; // removed meanwhile
        }
      }),
  );
  return locks.flat();
}

/** A companion that is found by a lock file. */
export interface Locked {
  /** Its display name, for the report. */
  readonly name: string;
  /** The folders that it says are open. */
  readonly roots: readonly string[];
  /** The CLI's own folders: lock files are in `ide` below. */
  readonly own: readonly string[];
  readonly lock: LockFile;
}

/** How one CLI finds companions by lock files. @typeParam Address how it connects */
export interface Locking<Address> {
  /** The variable that names the CLI's own folder, and where that is in the user's home otherwise. */
  readonly variable: string;
  readonly folder: string;
  /** Whether it looks in both. */
  readonly looksInBoth?: true;
  /** Variables by which a companion would find CLIs outside of the sandbox. */
  readonly foreign: RegExp;
  /** The names of its lock files. */
  readonly isName: RegExp;
  /** What a lock file says; undefined where it leads nowhere. */
  toAddress(lock: LockFile): Address | undefined;
  /** Where the companion listens. */
  listensAt(address: Address): number | string;
}

export function createLocking<Address>(locking: Locking<Address>) {
  const { variable, folder, foreign, isName } = locking;
  type Target = Locked & Address;
  /** The CLI's own folders. */
  const ownFolders = ({ HOME: home = homedir(), ...env }: NodeJS.ProcessEnv): readonly string[] => {
    const [named, usual] = [env[variable], join(home, folder)];
    if (named === undefined || named === usual) return [usual];
    return locking.looksInBoth ? [named, usual] : [named];
  };
  /** The one in a sandbox. */
  const ownFolderIn = ({ workspace }: Sandbox): string => join(dirname(workspace), folder.replace(".", ""));
  /** Every lock file that holds a JSON object. */
  const read = async (own: readonly string[]): Promise<readonly LockFile[]> =>
    (await Promise.all(own.map((each) => readLocksIn(each, isName)))).flat();
  /** Every companion whose lock file leads to where a process listens. */
  const find = async (own: readonly string[]): Promise<readonly Target[]> => {
    const found: Target[] = [];
    for (const lock of await read(own)) {
      const address = locking.toAddress(lock);
      if (!address || !(await isListening(locking.listensAt(address)))) continue;
      const { ideName, workspaceFolders } = lock.content;
      const folders: readonly unknown[] = Array.isArray(workspaceFolders) ? workspaceFolders : [];
      const name = typeof ideName === "string" ? ideName : "a companion without a name";
      const roots = folders.filter((each) => typeof each === "string");
      found.push({ ...address, name, roots, own, lock });
    }
    return found;
  };
  const start = (options: Start): Promise<Started<Target>> =>
    startCompanion(options, {
      foreign,
      variables: (sandbox) => ({ [variable]: ownFolderIn(sandbox) }),
      async search(env) {
        const own = ownFolders(env);
        const others = (await find(own)).map(({ lock }) => lock.path);
        return {
          where: `no lock file in ${own.map(lockFolder).join(" or ")} leads to a companion`,
          find: async () => (await find(own)).find(({ lock }) => !others.includes(lock.path)),
        };
      },
    });
  return { ownFolders, ownFolderIn, read, find, start, listensAt: locking.listensAt };
}
