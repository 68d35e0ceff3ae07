export { type Agent, agents, type Host } from "./agents/index.ts";
export { type Companion, type CompanionOptions, startCompanion } from "./companion.ts";
export type {
  CompanionEvent,
  FileResult,
  OnCompanionEvent,
  SessionInfo,
  Settlement,
} from "./companion-event.ts";
export type { Diagnostic } from "./contract/optional-capabilities.ts";
export { DiscoveryError } from "./discovery/index.ts";
export type {
  CloseReason,
  Decision,
  DecisionResult,
  Editor,
  EditorContext,
  EditorFile,
  FileLocation,
  OptionalCapabilities,
  Proposal,
} from "./editor.ts";
export type { Edits, RecoveredEdits, RecoveredEditsSummary } from "./edits/index.ts";
export { version } from "./version.ts";
