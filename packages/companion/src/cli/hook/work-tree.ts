import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import path from "node:path";
import { maxTextBytes } from "../../core/written/written-log.ts";
import { namesIn } from "../../system/disk.ts";
import { runGit } from "../../system/git.ts";
import { gitFoldersOf } from "../../system/git-folders.ts";
import { ensureOwnedFolder, writePrivateFile } from "../../system/private-file.ts";

/** A file that is not as an index has it. */
export interface Difference {
  readonly isGone: boolean;
  /** What the index has of it; absent where it has none. */
  readonly entry?: { readonly mode: number; readonly blob: string };
}

/** What an index has of a file on disk, as it was then. */
export interface IndexEntry {
  readonly size: number;
  /** What tells a file from others, also under another name; undefined where the system does not say. */
  readonly identity?: string;
}

/** Milliseconds. */
const timeout = 60_000;

/** Names in one call: Windows allows 32,767 characters. */
const namesAtOnce = 100;

/** The settings of a repository that say how its files lie on the disk. */
const settings =
  /^(core\.(?:filemode|symlinks|ignorecase|precomposeunicode|trustctime|checkstat|excludesfile)|extensions\.objectformat)$/;

/**
 * A work tree of git, compared by git with an index of ours. A repository of ours serves for that, which has none of the
 * user's hooks, filters and attributes. So git runs no program, reads the bytes as they are, and writes nothing into
 * the user's.
 */
export class WorkTree {
  /** Absolute path. */
  readonly top: string;
  readonly #git: string;

  /** @param folder absolute path of a private folder of ours */
  constructor(top: string, folder: string) {
    this.top = top;
    this.#git = path.join(folder, "git");
  }

  /** An index as the user's is: a file that it says is unchanged has its bytes in the user's repository. */
  async begin(index: string): Promise<void> {
    const { own, common } = gitFoldersOf(this.top);
    removeFolder(this.#git);
    ensureOwnedFolder(this.#git);
    for (const name of ["objects", "refs", "info"]) mkdirSync(path.join(this.#git, name));
    const put = (name: string, text: string | Buffer) => writePrivateFile(path.join(this.#git, name), text);
    put("HEAD", "ref: refs/heads/none\n");
    put("config", await this.#toConfig(path.join(common, "config")));
    // It outranks all other files of attributes.
    put("info/attributes", "* -text -eol -ident -filter -working-tree-encoding\n");
    const exclude = path.join(common, "info", "exclude");
    if (existsSync(exclude)) put("info/exclude", readFileSync(exclude));
    for (const name of namesIn(own).filter((each) => each.startsWith("sharedindex.")))
      copyIndex(path.join(own, name), path.join(this.#git, name));
    copyIndex(path.join(own, "index"), index);
  }

  /** By their names in the work tree, with `/`. Links, nested repositories, pipes and what git ignores are not among them. */
  async differences(index: string): Promise<ReadonlyMap<string, Difference>> {
    const [changed, fresh] = await Promise.all([
      this.#run(["diff-files", "-z", "--raw", "--no-abbrev", "--ignore-submodules=all"], { index }),
      this.#run(["ls-files", "-z", "--others", "--exclude-standard"], { index }),
    ]);
    const found = new Map<string, Difference>();
    for (const name of String(fresh).split("\0")) if (isName(name)) found.set(name, { isGone: false });
    const parts = String(changed).split("\0");
    for (let at = 0; at + 1 < parts.length; at += 2) {
      const [, mode = "", blob = "", status] =
        /^:(\d+) \d+ ([0-9a-f]+) [0-9a-f]+ ([A-Z])/.exec(parts[at] ?? "") ?? [];
      const name = parts[at + 1] ?? "";
      if (!isName(name) || mode === "160000") continue;
      const entry = status === "U" ? {} : { entry: { mode: Number.parseInt(mode, 8), blob } };
      found.set(name, { isGone: status === "D", ...entry });
    }
    return found;
  }

  /** Lets an index have files as they are now. */
  async add(index: string, names: readonly string[], gone: readonly string[]): Promise<void> {
    const update = async (how: readonly string[], which: readonly string[]) => {
      const input = which.map((name) => `${name}\0`).join("");
      if (which.length > 0) await this.#run(["update-index", ...how, "-z", "--stdin"], { index, input });
    };
    await update(["--force-remove"], gone);
    await update(["--add", "--remove", "--replace"], names);
  }

  /** What an index has of files. */
  async entriesOf(index: string, names: readonly string[]): Promise<ReadonlyMap<string, IndexEntry>> {
    const found = new Map<string, IndexEntry>();
    for (let at = 0; at < names.length; at += namesAtOnce) {
      const args = ["ls-files", "-z", "--debug", "--", ...names.slice(at, at + namesAtOnce)];
      const pattern =
        /([^\0]+)\0 +ctime: .*\n +mtime: (.*)\n +dev: (\d+)\tino: (\d+)\n +uid: .*\n +size: (\d+)\t.*\n/g;
      for (const match of String(await this.#run(args, { index })).matchAll(pattern)) {
        const [, name = "", mtime, dev, ino, size] = match;
        const identity = ino === "0" ? {} : { identity: `${dev} ${ino} ${mtime} ${size}` };
        found.set(name, { size: Number(size), ...identity });
      }
    }
    return found;
  }

  /** The bytes of files as they lay on the disk, by the blobs that an index has of them; not all are there. */
  async bytesOf(
    files: ReadonlyMap<string, { readonly blob: string; readonly size: number }>,
  ): Promise<ReadonlyMap<string, Buffer>> {
    const wanted = [...files].filter(([, { size }]) => size <= maxTextBytes);
    const found = new Map<string, Buffer>();
    if (wanted.length === 0) return found;
    const { common } = gitFoldersOf(this.top);
    const output = await this.#run(["cat-file", "--batch"], {
      input: wanted.map(([, { blob }]) => `${blob}\n`).join(""),
      // Only here: where git writes, it touches objects there that it would have written.
      env: { GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(path.join(common, "objects")) },
    });
    let at = 0;
    for (const [name, { size }] of wanted) {
      const end = output.indexOf(10, at);
      const [, type, length] = output.toString("latin1", at, end).split(" ");
      at = end + 1;
      if (type === "missing") continue; // a partial clone does not have it
      const bytes = output.subarray(at, at + Number(length));
      at += bytes.length + 1;
      const onDisk = asOnDisk(bytes, size);
      if (onDisk) found.set(name, onDisk);
    }
    return found;
  }

  async #toConfig(file: string): Promise<string> {
    const all = existsSync(file)
      ? String(await runGit(this.#git, ["config", "--file", file, "-z", "--list"]))
      : "";
    const lines = all.split("\0").flatMap((setting) => {
      const [key = "", ...value] = setting.split("\n");
      const [section, name] = key.split(".");
      return settings.test(key) ? [`[${section}]\n\t${name} = ${JSON.stringify(value.join("\n"))}\n`] : [];
    });
    return ["[core]\n\trepositoryformatversion = 1\n\tbare = false\n", ...lines].join("");
  }

  #run(
    args: readonly string[],
    {
      index,
      input,
      env,
    }: { readonly index?: string; readonly input?: string; readonly env?: Record<string, string> },
  ): Promise<Buffer> {
    const never = { fsmonitor: "false", untrackedCache: "false", splitIndex: "true", hooksPath: this.#git };
    const options = Object.entries(never).flatMap(([name, value]) => ["-c", `core.${name}=${value}`]);
    return runGit(this.#git, [...options, ...args], {
      timeout,
      ...(input !== undefined && { input }),
      env: {
        ...{ GIT_DIR: this.#git, GIT_WORK_TREE: this.top, GIT_LITERAL_PATHSPECS: "1" },
        ...{ GIT_OPTIONAL_LOCKS: "0", GIT_NO_LAZY_FETCH: "1", GIT_NO_REPLACE_OBJECTS: "1" },
        ...(index !== undefined && { GIT_INDEX_FILE: index }),
        ...env,
      },
    });
  }
}

/** The git of a process that was killed may still write there, and rmSync looks for files once. @throws Error of the file system */
function removeFolder(folder: string, tries = 10): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 1 });
  } catch (error) {
    if (tries === 0) throw error;
    removeFolder(folder, tries - 1);
  }
}

/**
 * With its time, by which git tells which entries may have changed in the same moment. Where nothing has an entry, git
 * has no file.
 */
export function copyIndex(from: string, to: string): void {
  if (!existsSync(from)) return;
  const { mtimeMs } = statSync(from);
  copyFileSync(from, to);
  chmodSync(to, 0o600);
  const seconds = Math.floor(mtimeMs) / 1000;
  utimesSync(to, seconds, seconds);
}

/** A nested repository ends with `/`; what is not UTF-8 cannot be named here. */
const isName = (name: string): boolean => name !== "" && !name.endsWith("/") && !name.includes("\uFFFD");

/** What a file held whose text git may have changed before it kept it, as for line ends. @param size of the file */
function asOnDisk(bytes: Buffer, size: number): Buffer | undefined {
  if (bytes.length === size) return bytes;
  const windows = Buffer.from(bytes.toString("latin1").replaceAll(/(?<!\r)\n/g, "\r\n"), "latin1");
  return windows.length === size ? windows : undefined;
}
