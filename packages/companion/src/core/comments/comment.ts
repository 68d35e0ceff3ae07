import { isObject, stringIn } from "../../system/json.ts";
import { RecordFolder, type RecordHead } from "../../system/record-folder.ts";
import { parseOwner } from "../../system/record-owner.ts";
import type { OwnedRecord } from "../../system/record-store.ts";
import type { Comment } from "../editor.ts";

/** How the change was decided that comments belong to. */
export type CommentedOutcome = "accepted" | "rejected" | "closed";

/** Comments of one proposal that no agent has received. */
export interface RecoveredComments extends RecordHead {
  /** Why the agent has not received them, of `reasons` in core/sentences.ts; in records of older versions a sentence. */
  readonly reason: string;
  /** Absent where nothing was decided when they were saved last. */
  readonly outcome?: CommentedOutcome;
  /** Never none. */
  readonly comments: readonly Comment[];
}

/** The comments of this user that wait, from every companion. */
export interface Comments {
  /** Newest first. */
  list(): readonly RecoveredComments[];
  read(id: string): RecoveredComments | undefined;
  /** Forgets them for good. @returns false when there are none of this id */
  discard(id: string): boolean;
  /** Takes comments of a companion that has ended, instead of what it has saved of them itself. */
  add(comments: Pick<RecoveredComments, "filePath" | "agent" | "reason" | "comments">): void;
}

/** What is in the file of a proposal's comments. */
export interface CommentsRecord extends RecoveredComments, OwnedRecord {}

/** The folder in which comments outlast their companion, one file for each proposal. */
export type CommentsFolder = RecordFolder<CommentsRecord, CommentsRecord>;

/** @param folder absolute path */
export function openCommentsFolder(folder: string): CommentsFolder {
  return new RecordFolder<CommentsRecord, CommentsRecord>({
    ...{ folder, what: "comments", summarize: (record) => record },
    parse(head, fields) {
      const outcome = outcomes.find((one) => one === fields.outcome);
      return {
        ...head,
        reason: stringIn(fields, "reason"),
        ...(outcome && { outcome }),
        comments: parseComments(fields.comments),
        ...(fields.owner !== undefined && { owner: parseOwner(fields.owner) }),
      };
    },
  });
}

const outcomes: readonly CommentedOutcome[] = ["accepted", "rejected", "closed"];

/** @throws Error that says what is wrong */
export function parseComments(value: unknown): readonly Comment[] {
  if (!Array.isArray(value)) throw new Error("comments are missing");
  return value.map((one: unknown) => {
    if (!isObject(one)) throw new Error("a comment is no object");
    const { side, startLine, endLine } = one;
    if (side !== "proposed" && side !== "original") throw new Error("side is missing");
    if (typeof startLine !== "number" || typeof endLine !== "number") throw new Error("lines are missing");
    return {
      id: stringIn(one, "id"),
      side,
      startLine,
      endLine,
      quote: stringIn(one, "quote"),
      text: stringIn(one, "text"),
    };
  });
}
