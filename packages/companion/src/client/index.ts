export type { Agent } from "../agents/agent.ts";
export type { Discovered, Endpoint, JudgedFile } from "../agents/agent-cli.ts";
export { agents } from "../agents/agents.ts";
export type { IdeContext } from "../agents/gemini-family/contract/context.ts";
export type { DetectedIde } from "../agents/gemini-family/ides.ts";
export { holds } from "../files/workspace-path.ts";
export type { Host } from "../system/host.ts";
export { systemHost } from "../system/host.ts";
export { type Choice, chooseCompanion, onePerPort } from "./choose-companion.ts";
export {
  type CompanionClient,
  type ConnectOptions,
  connectByHttp,
  connectByStdio,
  connectCompanion,
  DiffRefused,
  type WireOptions,
} from "./companion-client.ts";
export { type ContextStore, createContextStore, normalizeContext } from "./context-store.ts";
export type { DiffOutcome } from "./diff-outcome.ts";
export { detectEditor } from "./editors.ts";
export { type DeadFinding, type Finding, findCompanions, type LiveFinding } from "./find-companions.ts";
export { type FindIdeOptions, type FoundIde, findIde } from "./find-ide.ts";
export { type HealthQuestion, readHealth } from "./health.ts";
export { createIdeClient, type IdeClient, type IdeClientOptions } from "./ide-client.ts";
export { createLoopbackFetch, type LoopbackFetch } from "./loopback-fetch.ts";
export type { IdeStatus } from "./persistent-connection.ts";
export { findIdeProcess, type IdeProcess, lineageOf, type WalkOptions } from "./processes/ide-process.ts";
export {
  type ProcessInfo,
  type ProcessTable,
  parsePs,
  parseWin32Processes,
} from "./processes/process-table.ts";
export { readProcessTable } from "./processes/read-process-table.ts";
export type { TerminalDecision } from "./promised-diffs.ts";
export { ConnectionLost, type HttpAddress } from "./transport.ts";
