import { basename } from "node:path";
import { type FilePathRules, whyNoFilePath } from "../files/file-path.ts";
import type { FileNow, FileText } from "../files/file-text.ts";
import type { CommentsDraft } from "./comments/comments-store.ts";
import type { CloseReason, Comment, Decision, DiffState, Proposal } from "./editor.ts";
import type { Draft } from "./edits/edits-store.ts";
import type { Notice } from "./sentences.ts";

/** A change as an agent proposes it. */
export interface NewProposal {
  /** By what its agent names it later, unique within the session: most have one diff a file. */
  readonly key: string;
  /** Absolute; exactly as the agent sent it. */
  readonly filePath: string;
  /** The whole proposed text. */
  readonly newContent: string;
  /** Why the user's edits cannot reach the agent. Absent when they can. */
  readonly readOnlyReason?: Notice;
  readonly opensOneDiff?: boolean;
  /** The file, when it has been read right before. */
  readonly now?: FileNow;
}

/** A proposal under review, and what becomes of it. */
export interface Review {
  readonly key: string;
  /** As it stands against its file. */
  proposal: Proposal;
  readonly owner: ReviewOwner;
  /** The file that its text is made from. */
  base: FileText;
  /** Of the file that it was compared with last. */
  stamp: string;
  state: DiffState;
  /** Settles once; a decision after that does not count. */
  settled: boolean;
  /** Answers the agent's call; its diff may end, as with its window, while the editor is still showing it. */
  answer?: () => void;
  /** The editor has been asked to show it and has answered. */
  opened: Promise<void>;
  /** What the user has typed in it. */
  readonly draft: Draft;
  /** What the user has written about it. */
  readonly comments: CommentsDraft;
  /** The text with which it has ended. */
  final: string | undefined;
  /** What came after that. */
  late: Draft | undefined;
}

/** The session behind a proposal, as far as diffs are concerned. */
export interface ReviewOwner {
  readonly id: string;
  /** The agent's name for people. */
  readonly agent: string;
  /** It has ended: nobody would hear of a diff's outcome, or close it. */
  readonly isOver: boolean;
  /** Called exactly once for a proposal that the agent has not closed itself. */
  deliver(outcome: Outcome, proposal: Proposal): void;
  /** Its outcomes carry the user's comments, and `outcome-delivered` says that it has them. */
  readonly takesComments?: boolean;
  /** Why this agent cannot take a text that the user wants to accept. */
  objectionTo?(content: string, proposal: Proposal): Notice | undefined;
}

/** How a proposal ended, as its agent hears it. */
export type Outcome =
  | {
      readonly kind: "accepted";
      /** The final text, the user's edits included. */
      readonly content: string;
      /** What the user has sent with the decision; never none. */
      readonly comments?: readonly Comment[];
    }
  | { readonly kind: "rejected"; readonly comments?: readonly Comment[] }
  /** Nobody has decided, and nobody will. An agent that closes its own diff does not hear this. */
  | { readonly kind: "closed"; readonly reason: Exclude<CloseReason, "agent"> };

export type Acceptance = Extract<Decision, { readonly kind: "accepted" }>;

/**
 * @returns the text that the agent hears of when the user accepts, and why that text cannot be accepted, if so: a
 *   sentence for the user
 */
export function judge(
  { owner, proposal }: Pick<Review, "owner" | "proposal">,
  { content, ownVersion = false }: Acceptance,
): { readonly accepted: string; readonly objection: Notice | undefined } {
  const { newContent, readOnlyReason, agent } = proposal;
  const isReadOnly = readOnlyReason !== undefined;
  const accepted = isReadOnly && ownVersion ? newContent : content;
  const objection =
    isReadOnly && accepted !== newContent
      ? ({ code: "edits-not-taken", values: [agent] } as const)
      : owner.objectionTo?.(accepted, proposal);
  return { accepted, objection };
}

/** Why a decision is not taken: another change of the same file was accepted, and has to be in it first. */
export const isBeingWritten = (writer: string, { filePath }: Proposal): Notice => ({
  code: "being-written",
  values: [writer, basename(filePath)],
});

/** Why a diff cannot be opened, closed or decided: one sentence for the agent's user. */
export class ReviewError extends Error {
  override readonly name = "ReviewError";
}

/** Open diffs of one session; a CLI opens one at a time, a runaway one must not bury the user. */
const maxOpenDiffs = 64;

/**
 * Refuses another diff of a session that has as many open as it may.
 * @throws ReviewError
 */
export function checkRoom(agent: string, open: number): void {
  if (open < maxOpenDiffs) return;
  throw new ReviewError(`${agent} has ${open} diffs open already, ${maxOpenDiffs} at most: decide one first`);
}

/**
 * Refuses a path that cannot name a file, or should not be looked at, with a sentence that says why. Comes before
 * anything asks the system about a path that an agent has named.
 * @throws ReviewError
 */
export function checkFilePath(filePath: string, rules: FilePathRules): void {
  const reason = whyNoFilePath(filePath, rules);
  if (reason !== undefined) throw new ReviewError(`filePath ${reason}`);
}
