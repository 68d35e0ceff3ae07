import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { askGit } from "../../system/git.ts";
import { Written } from "./written.ts";
import type { WrittenLog } from "./written-log.ts";

/** What agents have written and nobody has looked at: what the user has committed since is kept. */
export async function readUncommitted(log: WrittenLog): Promise<Written> {
  const written = new Written(log);
  const paths = await findCommitted(written);
  if (paths.length === 0) return written;
  written.keep({ paths });
  return new Written(log);
}

/**
 * The files that the user has committed as they are now, after they were written: the user who commits a text has seen it.
 * @returns absolute paths
 */
async function findCommitted(written: Written): Promise<readonly string[]> {
  const folders = new Map<string, Map<string, number>>();
  for (const [file, startedAt] of written.openSince()) {
    const files = folders.get(path.dirname(file)) ?? new Map<string, number>();
    folders.set(path.dirname(file), files.set(path.basename(file), startedAt));
  }
  const found = await Promise.all([...folders].map(([folder, files]) => committedIn(folder, files, written)));
  return found.flat();
}

/** @param files names, and when the turns began that have changed them */
async function committedIn(
  folder: string,
  files: ReadonlyMap<string, number>,
  written: Written,
): Promise<readonly string[]> {
  const names = [...files.keys()];
  const tree = await askGit(folder, ["ls-tree", "-z", "HEAD", "--", ...names]);
  if (tree === undefined) return [];
  const blobs = new Map(
    tree.split("\0").map((line) => {
      const [, id = "", name = ""] = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      return [name, id];
    }),
  );
  const committed: string[] = [];
  for (const [name, startedAt] of files) {
    const file = path.join(folder, name);
    const now = lookAt(file);
    if (blobs.get(name) !== now?.blob) continue;
    // It starts nothing: a setting could have it ask who has signed.
    const log = [
      "--literal-pathspecs",
      "log",
      "-1",
      "--no-show-signature",
      "--format=%ct",
      "HEAD",
      "--",
      name,
    ];
    const second = Number(await askGit(folder, log));
    const since = Math.floor((now?.writtenAt ?? startedAt) / 1000);
    // An agent that commits has not looked at it for its user.
    if (second >= since && !written.ranAt(second)) committed.push(file);
  }
  return committed;
}

/** @returns undefined where there is no file that can be read */
function lookAt(file: string) {
  try {
    const bytes = readFileSync(file);
    const blob = createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
    return { blob, writtenAt: statSync(file).mtimeMs };
  } catch {
    return undefined; // deleted, and so not in the commit either
  }
}
