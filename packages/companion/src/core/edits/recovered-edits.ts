import { readFileSync } from "node:fs";
import { hostname, uptime } from "node:os";
import { isObject, stringIn } from "../../system/json.ts";
import { pidIsAlive } from "../../system/liveness.ts";
import { openRecordFolder, type RecordFolder } from "../../system/record-folder.ts";

/** A text that the user typed in a proposal, and that its file does not hold. */
export interface RecoveredEdits {
  /** Eight hexadecimal digits. */
  readonly id: string;
  /** Exactly as the agent sent it. */
  readonly filePath: string;
  /** The proposing agent's name for people. */
  readonly agent: string;
  /** When it was typed, in milliseconds since 1970. */
  readonly at: number;
  /** Why the file does not hold it: a sentence for the user. */
  readonly reason: string;
  /** What the agent had proposed. */
  readonly proposed: string;
  /** The whole text, with what the user typed. */
  readonly text: string;
}

/** Recovered edits in a list. */
export type RecoveredEditsSummary = Omit<RecoveredEdits, "proposed" | "text">;

/** The recovered edits of this user, from every companion. */
export interface Edits {
  /** Newest first, without those whose file holds their text by now. */
  list(): readonly RecoveredEditsSummary[];
  read(id: string): RecoveredEdits | undefined;
  /** Forgets them for good. @returns false when there are none of this id */
  discard(id: string): boolean;
  /** @throws Error when the disk does not take them */
  add(edits: Omit<RecoveredEdits, "id" | "at">): RecoveredEdits;
}

/** The edits of a frontend that no companion uses yet. */
export const noEdits: Omit<Edits, "add"> = {
  list: () => [],
  read: () => undefined,
  discard: () => false,
};

/** What is in the file of a text. */
export interface EditsRecord extends RecoveredEdits {
  /** The process that still takes care of it; absent once the text waits for its user. */
  readonly owner?: Owner;
}

/** A record without its texts, and how many bytes the user's text has in a file. */
export interface ScannedRecord extends Omit<EditsRecord, "proposed" | "text"> {
  readonly bytes: number;
}

/** The folder in which texts outlast their companion, one file each. */
export type EditsFolder = RecordFolder<EditsRecord, ScannedRecord>;

/** @param folder absolute path */
export function openEditsFolder(folder: string): EditsFolder {
  return openRecordFolder({ folder, what: "edits", parse: parseRecord, summarize: toScanned });
}

/** What a list needs of a record. */
export const toScanned = ({ proposed: _, text, ...rest }: EditsRecord): ScannedRecord => ({
  ...rest,
  bytes: Buffer.byteLength(text),
});

/** @throws Error that says what is wrong */
function parseRecord(text: string): EditsRecord {
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw new Error("it is no object");
  const { owner } = value;
  const string = (name: string) => stringIn(value, name);
  if (typeof value.at !== "number") throw new Error("at is missing");
  return {
    id: string("id"),
    filePath: string("filePath"),
    agent: string("agent"),
    at: value.at,
    reason: string("reason"),
    proposed: string("proposed"),
    text: string("text"),
    ...(owner === undefined ? {} : { owner: parseOwner(owner) }),
  };
}

function parseOwner(value: unknown): Owner {
  if (!isObject(value)) throw new Error("owner is no object");
  const { pid, host, start } = value;
  if (typeof pid !== "number" || typeof host !== "string" || typeof start !== "string") {
    throw new Error("owner is incomplete");
  }
  return { pid, host, start };
}

/** The process that still takes care of a text. */
interface Owner {
  readonly pid: number;
  readonly host: string;
  /** Tells the process from a later one with its number; empty where the system does not say. */
  readonly start: string;
}

/** How long the owner on another machine, or in another container, may be silent; in milliseconds. */
const foreignSilence = 10 * 60_000;

export function thisProcess(): Owner {
  return { pid: process.pid, host: hostname(), start: startOf(process.pid) };
}

/**
 * Whether a process still takes care of its text.
 * @param writtenAt when the text was last written, in milliseconds since 1970
 */
export function isAlive({ pid, host, start }: Owner, writtenAt: number): boolean {
  // A home folder may be shared by machines and containers, whose processes we do not see.
  if (host !== hostname()) return Date.now() - writtenAt < foreignSilence;
  const bootedAt = Date.now() - uptime() * 1000;
  return writtenAt > bootedAt - 1000 && pidIsAlive(pid) && startOf(pid) === start;
}

/** Clock ticks from the system's start to the process's. */
function startOf(pid: number): string {
  if (process.platform !== "linux") return "";
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name may hold spaces and brackets; 20 words after it comes the 22nd field.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return ""; // it has ended meanwhile
  }
}
