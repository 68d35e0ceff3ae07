import { sep } from "node:path";
import type { Agent, LiveFinding } from "../../agents/agent.ts";
import { toAddress } from "../../agents/discovery/find-companions.ts";
import { messageOf } from "../../system/error-message.ts";
import type { SshSession } from "./ssh-session.ts";

/**
 * Lets the agents of the other machine find the companion that find theirs by a port.
 * @param findings each agent's own route to the companion
 * @param ports where agents over there reach each port of the companion
 * @param roots absolute, as the other machine writes them
 * @returns those that do, and why others do not, in sentences
 */
export async function writeFarFiles(
  { far, makeFolder, writeFile }: SshSession,
  findings: readonly LiveFinding[],
  ports: ReadonlyMap<number, number>,
  roots: readonly string[],
) {
  const failures: string[] = [];
  const found = new Set<Agent>();
  const routes = findings.filter(({ agent, port }) => ports.has(port) && !agent.isOwn);
  for (const agent of new Set(routes.map((route) => route.agent))) {
    const route = routes.find((one) => one.agent === agent);
    if (!route) continue;
    const port = ports.get(route.port) ?? 0;
    const address = { ...toAddress(route), port, roots, pid: far.pid, serverPid: far.pid };
    for (const { path, content, folders, shared } of agent.discoveryFiles(address, far)) {
      // A name that several companions share may be another one's there.
      if (shared) continue;
      try {
        for (const folder of folders) await makeFolder(toSlashes(folder));
        await writeFile(toSlashes(path), JSON.stringify(content));
        found.add(agent);
      } catch (error) {
        failures.push(messageOf(error));
      }
    }
  }
  return { found, failures };
}

const toSlashes = (file: string) => file.replaceAll(sep, "/");
