import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { z } from "zod";
import { safeName } from "../../../files/safe-text.ts";
import { namesIn } from "../../../system/disk.ts";
import type { Host } from "../../../system/host.ts";
import { pidIsAlive } from "../../../system/liveness.ts";

/** Of a folder, after the name of what is in it: the process that has made it, and what nobody can foresee. */
const ending = "ide-proposal-(\\d+)-\\w{6}";
const [ownName, ownPath] = [new RegExp(`\\.${ending}$`), new RegExp(`\\.${ending}(?:[\\\\/]|$)`)];
/** So much of a name is at the begin of the folder's, in UTF-16 units. */
const longestName = 40;

/** What a file is a proposal for. It stands next to the file, for a companion that finds it later. */
const Note = z.object({ filePath: z.string(), agent: z.string(), text: z.string() });
type Note = z.infer<typeof Note>;

/** Where proposals lie as files, for editors that open nothing else: outside of the user's tree, and private. */
export type ProposalFolder = ReturnType<typeof createProposalFolder>;

/**
 * Nothing is made before the first proposal. What killed companions have left is swept away, but for what users have saved.
 * Each proposal has a folder with the name of its file: an editor may show nothing but the begin of a path.
 */
export function createProposalFolder(host: Host, isAlive = pidIsAlive) {
  const base = baseFolder(host);
  const stale = staleFolders(base, isAlive);
  for (const each of stale) clear(each);
  const folders = new Map<string, string>();

  /** Leaves what users have saved. Synchronous, for exit handlers; never throws; may be repeated. */
  function close(): void {
    process.off("exit", close);
    for (const each of folders.values()) clear(each);
    folders.clear();
  }

  function make(id: string, name = id): string {
    // Made with 0700, under a name that nobody can foresee: systems clear their temporary folders, and then any other is anybody's.
    const start = path.join(
      base,
      `${name.slice(0, longestName).toWellFormed()}.ide-proposal-${process.pid}-`,
    );
    const made = realpathSync(mkdtempSync(start));
    folders.set(id, made);
    process.off("exit", close).on("exit", close);
    return made;
  }

  return {
    /** Makes a folder for anything else. @returns its absolute path @throws Error of the file system */
    make: (name: string) => make(name),
    /**
     * Writes a proposal under the name of its file, as far as that is harmless, in a separate folder.
     * @returns its absolute path
     * @throws Error of the file system
     */
    write(id: string, { filePath, agent }: Omit<Note, "text">, text: string): string {
      const name = safeName(path.basename(filePath));
      const own = make(id, name);
      const note: Note = { filePath, agent, text };
      writeFileSync(path.join(own, noteName(name)), JSON.stringify(note), { flag: "wx", mode: 0o600 });
      const file = path.join(own, name);
      writeFileSync(file, text, { flag: "wx", mode: 0o600 });
      return file;
    },
    remove(id: string): void {
      const own = folders.get(id);
      folders.delete(id);
      if (own !== undefined) removeFolder(own);
    },
    /** Whether a path is that of a proposal, of this companion or of another one. */
    holds: (file: string) => ownPath.test(file),
    /** What users have saved in proposals: of this companion, and of those that have ended since. */
    findSavedEdits: () => [...stale, ...folders.values()].flatMap((each) => savedIn(each) ?? []),
    close,
  };
}

/** Next to a file of that name it has another one. */
const [usualNote, otherNote] = [".note", ".note-of-note"];
const noteName = (name: string) => (name === usualNote ? otherNote : usualNote);

/** The file of a proposal, in which somebody has saved another text; to be removed once that is safe elsewhere. */
function savedIn(folder: string) {
  try {
    const note = path.join(folder, readdirSync(folder).includes(otherNote) ? otherNote : usualNote);
    const { filePath, agent, text: proposed } = Note.parse(JSON.parse(readFileSync(note, "utf8")));
    const file = path.join(folder, safeName(path.basename(filePath)));
    const text = readFileSync(file, "utf8");
    const remove = () => removeFolder(folder);
    return text === proposed ? undefined : { path: file, filePath, agent, proposed, text, remove };
  } catch {
    return undefined; // no proposal, or one that its user has deleted
  }
}

/** Removes a folder in which no user has saved anything. */
function clear(folder: string): void {
  if (savedIn(folder) === undefined) removeFolder(folder);
}

/** Where the path is shortest: there is little room for it on some screens. */
function baseFolder({ env, tmp }: Host): string {
  const given = env.XDG_RUNTIME_DIR;
  const isShorter = given !== undefined && path.isAbsolute(given) && given.length < tmp.length;
  return isShorter && isOwnFolder(given) ? given : tmp;
}

function staleFolders(base: string, isAlive: (pid: number) => boolean): readonly string[] {
  return namesIn(base).flatMap((name) => {
    const pid = Number(ownName.exec(name)?.[1] ?? Number.NaN);
    // One with our own number is a dead one's: ours is made later.
    const isStale = !Number.isNaN(pid) && (pid === process.pid || !isAlive(pid));
    const folder = path.join(base, name);
    return isStale && isOwnFolder(folder) ? [folder] : [];
  });
}

function isOwnFolder(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && (process.getuid === undefined || stats.uid === process.getuid());
}

function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // The next start sweeps it.
  }
}
