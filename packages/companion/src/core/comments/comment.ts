import { isObject, stringIn } from "../../system/json.ts";
import { RecordFolder } from "../../system/record-folder.ts";
import { type Owner, parseOwner } from "../../system/record-owner.ts";
import type { Comment } from "../editor.ts";

/** How the change was decided that comments belong to. */
export type CommentedOutcome = "accepted" | "rejected" | "closed";

/** Comments of one proposal that no agent has received. */
export interface RecoveredComments {
  /** Eight hexadecimal digits. */
  readonly id: string;
  /** Exactly as the agent sent it. */
  readonly filePath: string;
  /** The proposing agent's name for people. */
  readonly agent: string;
  /** When they were written last, in milliseconds since 1970. */
  readonly at: number;
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
export interface CommentsRecord extends RecoveredComments {
  /** The process that still takes care of them; absent once they wait for their user. */
  readonly owner?: Owner;
}

/** The folder in which comments outlast their companion, one file for each proposal. */
export type CommentsFolder = RecordFolder<CommentsRecord, CommentsRecord>;

/** @param folder absolute path */
export function openCommentsFolder(folder: string): CommentsFolder {
  return new RecordFolder({
    folder,
    what: "comments",
    parse: parseRecord,
    summarize: (record) => record,
  });
}

const outcomes: readonly CommentedOutcome[] = ["accepted", "rejected", "closed"];

/** By hand: a companion's start is too short for a library of schemas. @throws Error that says what is wrong */
function parseRecord(text: string): CommentsRecord {
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw new Error("it is no object");
  const { at, comments, owner } = value;
  if (typeof at !== "number") throw new Error("at is missing");
  const outcome = outcomes.find((one) => one === value.outcome);
  return {
    id: stringIn(value, "id"),
    filePath: stringIn(value, "filePath"),
    agent: stringIn(value, "agent"),
    at,
    reason: stringIn(value, "reason"),
    ...(outcome && { outcome }),
    comments: parseComments(comments),
    ...(owner === undefined ? {} : { owner: parseOwner(owner) }),
  };
}

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
