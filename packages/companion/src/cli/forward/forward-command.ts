import type { LiveFinding, Relay } from "../../agents/agent.ts";
import { agents } from "../../agents/agents.ts";
import type { PathMap } from "../../files/path-map.ts";
import { exitCodes, type Invocation, UsageError } from "../invocation.ts";
import { createLifetime } from "../review/lifetime.ts";
import { findServing } from "../serving.ts";
import { type Forwarding, followFolders, keepConnected } from "./forwarding.ts";
import { createSharedFolders, toNamedFolder } from "./shared-folders.ts";

/** Lets agents on another machine use the companion of this folder, until that ends or the user says so. */
export async function runForward(invocation: Invocation): Promise<number> {
  const { arguments: given, folder, err } = invocation;
  const [name, there] = given.words;
  if (name === undefined)
    throw new UsageError("name the machine, as ssh takes it: ide-companion forward HOST");
  const serving = await findServing(invocation, { agents, folders: [folder] });
  if (!serving) return exitCodes.failure;
  const named = toNamedFolder(serving.chosen, there);
  const folders = createSharedFolders();
  const relays = await startRelays(serving.findings, folders.map);
  const lifetime = createLifetime();
  const stop = new AbortController();
  const ended = lifetime.ended.finally(() => stop.abort());
  const { findings } = serving;
  const { signal } = stop;
  const forwarding: Forwarding = { invocation, name, named, folders, relays, signal, findings };
  try {
    return await Promise.race([
      ended,
      keepConnected(forwarding).then(() => ended),
      followFolders(forwarding).then(() => {
        if (signal.aborted) return ended;
        err.line(`${err.paint.red("error:")} the companion has ended`);
        return exitCodes.failure;
      }),
    ]);
  } finally {
    stop.abort();
    await forwarding.session?.close();
    for (const relay of relays.values()) await relay.close();
    lifetime.close();
  }
}

/** One for each port of the companion, as the agents behind it speak. */
async function startRelays(
  findings: readonly LiveFinding[],
  map: PathMap,
): Promise<ReadonlyMap<number, Relay>> {
  const relays = new Map<number, Relay>();
  for (const { agent, port } of findings) {
    if (relays.has(port)) continue;
    const cli = await agent.loadCli();
    const relay = await cli.startRelay?.({ port, map });
    if (relay) relays.set(port, relay);
  }
  return relays;
}
