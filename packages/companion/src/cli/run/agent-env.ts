import type { Address } from "../../agents/agent.ts";
import type { LiveFinding } from "../../client/find-companions.ts";
import type { Host } from "../../system/host.ts";
import { toLoopbackEnv } from "./proxies.ts";

/** The variables that bind an agent's CLI to a companion. */
export function toAgentEnv(
  finding: LiveFinding,
  host: Host,
  inContainer: boolean,
): Readonly<Record<string, string>> {
  const { agent } = finding;
  return {
    ...toLoopbackEnv(host.env),
    // The companion was found on this side: in a container, it is in the same one.
    ...(inContainer && agent.containerEnv),
    ...agent.terminalEnv(toAddress(finding), host),
  };
}

/** What a companion's file says of it. */
export function toAddress({ content, roots, pid }: LiveFinding): Address {
  return {
    port: content.port,
    token: content.authToken ?? "",
    roots,
    ide: content.ideInfo ?? { name: "", displayName: "" },
    // Only a file without any process in it has none; its agent has no variable for it either.
    pid: pid ?? 0,
    serverPid: content.serverPid ?? pid ?? 0,
  };
}
