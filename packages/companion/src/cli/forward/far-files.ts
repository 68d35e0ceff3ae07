import path from "node:path";
import type { Address, Agent, DiscoveryEntry, LiveFinding } from "../../agents/agent.ts";
import { messageOf } from "../../system/error-message.ts";
import type { FarHost, SshSession } from "./ssh-session.ts";

export interface FarCompanion {
  readonly far: FarHost;
  /** Where agents over there reach each port of the companion. */
  readonly ports: ReadonlyMap<number, number>;
  /** Each agent's own route to the companion. */
  readonly findings: readonly LiveFinding[];
  /** Absolute, as the other machine writes them. */
  readonly roots: readonly string[];
}

/** Which agents of the other machine find the companion. */
export interface Announced {
  readonly found: readonly Agent[];
  /** Sentences. */
  readonly failures: string[];
}

/**
 * Lets the agents of the other machine find the companion that find theirs by a port.
 * @returns those that do, and why others do not
 */
export async function writeFarFiles(session: SshSession, companion: FarCompanion): Promise<Announced> {
  const failures: string[] = [];
  const found = new Set<Agent>();
  for (const { agent, entry } of toEntries(companion)) {
    try {
      for (const folder of entry.folders) await session.makeFolder(toSlashes(folder));
      await session.writeFile(toSlashes(entry.path), JSON.stringify(entry.content));
      found.add(agent);
    } catch (error) {
      failures.push(messageOf(error));
    }
  }
  return { found: [...found], failures };
}

function toEntries({
  far,
  ports,
  findings,
  roots,
}: FarCompanion): readonly { readonly agent: Agent; readonly entry: DiscoveryEntry }[] {
  const firsts = new Map<Agent, LiveFinding>();
  for (const finding of findings) {
    if (ports.has(finding.port) && !finding.agent.isOwn && !firsts.has(finding.agent)) {
      firsts.set(finding.agent, finding);
    }
  }
  return [...firsts.values()].flatMap((finding) =>
    finding.agent
      .discoveryFiles(toFarAddress(finding, ports.get(finding.port) ?? 0, far.pid, roots), far)
      // A name that several companions share may be another one's there.
      .filter(({ shared }) => !shared)
      .map((entry) => ({ agent: finding.agent, entry })),
  );
}

function toFarAddress(
  { token, ide }: LiveFinding,
  port: number,
  pid: number,
  roots: readonly string[],
): Address {
  return {
    port,
    token: token ?? "",
    roots,
    ide: ide ?? { name: "editor", displayName: "Editor" },
    pid,
    serverPid: pid,
  };
}

const toSlashes = (file: string) => file.replaceAll(path.sep, "/");
