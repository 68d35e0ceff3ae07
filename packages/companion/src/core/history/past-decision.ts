import { isObject, type JsonObject, stringIn } from "../../system/json.ts";
import { RecordFolder, type RecordHead, type RecordLimits } from "../../system/record-folder.ts";
import { parseComments } from "../comments/comment.ts";
import type { Comment } from "../editor.ts";
import type { FileResult, Settlement } from "../events.ts";
import { inEnglish, type OutcomeCode, outcomes } from "../sentences.ts";

/** What is remembered of decisions; the oldest are dropped by whichever limit is reached first. */
export const historyLimits = {
  days: 30,
  least: 100,
  records: 500,
  /** Of all files together. */
  bytes: 32 * 1024 * 1024,
} as const satisfies RecordLimits;

/** UTF-16 units of the texts of one decision: longer ones are not kept, only that and how it was decided. */
export const maxUnits = 4 * 1024 * 1024;

/** The texts of a decision. */
export interface DecisionTexts {
  /** The file when the change was proposed; null when there was none, absent when it held no text. */
  readonly before?: string | null;
  readonly proposed: string;
  /** The accepted text, where the user had edited the proposed one. */
  readonly accepted?: string;
  /** The proposed text as the user had edited it, where that is not what was accepted. */
  readonly edited?: string;
}

/** The text that was accepted; or as it stood when the proposal ended otherwise. */
export const finalTextOf = (outcome: Settlement["kind"], texts: DecisionTexts): string =>
  (outcome === "accepted" ? texts.accepted : texts.edited) ?? texts.proposed;

/** An accepted change has been taken out of its file, or a change has been put into it. */
export type Later = "undone" | "reapplied";

/** One proposal that has ended. */
export interface PastDecision extends RecordHead {
  readonly outcome: Settlement["kind"];
  /** How it ended, of `outcomes` in core/sentences.ts: `accepted-edited`, `closed: agent`. */
  readonly code: OutcomeCode;
  /** What became of the file after an acceptance. */
  readonly fileResult?: FileResult;
  /** What the user has done with it since, in this file: the last of it. */
  readonly later?: Later;
  /** The decisions on what an agent proposed for one prompt have the same; absent where that is not known. */
  readonly turn?: string;
  /** Lines that it adds and removes; absent where its file holds no text, or where that was not counted. */
  readonly added?: number;
  readonly removed?: number;
  /** The recovered edits of its proposal; their user may have discarded them since. */
  readonly editsId?: string;
  /** What the user has sent with the decision; absent where there was nothing, or the file is kept from agents. */
  readonly comments?: readonly Comment[];
  /** Absent where they are too long, or those of a file that is kept from agents. */
  readonly texts?: DecisionTexts;
}

/** A decision in a list. */
export type ScannedDecision = Omit<PastDecision, "texts" | "comments">;

/** The folder of this user's decisions, those of every companion. */
export type HistoryFolder = RecordFolder<PastDecision, ScannedDecision>;

/** @param folder absolute path */
export function openHistoryFolder(folder: string): HistoryFolder {
  return new RecordFolder({
    folder,
    what: "decision",
    parse: parseDecision,
    summarize: ({ texts: _, comments: __, ...decision }) => decision,
  });
}

const kinds = ["accepted", "rejected", "closed"] as const;
const results = ["written", "not-written", "overwritten"] as const;
const laters = ["undone", "reapplied"] as const satisfies readonly Later[];

/** @throws Error that says what is wrong */
function parseDecision(head: RecordHead, value: JsonObject): PastDecision {
  const { texts, comments, added, removed } = value;
  const outcome = kinds.find((one) => one === value.outcome);
  if (outcome === undefined) throw new Error("outcome is missing");
  const fileResult = results.find((one) => one === value.fileResult);
  const later = laters.find((one) => one === value.later);
  return {
    ...head,
    outcome,
    code: parseCode(value, outcome),
    ...(fileResult && { fileResult }),
    ...(later && { later }),
    ...(typeof value.turn === "string" && { turn: value.turn }),
    ...(typeof added === "number" && typeof removed === "number" && { added, removed }),
    ...(typeof value.editsId === "string" && { editsId: value.editsId }),
    ...(comments !== undefined && { comments: parseComments(comments) }),
    ...(isObject(texts) && { texts: parseTexts(texts) }),
  };
}

/** Older records have the sentence that the code stands for. */
function parseCode({ code, text, agent }: JsonObject, outcome: Settlement["kind"]): OutcomeCode {
  const known = Object.keys(outcomes) as OutcomeCode[];
  const found =
    known.find((one) => one === code) ??
    known.find((one) => inEnglish(outcomes[one], String(agent)) === text);
  return found ?? (outcome === "closed" ? "closed: session-ended" : outcome);
}

function parseTexts(texts: JsonObject): DecisionTexts {
  const { before, accepted, edited } = texts;
  return {
    ...((typeof before === "string" || before === null) && { before }),
    proposed: stringIn(texts, "proposed"),
    ...(typeof accepted === "string" && { accepted }),
    ...(typeof edited === "string" && { edited }),
  };
}

/** The decisions of this user, of every companion. */
export interface DecisionHistory {
  /** Newest first, without their texts. */
  list(): readonly ScannedDecision[];
  /** @returns undefined when there is none of this id */
  read(id: string): PastDecision | undefined;
  /** @returns the id of the proposal of this companion that was decided so; undefined when it is none of the last ones */
  proposalOf(id: string): string | undefined;
  /** To be called when its change has been taken out of the file, or put into it afterwards. */
  note(id: string, later: Later): void;
  /** To be called when an editor shows the file so, unsaved: it is noted once the file holds this text. */
  noteOnceSaved(id: string, later: Later, file: { filePath: string; text: string }): void;
  /** Calls back whenever the list is another one. @returns how to stop */
  onChange(listener: () => void): () => void;
}
