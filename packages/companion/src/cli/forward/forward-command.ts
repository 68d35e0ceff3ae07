import { mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import type { Agent, Relay, RelayOptions } from "../../agents/agent.ts";
import { agents, discoveryClients } from "../../agents/agents.ts";
import { exitCodes, type Invocation, UsageError } from "../invocation.ts";
import { createLifetime } from "../review/lifetime.ts";
import { awaitServing, findServing, type Serving, type Wanted } from "../serving.ts";
import { toDisplayPath } from "../terminal/text.ts";
import { type Forwarding, followFolders, keepConnected } from "./forwarding.ts";
import { createSharedFolders, toNamedFolder } from "./shared-folders.ts";

/** Lets agents on another machine use the companion of this folder, and the next one after it, until the user says so. */
export async function runForward(invocation: Invocation): Promise<number> {
  const { arguments: given, folder, host, err } = invocation;
  const [name, there] = given.words;
  if (name === undefined)
    throw new UsageError("name the machine, as ssh takes it: ide-companion forward HOST");
  const wanted: Wanted = { agents: discoveryClients, folders: [folder] };
  const first = await findServing(invocation, wanted);
  if (!first) return exitCodes.failure;
  const named = toNamedFolder(first.chosen, there);
  const lifetime = createLifetime();
  const stop = new AbortController();
  const { signal } = stop;
  const ended = lifetime.ended.finally(() => stop.abort());
  try {
    await share({ invocation, name, named, signal, mayFail: true }, first);
    while (!signal.aborted) {
      const display = toDisplayPath(folder, host.home);
      err.line(err.paint.yellow(`The companion has ended. Waiting for the next one in ${display}.`));
      const next = await awaitServing(invocation, wanted, signal).catch(() => undefined); // stopped
      if (next) await share({ invocation, name, named, signal, mayFail: false }, next);
    }
    return await ended;
  } finally {
    stop.abort();
    lifetime.close();
  }
}

type Shared = Pick<Forwarding, "invocation" | "name" | "named" | "signal" | "mayFail">;

/**
 * Shares one companion with the other machine. Resolves when that has ended, or this is stopped.
 * @throws Error when not even the first connection succeeds, where that may be
 */
async function share(shared: Shared, { chosen, findings }: Serving): Promise<void> {
  const { invocation } = shared;
  const folders = createSharedFolders();
  const relays = new Map<Agent, Relay>();
  // The system's own ssh on Windows adds no route to a connection.
  const sockets =
    process.platform === "win32"
      ? undefined
      : mkdtempSync(path.join(invocation.host.tmp, "ide-companion-ssh-"));
  try {
    await startRelays(relays, invocation, { chosen, findings }, { folder: sockets, map: folders.map });
    await keepShared({ ...shared, folders, relays, sockets, findings });
  } finally {
    // One that stays open keeps this process alive.
    for (const relay of relays.values()) await relay.close();
    if (sockets !== undefined) rmSync(sockets, { recursive: true, force: true });
  }
}

async function keepShared(given: Forwarding): Promise<void> {
  const stop = new AbortController();
  const forwarding: Forwarding = { ...given, signal: AbortSignal.any([given.signal, stop.signal]) };
  const kept = keepConnected(forwarding);
  try {
    await Promise.race([kept, followFolders(forwarding)]);
  } finally {
    stop.abort();
    await forwarding.machine?.close();
    await kept.catch(() => {}); // thrown above
  }
}

/** One for each agent that this companion serves. */
async function startRelays(
  relays: Map<Agent, Relay>,
  { host, err }: Invocation,
  { chosen, findings }: Serving,
  shared: Pick<RelayOptions, "folder" | "map">,
): Promise<void> {
  for (const agent of agents) {
    const own = findings.find((finding) => finding.agent === agent);
    if (!own && agent.discoveryFolders(host).length > 0) continue;
    const onTrouble = (sentence: string) => err.line(err.paint.yellow(`${agent.displayName}: ${sentence}`));
    const cli = await agent.loadCli();
    const relay = await cli.startRelay?.({ ...shared, companion: own ?? chosen, host, onTrouble });
    if (relay) relays.set(agent, relay);
  }
}
