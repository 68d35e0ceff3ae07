import { mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import type { Agent, LiveFinding, Relay, SocketRelay } from "../../agents/agent.ts";
import { agents, discoveryClients } from "../../agents/agents.ts";
import type { PathMap } from "../../files/path-map.ts";
import { findAgent } from "../arguments.ts";
import { exitCodes, type Invocation, UsageError } from "../invocation.ts";
import { createLifetime } from "../review/lifetime.ts";
import { findServing } from "../serving.ts";
import { type Forwarding, followFolders, keepConnected } from "./forwarding.ts";
import { createSharedFolders, toNamedFolder } from "./shared-folders.ts";

/** Lets agents on another machine use the companion of this folder, until that ends or the user says so. */
export async function runForward(invocation: Invocation): Promise<number> {
  const { arguments: given, folder, host, err } = invocation;
  const [name, there] = given.words;
  if (name === undefined)
    throw new UsageError("name the machine, as ssh takes it: ide-companion forward HOST");
  const serving = await findServing(invocation, { agents: discoveryClients, folders: [folder] });
  if (!serving) return exitCodes.failure;
  const named = toNamedFolder(serving.chosen, there);
  const folders = createSharedFolders();
  const { findings } = serving;
  const relays = await startRelays(findings, folders.map);
  // The system's own ssh on Windows adds no route to a connection.
  const sockets =
    process.platform === "win32" ? undefined : mkdtempSync(path.join(host.tmp, "ide-companion-ssh-"));
  const socketRelays =
    sockets === undefined
      ? new Map()
      : await startSocketRelays(invocation, serving.chosen, sockets, folders.map);
  const lifetime = createLifetime();
  const stop = new AbortController();
  const ended = lifetime.ended.finally(() => stop.abort());
  const { signal } = stop;
  const forwarding: Forwarding = {
    invocation,
    name,
    named,
    folders,
    relays,
    sockets,
    socketRelays,
    signal,
    findings,
  };
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
    for (const relay of [...relays.values(), ...socketRelays.values()]) await relay.close();
    if (sockets !== undefined) rmSync(sockets, { recursive: true, force: true });
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
    if (relays.has(port) || agent.isOwn) continue;
    const cli = await findAgent(agent.name).loadCli();
    const relay = await cli.startRelay?.({ port, map });
    if (relay) relays.set(port, relay);
  }
  return relays;
}

/** One for each agent that comes by a socket, and that this companion serves. */
async function startSocketRelays(
  { host, err }: Invocation,
  companion: LiveFinding,
  folder: string,
  map: PathMap,
): Promise<ReadonlyMap<Agent, SocketRelay>> {
  const relays = new Map<Agent, SocketRelay>();
  for (const agent of agents) {
    const onTrouble = (sentence: string) => err.line(err.paint.yellow(`${agent.displayName}: ${sentence}`));
    const cli = await agent.loadCli();
    const relay = await cli.startSocketRelay?.({ companion, host, folder, map, onTrouble });
    if (relay) relays.set(agent, relay);
  }
  return relays;
}
