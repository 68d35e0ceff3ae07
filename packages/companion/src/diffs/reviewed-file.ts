import { randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { chmod, mkdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Writes an accepted text in place of the reviewed file: whole or not at all, byte-exact, mode kept.
 * A symbolic link keeps pointing to the file that changes.
 * @throws the file system's error; then the file is as it was.
 */
export async function writeReviewedFile(filePath: string, content: string): Promise<void> {
  const target = await realpath(filePath).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return filePath; // a new file
    throw error;
  });
  const folder = dirname(target);
  await mkdir(folder, { recursive: true });
  const mode = await stat(target).then(
    (known) => known.mode & 0o7777,
    () => undefined, // a new file gets the process's default mode
  );
  const temporary = join(folder, `.ide-companion-${randomBytes(6).toString("hex")}.tmp`);
  try {
    await writeFile(temporary, content, { flag: "wx", ...(mode === undefined ? {} : { mode }) });
    await keepMode(temporary, mode);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Whether a file holds a text byte for byte; one that cannot be read does not. It is read at once, and only
 * when it is as long as the text: an answer that came later could be about another text.
 */
export function holdsText(filePath: string, text: string): boolean {
  const wanted = Buffer.from(text);
  try {
    const stat = statSync(filePath, { throwIfNoEntry: false });
    // Opening a pipe or a device would wait for somebody else.
    return stat?.isFile() === true && stat.size === wanted.length && readFileSync(filePath).equals(wanted);
  } catch {
    return false; // unreadable
  }
}

/** The mode given at creation is narrowed by the umask. */
async function keepMode(path: string, mode: number | undefined): Promise<void> {
  if (mode === undefined || process.platform === "win32") return;
  await chmod(path, mode);
}
