import { discoveryClients } from "../../agents/agents.ts";
import { findCompanions } from "../../agents/discovery/find-companions.ts";
import { holds } from "../../files/workspace-path.ts";
import type { Host } from "../../system/host.ts";
import { isObject, tryParseJson } from "../../system/json.ts";
import { createLoopbackFetch } from "../../transport/loopback.ts";

/** Milliseconds that companions have for an answer: an agent waits. */
const patience = 2000;

/**
 * The command line of the CLI that calls us, where it is connected to a companion that runs and serves its folder.
 * The companion itself says so: what one has left that was killed makes no CLI wait for nobody.
 */
export async function findConnectedCli(folder: string, host: Host): Promise<string | undefined> {
  const ownClients = discoveryClients.filter(({ isOwn }) => isOwn);
  const found = await findCompanions(host, ownClients);
  const serving = found.flatMap((one) => (one.result === "live" && holds(one.roots, folder) ? [one] : []));
  const fetch = createLoopbackFetch();
  const signal = AbortSignal.timeout(patience);
  const ask = async ({ port, token }: (typeof serving)[number]) => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`http://127.0.0.1:${port}/connected?pid=${process.pid}`, { headers, signal });
    const said = tryParseJson(await answer.text());
    return answer.ok && isObject(said) && typeof said.command === "string" ? said.command : undefined;
  };
  // Companions that hang or are of an earlier version say nothing.
  const answers = await Promise.all(serving.map((one) => ask(one).catch(() => undefined)));
  fetch.close();
  return answers.find((command) => command !== undefined);
}
