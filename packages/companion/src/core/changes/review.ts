import { basename } from "node:path";
import { type FilePathRules, whyNoFilePath } from "../../files/file-path.ts";
import type { FileNow } from "../../files/file-text.ts";
import type { CloseReason, Comment, Decision, Proposal } from "../editor.ts";
import type { Notice } from "../sentences.ts";

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

/** A change that its user accepts. */
interface Judged {
  readonly owner: ReviewOwner;
  readonly proposal: Proposal;
  /** As it stands. */
  readonly text: string;
}

/**
 * @returns the text that the agent hears of when the user accepts, and why that text cannot be accepted, if so: a
 *   sentence for the user
 */
export function judge(
  { owner, proposal, text }: Judged,
  { ownVersion = false }: Acceptance,
): { readonly accepted: string; readonly objection: Notice | undefined } {
  const { newContent, readOnlyReason, agent } = proposal;
  const isReadOnly = readOnlyReason !== undefined;
  const accepted = isReadOnly && ownVersion ? newContent : text;
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
