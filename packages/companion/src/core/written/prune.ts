import { lstatSync, rmSync } from "node:fs";
import path from "node:path";
import { filesIn, namesIn } from "../../system/disk.ts";
import { removeFile } from "../../system/private-file.ts";
import { textOfDay } from "./entries.ts";
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
    const needed = textsIn(JSON.stringify(open));
    const named = new Set(log.days.flatMap((file) => [...textsIn(textOfDay(file))]));
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

/** The texts that JSON names, by their hashes. */
const textsIn = (json: string): ReadonlySet<string> =>
  new Set([...json.matchAll(/"text":"([0-9a-f]{64})"/g)].map(([, hash = ""]) => hash));

const nameOf = (time: number): string => `${new Date(time).toISOString().slice(0, 10)}.jsonl`;
