import { randomBytes } from "node:crypto";
import { existsSync, lstatSync, readdirSync } from "node:fs";
import path from "node:path";
import { filesIn } from "./disk.ts";
import { messageOf } from "./error-message.ts";
import { isObject, type JsonObject, stringIn } from "./json.ts";
import { ensureOwnedFolder, readPrivateFile, removeFile, writePrivateFile } from "./private-file.ts";

/** What every record says: of which change it is, and when. */
export interface RecordHead {
  /** Eight hexadecimal digits. */
  readonly id: string;
  /** When it was written last, in milliseconds since 1970. */
  readonly at: number;
  /** The proposing agent's name for people. */
  readonly agent: string;
  /** Exactly as the agent sent it. */
  readonly filePath: string;
}

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
  /** A record by its fields. @throws Error that says what is wrong */
  readonly parse: (head: RecordHead, fields: JsonObject) => Record;
  /** What a list needs of a record, without its long texts. */
  readonly summarize: (record: Record) => Scanned;
}

/** What a file held when it had this stamp. */
interface Known<Scanned> {
  readonly stamp: string;
  readonly scanned: Scanned;
}

/** A folder of private files, one for each record, that outlasts its process and is shared by all of them. */
export class RecordFolder<Record extends RecordHead, Scanned> {
  readonly path: string;
  readonly summarize: (record: Record) => Scanned;
  readonly #options: RecordFolderOptions<Record, Scanned>;
  /** By name; a file that has not changed is not read again. */
  #known = new Map<string, Known<Scanned>>();

  constructor(options: RecordFolderOptions<Record, Scanned>) {
    this.path = options.folder;
    this.summarize = options.summarize;
    this.#options = options;
  }

  /** Eight hexadecimal digits that no record has. */
  newId(): string {
    for (;;) {
      const id = randomBytes(4).toString("hex");
      if (!existsSync(this.#fileOf(id))) return id;
    }
  }

  /**
   * Replaces the file of a record.
   * @param flush whether it has to outlast a power failure
   * @throws Error of the file system, or FolderError when the folder is not ours alone
   */
  write(record: Record, flush: boolean): void {
    ensureOwnedFolder(this.path);
    writePrivateFile(this.#fileOf(record.id), JSON.stringify(record), { flush });
  }

  read(id: string): Record | undefined {
    if (!idPattern.test(id)) return undefined;
    try {
      return this.#readFile(`${id}.json`);
    } catch {
      return undefined; // gone, or damaged: `scan` says so
    }
  }

  /** @returns whether there was such a file */
  remove(id: string): boolean {
    return idPattern.test(id) && existsSync(this.#fileOf(id)) && removeFile(this.#fileOf(id));
  }

  /** Every record, and a sentence for each file that is none. */
  scan(): { readonly records: readonly Scanned[]; readonly problems: readonly string[] } {
    const records: Scanned[] = [];
    const problems: string[] = [];
    const next = new Map<string, Known<Scanned>>();
    for (const name of namesIn(this.path, problems)) {
      const file = path.join(this.path, name);
      try {
        const found = this.#scanFile(name);
        if (found === undefined) continue; // gone meanwhile
        records.push(found.scanned);
        next.set(name, found);
      } catch (error) {
        problems.push(`${file} holds no ${this.#options.what} that can be read: ${messageOf(error)}`);
      }
    }
    this.#known = next;
    return { records, problems };
  }

  /**
   * Removes the oldest files until the rest keeps to the limits. Reads none of them.
   * @returns how many
   */
  prune(limits: RecordLimits): number {
    const oldest = Date.now() - limits.days * 24 * 3_600_000;
    let bytes = 0;
    // Foreign files stay.
    return filesIn(this.path)
      .filter(({ name }) => idPattern.test(path.basename(name, ".json")))
      .filter(({ file, size, writtenAt }, index) => {
        bytes += size;
        const isYoung = index < limits.least || writtenAt >= oldest;
        const stays = index < limits.records && bytes <= limits.bytes && isYoung;
        return !stays && removeFile(file);
      }).length;
  }

  #fileOf(id: string): string {
    return path.join(this.path, `${id}.json`);
  }

  #readFile(name: string): Record {
    const text = readPrivateFile(path.join(this.path, name), { maxBytes: Number.POSITIVE_INFINITY });
    if (text === undefined) throw new Error("it is no readable file of yours");
    const fields: unknown = JSON.parse(text);
    if (!isObject(fields)) throw new Error("it is no object");
    const record = this.#options.parse(parseHead(fields), fields);
    if (`${record.id}.json` !== name) throw new Error(`it is named otherwise than its id ${record.id}`);
    return record;
  }

  #scanFile(name: string): Known<Scanned> | undefined {
    const stamp = stampOf(path.join(this.path, name));
    if (stamp === undefined) return undefined;
    const before = this.#known.get(name);
    if (before?.stamp === stamp) return before;
    // Under the stamp of before: a file that is replaced while it is read is read again.
    return { stamp, scanned: this.summarize(this.#readFile(name)) };
  }
}

/** By hand: a companion's start is too short for a library of schemas. @throws Error that says what is wrong */
function parseHead(fields: JsonObject): RecordHead {
  const { at } = fields;
  if (typeof at !== "number") throw new Error("at is missing");
  const text = (name: string) => stringIn(fields, name);
  return { id: text("id"), at, agent: text("agent"), filePath: text("filePath") };
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

function stampOf(file: string): string | undefined {
  const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
}
