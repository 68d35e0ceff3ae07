import type { AgentName } from "../agents.ts";
import type { DiscoveryFile, SystemFolders } from "./discovery-file.ts";

/** The companion under test. */
export interface Target {
  readonly port: number;
  /** Its display name, for the report. */
  readonly name: string;
  /** The token of each agent that it serves. */
  readonly tokens: ReadonlyMap<AgentName, string>;
  /** Its discovery files; none when it was named by its address. */
  readonly files: readonly DiscoveryFile[];
  /** Where they are. */
  readonly systemFolders: SystemFolders;
  /** The folders that it says are open. */
  readonly roots: readonly string[];
}

/** The agents that a companion serves. */
export function agentsOf({ tokens }: Target): readonly AgentName[] {
  return [...tokens.keys()];
}
