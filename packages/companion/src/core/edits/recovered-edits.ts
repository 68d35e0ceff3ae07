import { stringIn } from "../../system/json.ts";
import { RecordFolder, type RecordHead } from "../../system/record-folder.ts";
import { parseOwner } from "../../system/record-owner.ts";
import type { OwnedRecord } from "../../system/record-store.ts";

/** A text that the user typed in a proposal, and that its file does not hold. */
export interface RecoveredEdits extends RecordHead {
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
export interface EditsRecord extends RecoveredEdits, OwnedRecord {}

/** A record without its texts, and how many bytes the user's text has in a file. */
export interface ScannedRecord extends Omit<EditsRecord, "proposed" | "text" | "onDisk"> {
  readonly bytes: number;
}

/** The folder in which texts outlast their companion, one file each. */
export type EditsFolder = RecordFolder<EditsRecord, ScannedRecord>;

/** @param folder absolute path */
export function openEditsFolder(folder: string): EditsFolder {
  return new RecordFolder<EditsRecord, ScannedRecord>({
    ...{ folder, what: "edits", summarize: toScanned },
    parse: (head, { owner, onDisk, openedAt, ...fields }) => ({
      ...head,
      reason: stringIn(fields, "reason"),
      proposed: stringIn(fields, "proposed"),
      text: stringIn(fields, "text"),
      ...(typeof onDisk === "string" && { onDisk }),
      ...(typeof openedAt === "number" && { openedAt }),
      ...(owner !== undefined && { owner: parseOwner(owner) }),
    }),
  });
}

/** What a list needs of a record. */
const toScanned = ({ proposed: _, onDisk: __, text, ...rest }: EditsRecord): ScannedRecord => ({
  ...rest,
  bytes: Buffer.byteLength(text),
});
