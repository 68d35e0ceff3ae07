export type { Agent } from "./agents/agent.ts";
export { agents } from "./agents/agents.ts";
export { DiscoveryError } from "./agents/discovery/discovery.ts";
export { type Companion, type CompanionOptions, type Sent, startCompanion } from "./companion.ts";
export type { Comments, RecoveredComments } from "./core/comments/comment.ts";
export type {
  CloseReason,
  Comment,
  Decision,
  DecisionResult,
  Diagnostic,
  Editor,
  EditorContext,
  EditorFile,
  FileLocation,
  OptionalCapabilities,
  Position,
  Proposal,
  Range,
} from "./core/editor.ts";
export type { Edits, RecoveredEdits, RecoveredEditsSummary } from "./core/edits/recovered-edits.ts";
export type {
  CompanionEvent,
  FileResult,
  OnCompanionEvent,
  SessionInfo,
  Settlement,
} from "./core/events.ts";
export type { Mention, PromptMessage } from "./core/prompt-message.ts";
export type { Turn } from "./core/turns.ts";
export type { Host } from "./system/host.ts";
export { version } from "./version.ts";
