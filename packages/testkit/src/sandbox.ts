import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createPrivateFolders, type PrivateFolders } from "./private-folders.ts";

/** Something that runs in a sandbox and must not outlive it. */
export interface Resident {
  close(): Promise<void>;
  /** What it was doing, shown when the test fails. */
  describe?(): string | Promise<string>;
  /** What went wrong inside without failing the test. */
  faults?(): readonly string[];
}

/** A private machine for one test: HOME, TMPDIR and a workspace, all removed afterwards. */
export interface Sandbox {
  readonly home: string;
  readonly tmp: string;
  /** The folder the user works in; symlinks resolved. */
  readonly workspace: string;
  /** The whole environment of everything started here: nothing of the machine's own leaks in. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path of a file or folder of the workspace. */
  path(name: string): string;
  /** Writes a file of the workspace and returns its path. */
  write(name: string, content: string | Uint8Array): Promise<string>;
  /** Exact bytes of a file of the workspace; undefined when there is none. */
  read(name: string): Promise<Buffer | undefined>;
  /** Ties something to this sandbox's life; closed in reverse order. */
  own<T extends Resident>(resident: T): T;
  describe(): Promise<string>;
  /** Everything that went wrong silently. */
  faults(): readonly string[];
  close(): Promise<void>;
}

/** @param folders removed with it */
export async function createSandbox(folders: PrivateFolders = createPrivateFolders()): Promise<Sandbox> {
  const { home, tmp, workspace, env, remove } = folders;
  const residents: Resident[] = [];
  let isOver = false;
  const path = (name: string) => join(workspace, name);
  return {
    home,
    tmp,
    workspace,
    env: { ...env, TERM: "xterm-256color", NO_PROXY: "127.0.0.1" },
    path,
    async write(name, content) {
      await mkdir(dirname(path(name)), { recursive: true });
      await writeFile(path(name), content);
      return path(name);
    },
    read: (name) => readIfThere(path(name)),
    own(resident) {
      if (isOver) {
        // A test that has run out of time does not know, and goes on.
        resident.close().catch(() => {}); // nobody is left to notify
        throw new Error("this sandbox is over");
      }
      residents.push(resident);
      return resident;
    },
    async describe() {
      const texts: string[] = [];
      for (const resident of residents) texts.push((await resident.describe?.()) ?? "");
      return texts.filter((text) => text !== "").join("\n\n");
    },
    faults: () => residents.flatMap((resident) => resident.faults?.() ?? []),
    async close() {
      isOver = true;
      const failures: unknown[] = [];
      for (const resident of residents.splice(0).reverse()) {
        await resident.close().catch((error: unknown) => failures.push(error));
      }
      remove();
      if (failures.length > 0) throw failures[0];
    },
  };
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
