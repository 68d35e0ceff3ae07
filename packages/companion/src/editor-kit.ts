/** What an editor that runs in this process needs besides `startCompanion`: the parts that frontends are made of. */

export { type CountingMode, ReviewSwitch } from "./agents/review-switch.ts";
export type { CommentedOutcome, RecoveredComments } from "./core/comments/comment.ts";
export { type CommentsToSend, toMessage } from "./core/comments/message.ts";
export type { Context, ContextFile, Withheld } from "./core/context.ts";
export type {
  CloseReason,
  Comment,
  Diagnostic,
  HideReason,
  Position,
  Proposal,
  Range,
} from "./core/editor.ts";
export type { RecoveredEdits } from "./core/edits/recovered-edits.ts";
export { toLogLine } from "./core/event-text.ts";
export type { CompanionEvent, FileResult, SessionInfo, Settlement } from "./core/events.ts";
export {
  type DecisionTexts,
  finalTextOf,
  type Later,
  type PastDecision,
} from "./core/history/past-decision.ts";
export { laterOf, planRewrite, type Rewrite, type Rewriting } from "./core/history/rewrite.ts";
export { countLines, findHunks, type Hunk, nextOf } from "./core/hunks.ts";
export { isMentions, type Mention, type PromptMessage, toPromptText } from "./core/prompt-message.ts";
export {
  describeOutcome,
  explainReason,
  faintDifferences,
  fileResults,
  inEnglish,
  laters,
  type Notice,
  notices,
  type OutcomeCode,
  outcomes,
  type RewriteTrouble,
  reasons,
  reviewModeMeanings,
  rewriteTroubles,
  type Say,
  toSentence,
  withheld,
} from "./core/sentences.ts";
export { defaultExclusions, toPatterns } from "./core/sharing/exclusion.ts";
export { createSharing, type Sharing, type SharingOptions } from "./core/sharing/sharing.ts";
export type { AcceptingAhead, Turn } from "./core/turns.ts";
export {
  type AnyProposal,
  type AnyTurn,
  groupWaiting,
  progressOf,
  toStopPatterns,
  type WaitingGroup,
} from "./core/waiting-groups.ts";
export { type ReviewMode, reviewModes } from "./core/written/review-mode.ts";
export { type FaintDifference, findFaintDifference } from "./files/comparable-text.ts";
export type { FileKind, FileLook } from "./files/file-stamp.ts";
export { type FileImage, type FileNow, type FileText, readFileNow, readFileText } from "./files/file-text.ts";
export { holdsClash } from "./files/merge.ts";
export { type FileBefore, type WritingRules, writeReviewedFile } from "./files/reviewed-file.ts";
export { safeText } from "./files/safe-text.ts";
export { holds, isInside } from "./files/workspace-path.ts";
export { keepLineEnds } from "./files/written-form.ts";
export { rangeOf, revert, touches } from "./frontends/lsp/plain/hunks.ts";
export { rebaseUnsaved } from "./frontends/protocol/buffer-edits.ts";
export {
  type FileWrite,
  followWritten,
  type WrittenFrontend,
  type WrittenFrontendOptions,
} from "./frontends/protocol/written-frontend.ts";
export type { HunkChoice, PlacedHunk } from "./frontends/protocol/written-hunks.ts";
export type { WrittenRecord } from "./frontends/protocol/written-list.ts";
export { messageOf } from "./system/error-message.ts";
export { type Host, isInContainer, systemHost, toLoopbackEnv } from "./system/host.ts";
export type { RecordHead } from "./system/record-folder.ts";
