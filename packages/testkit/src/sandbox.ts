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

export type Sandbox = Awaited<ReturnType<typeof createSandbox>>;

/**
 * A private machine for one test: HOME, TMPDIR and a workspace, all removed afterwards.
 * @param folders removed with it
 */
export async function createSandbox(folders: PrivateFolders = createPrivateFolders()) {
  const { home, tmp, workspace, remove } = folders;
  /** The whole environment of everything started here: nothing of the machine's own leaks in. */
  const env: Readonly<Record<string, string>> = {
    ...folders.env,
    TERM: "xterm-256color",
    NO_PROXY: "127.0.0.1",
  };
  const residents: Resident[] = [];
  let isOver = false;
  /** Absolute path of a file or folder of the workspace. */
  const path = (name: string) => join(workspace, name);
  return {
    home,
    tmp,
    workspace,
    env,
    path,
    /** Writes a file of the workspace and returns its path. */
    async write(name: string, content: string | Uint8Array) {
      await mkdir(dirname(path(name)), { recursive: true });
      await writeFile(path(name), content);
      return path(name);
    },
    /** Exact bytes of a file of the workspace; undefined when there is none. */
    read: (name: string) => readIfThere(path(name)),
    /** Ties something to this sandbox's life; closed in reverse order. */
    own<T extends Resident>(resident: T): T {
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
    /** Everything that went wrong silently. */
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
