import type { LiveFinding } from "../../agents/agent.ts";
import { toTerminalEnv } from "../../agents/discovery/announced.ts";
import { toAddress } from "../../agents/discovery/find-companions.ts";
import { type Host, toLoopbackEnv } from "../../system/host.ts";

/**
 * The variables that bind an agent's CLI to a companion.
 * @param agent by default the one by whose file the companion was found
 */
export function toAgentEnv(
  finding: LiveFinding,
  host: Host,
  inContainer: boolean,
  agent = finding.agent,
): Readonly<Record<string, string>> {
  return {
    ...toLoopbackEnv(host.env),
    // The companion was found on this side: in a container, it is in the same one.
    ...(inContainer && agent.containerEnv),
    ...toTerminalEnv(agent, toAddress(finding), host),
  };
}
