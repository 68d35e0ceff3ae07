export type {
  Address,
  Agent,
  AgentIdentity,
  AgentVariables,
  Announcement,
  DiscoveryEntry,
  DiscoveryFolder,
  FileName,
  SweptFolder,
} from "./agents/agent.ts";
export { servedAgents as agents } from "./agents/agents.ts";
export { DiscoveryError } from "./agents/discovery/discovery.ts";
export {
  type Companion,
  type CompanionOptions,
  type Sent,
  startCompanion,
} from "./companion.ts";
export type { CommentedOutcome, Comments, RecoveredComments } from "./core/comments/comment.ts";
export type { Context, ContextFile, Withheld } from "./core/context.ts";
export type {
  CloseReason,
  Comment,
  CommentChanges,
  Decision,
  DecisionResult,
  Diagnostic,
  DiffState,
  DiffUpdate,
  Editor,
  EditorContext,
  EditorFile,
  EditorInfo,
  FileLocation,
  HideReason,
  OptionalCapabilities,
  Position,
  Proposal,
  Range,
  Rebase,
  ShownChange,
  TerminalScreen,
} from "./core/editor.ts";
export type { Edits, RecoveredEdits, RecoveredEditsSummary } from "./core/edits/recovered-edits.ts";
export type {
  CompanionEvent,
  FileResult,
  OnCompanionEvent,
  SessionInfo,
  Settlement,
} from "./core/events.ts";
export type {
  DecisionHistory,
  DecisionTexts,
  Later,
  PastDecision,
  ScannedDecision,
} from "./core/history/past-decision.ts";
export type { HunkPlace } from "./core/hunks.ts";
export type { Mention, PromptMessage } from "./core/prompt-message.ts";
export { type Notice, notices, type OutcomeCode, outcomes, type Say, toSentence } from "./core/sentences.ts";
export type { Sharing } from "./core/sharing/sharing.ts";
export type { CompanionStatus, ConnectedSession, StatusPart } from "./core/status.ts";
export type { AcceptingAhead, OpenTurns, Turn } from "./core/turns.ts";
export type { FileImage, FileText } from "./files/file-text.ts";
export type { Host } from "./system/host.ts";
export type { RecordHead } from "./system/record-folder.ts";
export { version } from "./version.ts";
