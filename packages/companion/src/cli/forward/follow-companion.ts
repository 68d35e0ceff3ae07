import { setTimeout as wait } from "node:timers/promises";
import type { LiveFinding } from "../../agents/agent.ts";
import { discoveryClients } from "../../agents/agents.ts";
import { findCompanions } from "../../agents/discovery/find-companions.ts";
import type { Host } from "../../system/host.ts";
import { portIsServed } from "../../system/liveness.ts";

/** How often it is looked how the companion is, in milliseconds. */
const lookInterval = 2000;

/**
 * Waits until the companion serves other folders than these.
 * @param former every agent's route to it so far
 * @returns every agent's route to it as it is then; undefined when it has ended
 * @throws AbortError when the signal says so
 */
export async function nextRoots(
  host: Host,
  former: readonly LiveFinding[],
  roots: readonly string[],
  signal: AbortSignal,
): Promise<readonly LiveFinding[] | undefined> {
  for (;;) {
    await wait(lookInterval, undefined, { signal });
    const [known] = former;
    if (!known || !(await portIsServed(known.port))) return undefined;
    const findings = await findCompanions(host, discoveryClients);
    const live = findings.filter((finding) => finding.result === "live");
    const ports = former.map(({ port }) => port);
    const own = live.filter(({ port }) => ports.includes(port));
    // While its files are written again there may be none.
    const present = newestOf(own)?.roots ?? [];
    if (present.length > 0 && present.join("\n") !== roots.join("\n")) return own;
  }
}

/** Its files are written one after the other, and each agent's may name the same folder in another way. */
export const newestOf = (findings: readonly LiveFinding[]): LiveFinding | undefined =>
  findings
    .filter(({ agent }) => agent === findings[0]?.agent)
    .toSorted((one, other) => other.writtenAt - one.writtenAt)[0];
