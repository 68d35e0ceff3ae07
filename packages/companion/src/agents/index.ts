import type { Agent } from "./agent.ts";
import { gemini } from "./gemini.ts";
import { qwen } from "./qwen.ts";

/** Every agent CLI we speak with. A new one is one more entry here. */
export const agents: readonly Agent[] = [gemini, qwen];

export {
  type Address,
  type Agent,
  type ClientInfo,
  type DiscoveryEntry,
  type DiscoveryFolder,
  type Host,
  plainQuirks,
  type Quirks,
} from "./agent.ts";
export type {
  AgentCli,
  Discovered,
  Endpoint,
  Environment,
  HttpEndpoint,
  IdeVariables,
  JudgedFile,
  SettingsCheck,
  StdioEndpoint,
  TerminalSigns,
  WorkspaceCheck,
} from "./agent-cli.ts";
export { toUnset, withEnvironment } from "./environment.ts";
export type { DetectedIde } from "./ides.ts";
export { systemHost } from "./system-host.ts";
export { holds, innermostRoot, parseWorkspacePath, toWorkspacePath } from "./workspace-path.ts";
