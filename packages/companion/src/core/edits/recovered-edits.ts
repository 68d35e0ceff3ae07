import { isObject, stringIn } from "../../system/json.ts";
import { RecordFolder } from "../../system/record-folder.ts";
import { type Owner, parseOwner } from "../../system/record-owner.ts";

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
  /** Why the file does not hold it, of `reasons` in core/sentences.ts; in records of older versions a sentence. */
  readonly reason: string;
  /** What the agent had proposed. */
  readonly proposed: string;
  /** The whole text, with what the user typed. */
  readonly text: string;
  /** Of what the file held then, as `hashOf` tells it; absent where it held no text. */
  readonly onDisk?: string;
  /** When the change was proposed, in milliseconds since 1970: tells its proposal from others of the same file. */
  readonly openedAt?: number;
}

/** Recovered edits in a list. */
export type RecoveredEditsSummary = Omit<RecoveredEdits, "proposed" | "text" | "onDisk">;

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

/** What is in the file of a text. */
export interface EditsRecord extends RecoveredEdits {
  /** The process that still takes care of it; absent once the text waits for its user. */
  readonly owner?: Owner;
}

/** A record without its texts, and how many bytes the user's text has in a file. */
export interface ScannedRecord extends Omit<EditsRecord, "proposed" | "text" | "onDisk"> {
  readonly bytes: number;
}

/** The folder in which texts outlast their companion, one file each. */
export type EditsFolder = RecordFolder<EditsRecord, ScannedRecord>;

/** @param folder absolute path */
export function openEditsFolder(folder: string): EditsFolder {
  return new RecordFolder({ folder, what: "edits", parse: parseRecord, summarize: toScanned });
}

/** What a list needs of a record. */
export const toScanned = ({ proposed: _, onDisk: __, text, ...rest }: EditsRecord): ScannedRecord => ({
  ...rest,
  bytes: Buffer.byteLength(text),
});

/** @throws Error that says what is wrong */
function parseRecord(text: string): EditsRecord {
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw new Error("it is no object");
  const { owner, onDisk } = value;
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
    ...(typeof onDisk === "string" && { onDisk }),
    ...(typeof value.openedAt === "number" && { openedAt: value.openedAt }),
    ...(owner === undefined ? {} : { owner: parseOwner(owner) }),
  };
}
