import { existsSync, lstatSync, readdirSync } from "node:fs";
import path from "node:path";
import { messageOf } from "../../system/error-message.ts";
import { ensureOwnedFolder } from "../../system/owned-folder.ts";
import { readPrivateFile, removeFile, writePrivateFile } from "../../system/private-file.ts";
import { type EditsRecord, parseRecord } from "./recovered-edits.ts";

/** A record without its texts, and how many bytes the user's text has in a file. */
export interface ScannedRecord extends Omit<EditsRecord, "proposed" | "text"> {
  readonly bytes: number;
}

/** The folder in which texts outlast their companion, one file each. */
export interface EditsFolder {
  /** Absolute path. */
  readonly path: string;
  /**
   * Replaces the file of a record.
   * @param flush whether it has to outlast a power failure
   * @throws Error of the file system, or FolderError when the folder is not ours alone
   */
  write(record: EditsRecord, flush: boolean): void;
  read(id: string): EditsRecord | undefined;
  /** @returns whether there was such a file */
  remove(id: string): boolean;
  /** Every record, and a sentence for each file that is none. */
  scan(): { readonly records: readonly ScannedRecord[]; readonly problems: readonly string[] };
}

export function openEditsFolder(folder: string): EditsFolder {
  const fileOf = (id: string) => path.join(folder, `${id}.json`);
  /** By name; a file that has not changed is not read again. */
  let known = new Map<string, { readonly stamp: string; readonly record: ScannedRecord }>();

  function scanFile(name: string): ScannedRecord | undefined {
    const stamp = stampOf(path.join(folder, name));
    if (stamp === undefined) return undefined;
    const before = known.get(name);
    if (before?.stamp === stamp) return before.record;
    const { proposed: _, text, ...rest } = readRecord(folder, name);
    return { ...rest, bytes: Buffer.byteLength(text) };
  }

  function scan() {
    const records: ScannedRecord[] = [];
    const problems: string[] = [];
    const next: typeof known = new Map();
    for (const name of namesIn(folder, problems)) {
      try {
        const record = scanFile(name);
        if (record === undefined) continue; // gone meanwhile
        records.push(record);
        next.set(name, { stamp: stampOf(path.join(folder, name)) ?? "", record });
      } catch (error) {
        problems.push(`${path.join(folder, name)} holds no edits that can be read: ${messageOf(error)}`);
      }
    }
    known = next;
    return { records, problems };
  }

  return {
    path: folder,
    write(record, flush) {
      ensureOwnedFolder(folder);
      writePrivateFile(fileOf(record.id), JSON.stringify(record), { flush });
    },
    read(id) {
      if (!idPattern.test(id)) return undefined;
      try {
        return readRecord(folder, `${id}.json`);
      } catch {
        return undefined; // gone, or damaged: `scan` says so
      }
    },
    remove: (id) => idPattern.test(id) && existsSync(fileOf(id)) && removeFile(fileOf(id)),
    scan,
  };
}

const idPattern = /^[0-9a-f]{8}$/;

function readRecord(folder: string, name: string): EditsRecord {
  const text = readPrivateFile(path.join(folder, name), { maxBytes: Number.POSITIVE_INFINITY });
  if (text === undefined) throw new Error("it is no readable file of yours");
  const record = parseRecord(text);
  if (`${record.id}.json` !== name) throw new Error(`it is named otherwise than its id ${record.id}`);
  return record;
}

function namesIn(folder: string, problems: string[]): readonly string[] {
  try {
    // Names that begin with a dot are those of files that are being written.
    return readdirSync(folder).filter((name) => !name.startsWith("."));
  } catch (error) {
    if (existsSync(folder)) problems.push(`${folder} cannot be read: ${messageOf(error)}`);
    return [];
  }
}

function stampOf(file: string): string | undefined {
  const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
}
