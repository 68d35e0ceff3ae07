export type { LiveFinding, Terminal as FindIdeOptions } from "../agents/agent.ts";
export {
  type Choice,
  chooseCompanion,
  type DeadFinding,
  type Finding,
  findCompanions,
  onePerCompanion,
} from "../agents/discovery/find-companions.ts";
export { geminiFamilyAgents as agents } from "../agents/gemini-family/agents.ts";
export type { IdeContext } from "../agents/gemini-family/contract/context.ts";
export type { DetectedIde, Discovered, Endpoint, JudgedFile } from "../agents/gemini-family/family-cli.ts";
export {
  type FoundIde,
  findIde,
  findIdeProcess,
  type IdeProcess,
  type WalkOptions,
} from "../agents/gemini-family/ide-process.ts";
export type { FamilyAgent as Agent } from "../agents/gemini-family/quirks.ts";
export { holds } from "../files/workspace-path.ts";
export type { Host } from "../system/host.ts";
export { systemHost } from "../system/host.ts";
export {
  lineageOf,
  type ProcessInfo,
  type ProcessTable,
  parsePs,
  parseWin32Processes,
  readProcessTable,
} from "../system/processes/process-table.ts";
export { createLoopbackFetch, type LoopbackFetch } from "../transport/loopback.ts";
export {
  type CompanionClient,
  type ConnectOptions,
  connectByHttp,
  connectByStdio,
  connectCompanion,
  DiffRefused,
  type WireOptions,
} from "./companion-client.ts";
export { detectEditor } from "./editors.ts";
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
export { ConnectionLost, type HttpAddress } from "./transport.ts";
