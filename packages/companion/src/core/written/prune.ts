import { lstatSync, rmSync } from "node:fs";
import path from "node:path";
import { namesIn } from "../../system/disk.ts";
import { removeFile } from "../../system/private-file.ts";
import { type Content, readDay } from "./entries.ts";
import { readWritten } from "./read-written.ts";
import { Texts } from "./texts.ts";
import { type WrittenLog, writtenLimits } from "./written-log.ts";

const day = 24 * 3_600_000;

/** Removes days that are over, and texts that nobody needs. Never throws. */
export function prune(log: WrittenLog, now = Date.now()): void {
  try {
    const { turns, files } = readWritten(log, new Texts(log));
    const open = [...files.values()].flat();
    const starts = open.map(({ turn }) => turns.get(turn)?.startedAt ?? 0);
    const oldest = nameOf(Math.min(now - writtenLimits.days * day, ...starts));
    for (const { file, writtenAt } of filesIn(path.join(log.folder, "feedback")))
      if (writtenAt < now - writtenLimits.days * day) removeFile(file);
    for (const file of log.days) if (path.basename(file) < oldest) removeFile(file);
    const hashes = (contents: readonly Content[]) =>
      new Set(contents.flatMap((each) => ("text" in each && each.text !== null ? [each.text] : [])));
    const needed = hashes(open.flatMap(({ before, after }) => [before, after]));
    const named = hashes(log.days.flatMap(readDay).flatMap(contentsOf));
    let bytes = 0;
    for (const text of filesIn(path.join(log.folder, "texts"))) {
      bytes += text.size;
      const isUsed = needed.has(text.name) || (named.has(text.name) && bytes <= writtenLimits.bytes);
      // A hook may just have kept it, and be about to say so.
      if (!isUsed && now - text.writtenAt > day) removeFile(text.file);
    }
    const trees = path.join(log.folder, "trees");
    for (const name of namesIn(trees))
      if (now - lstatSync(path.join(trees, name)).mtimeMs > day)
        rmSync(path.join(trees, name), { recursive: true, force: true });
  } catch {
    // Some other time: an agent may wait for us.
  }
}

const nameOf = (time: number): string => `${new Date(time).toISOString().slice(0, 10)}.jsonl`;

function contentsOf(entry: ReturnType<typeof readDay>[number]): readonly Content[] {
  if (entry.kind === "before" || entry.kind === "after") return Object.values(entry.files);
  if (entry.kind === "command-files")
    return Object.values(entry.files).flatMap(({ before, after }) => (before ? [before, after] : [after]));
  if (entry.kind === "saved") return [entry.content];
  if (entry.kind !== "settled") return [];
  const { layers, former } = entry;
  const both = [...layers, ...(former?.layers ?? [])].flatMap(({ before, after }) => [before, after]);
  return [...both, ...(former ? [former.now, former.after] : [])];
}

/** Newest first. */
function filesIn(folder: string) {
  return namesIn(folder)
    .flatMap((name) => {
      const file = path.join(folder, name);
      const stats = lstatSync(file, { throwIfNoEntry: false });
      return stats?.isFile() ? [{ name, file, size: stats.size, writtenAt: stats.mtimeMs }] : [];
    })
    .sort((one, other) => other.writtenAt - one.writtenAt);
}
