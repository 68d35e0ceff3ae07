import { closeSync, constants, existsSync, openSync, utimesSync, writeSync } from "node:fs";
import path from "node:path";
import { hashOf } from "../../files/text-hash.ts";
import { namesIn } from "../../system/disk.ts";
import { isObject, type JsonObject, tryParseJson } from "../../system/json.ts";
import {
  ensureOwnedFolder,
  readPrivateBytes,
  readPrivateFile,
  writePrivateFile,
} from "../../system/private-file.ts";
import type { LogEntry } from "./entries.ts";

/** What is kept of what agents have written; nothing goes that waits to be looked at. */
export const writtenLimits = { days: 30, bytes: 256 * 1024 * 1024 } as const;

/** Bytes of the longest text that is kept. */
export const maxTextBytes = 4 * 1024 * 1024;

/** The private files in which agents' hooks write down what agents write: one of entries a day, and the texts. */
export class WrittenLog {
  readonly folder: string;
  readonly #texts: string;

  /** @param folder absolute path */
  constructor(folder: string) {
    this.folder = folder;
    this.#texts = path.join(folder, "texts");
  }

  /** The files of entries, oldest first: one a day. Absolute paths. */
  get days(): readonly string[] {
    return namesIn(this.folder)
      .filter((name) => /^\d{4}-\d\d-\d\d\.jsonl$/.test(name))
      .sort()
      .map((name) => path.join(this.folder, name));
  }

  /**
   * Adds an entry, also while other processes do.
   * @throws Error of the file system, or FolderError when the folder is not ours alone
   */
  append(entry: LogEntry): void {
    ensureOwnedFolder(this.folder);
    const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;
    const day = new Date(entry.at).toISOString().slice(0, 10);
    const file = path.join(this.folder, `${day}.jsonl`);
    const handle = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
    try {
      // In one call, so that no other process writes into it; on a new line, because a killed one may have left half of one.
      writeSync(handle, `\n${JSON.stringify(entry)}\n`);
    } finally {
      closeSync(handle);
    }
  }

  /**
   * The files that an agent was about to write today, where we were not called afterwards, with the turns that they
   * were named in.
   */
  unfinished(agent: string, session: string): ReadonlyMap<string, string | undefined> {
    const open = new Map<string, string | undefined>();
    for (const { kind, turn, files } of this.#today(agent, session)) {
      for (const name of isObject(files) ? Object.keys(files) : []) {
        if (kind === "before") open.set(name, typeof turn === "string" ? turn : undefined);
        else open.delete(name);
      }
    }
    return open;
  }

  /** Whether a turn has ended today. */
  hasEnded(agent: string, session: string, name: string): boolean {
    return this.#today(agent, session).some(({ kind, turn }) => kind === "turn-end" && turn === name);
  }

  /** Without a library of schemas: a CLI waits. */
  #today(agent: string, session: string): readonly JsonObject[] {
    const file = path.join(this.folder, `${new Date().toISOString().slice(0, 10)}.jsonl`);
    const lines = readPrivateFile(file, { maxBytes: maxTextBytes * 4 })?.split("\n") ?? [];
    return lines
      .filter((line) => line.includes(JSON.stringify(session)))
      .map((line) => tryParseJson(line))
      .filter((entry): entry is JsonObject => isObject(entry) && entry.agent === agent);
  }

  /** Keeps bytes. @returns their hash @throws Error of the file system, or FolderError */
  keep(bytes: Buffer): string {
    const hash = hashOf(bytes);
    const file = path.join(this.#texts, hash);
    if (existsSync(file)) {
      // What is old and unused is removed: this one is in use again.
      utimesSync(file, new Date(), new Date());
      return hash;
    }
    ensureOwnedFolder(this.folder);
    ensureOwnedFolder(this.#texts);
    writePrivateFile(file, bytes);
    return hash;
  }

  /** @returns undefined where it is gone, or damaged */
  read(hash: string): Buffer | undefined {
    if (!/^[0-9a-f]{64}$/.test(hash)) return undefined;
    const bytes = readPrivateBytes(path.join(this.#texts, hash), { maxBytes: maxTextBytes });
    return bytes && hashOf(bytes) === hash ? bytes : undefined;
  }
}
