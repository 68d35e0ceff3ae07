export type {
  Address,
  Agent,
  AgentIdentity,
  AgentVariables,
  Announcement,
  DiscoveryEntry,
  DiscoveryFolder,
  FileName,
  FoundFile,
  LiveFinding,
  SweptFolder,
} from "../agents/agent.ts";
export {
  type Choice,
  chooseCompanion,
  type DeadFinding,
  type Finding,
  findCompanions,
  onePerCompanion,
} from "../agents/discovery/find-companions.ts";
export type { DiffComment, IdeContext } from "../agents/gemini-family/contract/context.ts";
export type { IdeInfo } from "../agents/gemini-family/contract/discovery.ts";
export type { HealthReport } from "../agents/gemini-family/contract/health.ts";
export type {
  Diagnostics,
  GetDiagnosticsInput,
  OpenFileInput,
} from "../agents/gemini-family/contract/tools.ts";
export type { EditorInfo } from "../core/editor.ts";
export { holds } from "../files/workspace-path.ts";
export type { Host } from "../system/host.ts";
export { systemHost } from "../system/host.ts";
export {
  lineageOf,
  type ProcessInfo,
  type ProcessTable,
  readProcessTable,
} from "../system/processes/process-table.ts";
export { createLoopbackFetch, type LoopbackFetch } from "../transport/loopback.ts";
export {
  agents,
  type CompanionClient,
  type ConnectOptions,
  connectByHttp,
  connectCompanion,
  type WireOptions,
} from "./companion-client.ts";
export { type HealthQuestion, readHealth } from "./health.ts";
export {
  type ContextStore,
  createContextStore,
  createIdeClient,
  type IdeClient,
  type IdeClientOptions,
  normalizeContext,
} from "./ide-client.ts";
export type { DiffOutcome } from "./pending-diffs.ts";
export type { IdeStatus } from "./persistent-connection.ts";
export type { TerminalDecision } from "./promised-diffs.ts";
export { DiffRefused } from "./tools.ts";
export { ConnectionLost, type HttpAddress } from "./transport.ts";
