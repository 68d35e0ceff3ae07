import { mkdir, readdir, readFile, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CommonMeans } from "../run/subject.ts";
import { isAlive } from "../target/process.ts";
import { isJson, type Json, parseJson } from "../wire/json-rpc.ts";
import { demand, demandNone, modeOf, until } from "./check.ts";

/** A lock file by which a CLI finds companions, as it is; only its name has been checked. */
export interface LockFile {
  readonly path: string;
  /** Permission bits of the file. */
  readonly mode: number;
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

/** The display name of a companion, and the folders that it says are open. */
export function nameAndRoots({ content: { ideName, workspaceFolders } }: LockFile) {
  const folders: readonly unknown[] = Array.isArray(workspaceFolders) ? workspaceFolders : [];
  return {
    name: typeof ideName === "string" ? ideName : "a companion without a name",
    roots: folders.filter((folder) => typeof folder === "string"),
  };
}

/** @throws Broken when others can read it or list its folder; NotRun where files have no modes */
export async function demandPrivate({ path, mode }: LockFile): Promise<void> {
  const folderMode = await modeOf(dirname(path));
  demandNone([
    ...(mode === 0o600 ? [] : [`the lock file has mode ${mode.toString(8)}, not 600`]),
    ...((folderMode & 0o077) === 0 ? [] : [`its folder has mode ${folderMode.toString(8)}, not 700`]),
  ]);
}

/** @throws Broken when it names no process that runs */
export function demandProcess({ content }: LockFile): void {
  const pid = Number(content.pid);
  demand(pid > 0 && isAlive(pid), `pid ${content.pid} is no process that runs`);
}

/** Opens one more folder, and waits until the lock file names it. @param read gives the lock file as it is now */
export async function openFolder(
  { editor, path, limits }: Pick<CommonMeans<unknown>, "editor" | "path" | "limits">,
  name: string,
  read: () => Promise<LockFile | undefined>,
) {
  await mkdir(path(name), { recursive: true });
  await editor.folder(path(name));
  const folder = await realpath(path(name));
  const isNamed = async () => {
    const folders = (await read())?.content.workspaceFolders;
    return Array.isArray(folders) && folders.includes(folder);
  };
  await until(isNamed, limits.event);
  return { folder, isNamed: await isNamed() };
}
