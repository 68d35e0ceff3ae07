import { randomBytes } from "node:crypto";
import { existsSync, lstatSync, readdirSync } from "node:fs";
import path from "node:path";
import { messageOf } from "./error-message.ts";
import { ensureOwnedFolder, readPrivateFile, removeFile, writePrivateFile } from "./private-file.ts";

/** A folder of private files, one for each record, that outlasts its process and is shared by all of them. */
export type RecordFolder<Record extends { readonly id: string }, Scanned> = ReturnType<
  typeof openRecordFolder<Record, Scanned>
>;

/** Of a folder's files; those written last stay. */
export interface RecordLimits {
  readonly days: number;
  /** The newest so many stay however old they are: a clock that runs ahead removes none of them. */
  readonly least: number;
  readonly records: number;
  /** Of all files together. */
  readonly bytes: number;
}

export interface RecordFolderOptions<Record, Scanned> {
  /** Absolute path. */
  readonly folder: string;
  /** What a file holds, in sentences for people. */
  readonly what: string;
  /** @throws Error that says what is wrong */
  readonly parse: (text: string) => Record;
  /** What a list needs of a record, without its long texts. */
  readonly summarize: (record: Record, bytes: number) => Scanned;
}

/** What a file held when it had this stamp. */
interface Known<Scanned> {
  readonly stamp: string;
  readonly scanned: Scanned;
}

export function openRecordFolder<Record extends { readonly id: string }, Scanned>({
  folder,
  what,
  parse,
  summarize,
}: RecordFolderOptions<Record, Scanned>) {
  const fileOf = (id: string) => path.join(folder, `${id}.json`);
  /** By name; a file that has not changed is not read again. */
  let known = new Map<string, Known<Scanned>>();

  function readRecord(name: string): { readonly record: Record; readonly bytes: number } {
    const text = readPrivateFile(path.join(folder, name), { maxBytes: Number.POSITIVE_INFINITY });
    if (text === undefined) throw new Error("it is no readable file of yours");
    const record = parse(text);
    if (`${record.id}.json` !== name) throw new Error(`it is named otherwise than its id ${record.id}`);
    return { record, bytes: Buffer.byteLength(text) };
  }

  function scanFile(name: string): Known<Scanned> | undefined {
    const stamp = stampOf(path.join(folder, name));
    if (stamp === undefined) return undefined;
    const before = known.get(name);
    if (before?.stamp === stamp) return before;
    // Under the stamp of before: a file that is replaced while it is read is read again.
    const { record, bytes } = readRecord(name);
    return { stamp, scanned: summarize(record, bytes) };
  }

  /** Every record, and a sentence for each file that is none. */
  function scan(): { readonly records: readonly Scanned[]; readonly problems: readonly string[] } {
    const records: Scanned[] = [];
    const problems: string[] = [];
    const next: typeof known = new Map();
    for (const name of namesIn(folder, problems)) {
      try {
        const found = scanFile(name);
        if (found === undefined) continue; // gone meanwhile
        records.push(found.scanned);
        next.set(name, found);
      } catch (error) {
        problems.push(`${path.join(folder, name)} holds no ${what} that can be read: ${messageOf(error)}`);
      }
    }
    known = next;
    return { records, problems };
  }

  return {
    path: folder,
    /** Eight hexadecimal digits that no record has. */
    newId() {
      for (;;) {
        const id = randomBytes(4).toString("hex");
        if (!existsSync(fileOf(id))) return id;
      }
    },
    /**
     * Replaces the file of a record.
     * @param flush whether it has to outlast a power failure
     * @throws Error of the file system, or FolderError when the folder is not ours alone
     */
    write(record: Record, flush: boolean) {
      ensureOwnedFolder(folder);
      writePrivateFile(fileOf(record.id), JSON.stringify(record), { flush });
    },
    read(id: string) {
      if (!idPattern.test(id)) return undefined;
      try {
        return readRecord(`${id}.json`).record;
      } catch {
        return undefined; // gone, or damaged: `scan` says so
      }
    },
    /** @returns whether there was such a file */
    remove: (id: string) => idPattern.test(id) && existsSync(fileOf(id)) && removeFile(fileOf(id)),
    scan,
    /**
     * Removes the oldest files until the rest keeps to the limits. Reads none of them.
     * @returns how many
     */
    prune(limits: RecordLimits) {
      const oldest = Date.now() - limits.days * 24 * 3_600_000;
      let bytes = 0;
      return recordFilesIn(folder)
        .sort((one, other) => other.writtenAt - one.writtenAt)
        .filter((file, index) => {
          bytes += file.bytes;
          const isYoung = index < limits.least || file.writtenAt >= oldest;
          const stays = index < limits.records && bytes <= limits.bytes && isYoung;
          return !stays && removeFile(file.path);
        }).length;
    },
  };
}

const idPattern = /^[0-9a-f]{8}$/;

function namesIn(folder: string, problems: string[]): readonly string[] {
  try {
    // Names that begin with a dot are those of files that are being written.
    return readdirSync(folder).filter((name) => !name.startsWith("."));
  } catch (error) {
    if (existsSync(folder)) problems.push(`${folder} cannot be read: ${messageOf(error)}`);
    return [];
  }
}

/** Foreign files are none of them. */
function recordFilesIn(folder: string) {
  return namesIn(folder, []).flatMap((name) => {
    const file = path.join(folder, name);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    return stats?.isFile() && idPattern.test(path.basename(name, ".json"))
      ? [{ path: file, bytes: stats.size, writtenAt: stats.mtimeMs }]
      : [];
  });
}

function stampOf(file: string): string | undefined {
  const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
}
