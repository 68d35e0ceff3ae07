import { z } from "zod";
import { openRecordFolder, type RecordFolder, type RecordLimits } from "../../system/record-folder.ts";

/** What is remembered of decisions; the oldest are dropped by whichever limit is reached first. */
export const historyLimits = {
  days: 30,
  records: 500,
  /** Of all files together. */
  bytes: 32 * 1024 * 1024,
} as const satisfies RecordLimits;

/** UTF-16 units of the texts of one decision: longer ones are not kept, only that and how it was decided. */
export const maxUnits = 4 * 1024 * 1024;

const Texts = z.object({
  /** The file when the change was proposed; null when there was none, absent when it held no text. */
  before: z.string().nullable().exactOptional(),
  proposed: z.string(),
  /** The accepted text, where the user had edited the proposed one. */
  accepted: z.string().exactOptional(),
});

const PastDecision = z.object({
  /** Eight hexadecimal digits. */
  id: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
  /** The proposing agent's name for people. */
  agent: z.string(),
  /** Exactly as the agent sent it. */
  filePath: z.string(),
  outcome: z.enum(["accepted", "rejected", "closed"]),
  /** The outcome for people, with its reason: `accepted with your edits`, `decided in the terminal`. */
  text: z.string(),
  /** What became of the file after an acceptance. */
  fileResult: z.enum(["written", "not-written", "overwritten"]).exactOptional(),
  /** Absent where they are too long, or those of a file that is kept from agents. */
  texts: Texts.exactOptional(),
});

/** One proposal that has ended. */
export type PastDecision = z.infer<typeof PastDecision>;

/** A decision in a list, and how many bytes its file has. */
export interface ScannedDecision extends Omit<PastDecision, "texts"> {
  readonly bytes: number;
}

/** The folder of this user's decisions, those of every companion. */
export type HistoryFolder = RecordFolder<PastDecision, ScannedDecision>;

/** @param folder absolute path */
export function openHistoryFolder(folder: string): HistoryFolder {
  return openRecordFolder({
    folder,
    what: "decision",
    parse: (text) => PastDecision.parse(JSON.parse(text)),
    summarize: ({ texts: _, ...decision }, bytes) => ({ ...decision, bytes }),
  });
}
