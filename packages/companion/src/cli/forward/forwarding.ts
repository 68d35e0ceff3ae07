import { setTimeout as wait } from "node:timers/promises";
import type { Agent, LiveFinding, Relay } from "../../agents/agent.ts";
import { agents, discoveryClients } from "../../agents/agents.ts";
import { findLive } from "../../agents/discovery/find-companions.ts";
import type { Mapping } from "../../files/path-map.ts";
import { messageOf } from "../../system/error-message.ts";
import type { Host } from "../../system/host.ts";
import { portIsServed } from "../../system/liveness.ts";
import type { Invocation } from "../invocation.ts";
import { toEditorName } from "../serving.ts";
import { orList, toDisplayPath } from "../terminal/text.ts";
import { createFarMachine, type SharedMachine } from "./far-machine.ts";
import { type NamedFolder, type SharedFolders, toMappings } from "./shared-folders.ts";
import { openSsh } from "./ssh-session.ts";

/** Between a connection's end and the next attempt, in milliseconds; twice as long after each that fails. */
const firstPause = 1000;
const longestPause = 60_000;

/** One companion that is shared with one machine, over any number of connections. */
export interface Forwarding {
  readonly invocation: Invocation;
  /** The other machine's, as ssh takes it. */
  readonly name: string;
  readonly named: NamedFolder | undefined;
  readonly folders: SharedFolders;
  readonly relays: ReadonlyMap<Agent, Relay>;
  /** A private folder of this machine; absent where no sockets are shared. */
  readonly sockets: string | undefined;
  /** Ends it all. */
  readonly signal: AbortSignal;
  /** Whether a first connection that fails is the end; otherwise it is tried again. */
  readonly mayFail: boolean;
  /** Every agent's route to the companion, as it is now. */
  findings: readonly LiveFinding[];
  /** The machine at the other end of the connection, while there is one. */
  machine?: SharedMachine | undefined;
}

/**
 * Connects, and again each time that the connection has ended. Resolves when it is stopped.
 * @throws Error when not even the first connection succeeds, where that may be
 */
export async function keepConnected(forwarding: Forwarding): Promise<void> {
  const { invocation, name, mayFail, signal } = forwarding;
  let reason = "";
  await connect(forwarding).catch((error: unknown) => {
    if (mayFail && !signal.aborted) throw error;
    reason = messageOf(error);
  });
  while (!signal.aborted) {
    if (forwarding.machine) {
      await forwarding.machine.ended;
      await disconnect(forwarding);
      reason = `The connection to ${name} has ended`;
    }
    for (let pause = firstPause; !forwarding.machine; pause = Math.min(pause * 2, longestPause)) {
      if (signal.aborted) return;
      warn(invocation, `${reason}. Trying again in ${pause / 1000} s.`);
      await wait(pause, undefined, { signal }).catch(() => {}); // stopped, which is seen below
      if (signal.aborted) return;
      await connect(forwarding).catch((error: unknown) => {
        reason = messageOf(error);
      });
    }
  }
}

/** Shares the folders that the companion serves, as they change. Resolves when it has ended, or is stopped. */
export async function followFolders(forwarding: Forwarding): Promise<void> {
  const { invocation, signal } = forwarding;
  for (;;) {
    const roots = newestOf(forwarding.findings)?.roots ?? [];
    const next = await nextRoots(invocation.host, forwarding.findings, roots, signal).catch(() => undefined); // stopped
    if (next === undefined) return;
    forwarding.findings = next;
    const { machine } = forwarding;
    if (machine) await announce(forwarding, machine).catch((error) => warn(invocation, messageOf(error)));
  }
}

/** @throws Error when there is no route to the other machine, or nothing to be done there */
async function connect(forwarding: Forwarding): Promise<void> {
  const { invocation, name, relays, sockets, signal } = forwarding;
  const { arguments: given, err } = invocation;
  const session = await openSsh({
    host: name,
    options: given.all("ssh-option"),
    variables: await folderVariables(),
    ports: [...relays.values()].flatMap(({ port }) => port ?? []),
    folder: sockets,
    onMessage: (line) => err.line(err.paint.plain(line)),
    signal,
  });
  if (signal.aborted) {
    await session.close();
    return;
  }
  const machine = createFarMachine(session, sockets);
  forwarding.machine = machine;
  try {
    await announce(forwarding, machine);
  } catch (error) {
    await disconnect(forwarding);
    throw error;
  }
}

/** By which agents over there may look in other folders; the temporary folder and the home are known anyway. */
async function folderVariables(): Promise<readonly string[]> {
  const clis = await Promise.all(agents.map((agent) => agent.loadCli()));
  return [...new Set(clis.flatMap((cli) => cli.folderVariables))].filter(
    (name) => name !== "TMPDIR" && name !== "HOME",
  );
}

async function disconnect(forwarding: Forwarding): Promise<void> {
  await forwarding.machine?.close();
  forwarding.machine = undefined;
}

/** Lets the agents there find the companion, by those of its folders that lie there as well. */
async function announce(forwarding: Forwarding, machine: SharedMachine): Promise<void> {
  const { invocation, named, folders, relays, findings } = forwarding;
  const newest = newestOf(findings);
  if (!newest) return;
  const present: Mapping[] = [];
  const absent: string[] = [];
  for (const mapping of toMappings(newest.roots, named, invocation.host.home, machine.host)) {
    await machine.checkFolder(mapping.there).then(
      (there) => present.push({ ...mapping, there }),
      (error) => absent.push(messageOf(error)),
    );
  }
  if (present.length === 0) {
    throw new Error(`${absent[0]}. Name the one that it is: ide-companion forward HOST FOLDER`);
  }
  for (const reason of absent) warn(invocation, `One folder is not shared: ${reason}.`);
  folders.share(present);
  const roots = present.map(({ there }) => there);
  const reached = new Set<Agent>();
  const failures: string[] = [];
  for (const [agent, relay] of relays) {
    await relay.announce(machine, roots).then(
      () => reached.add(agent),
      (error) => failures.push(`${agent.displayName} does not find the editor there: ${messageOf(error)}`),
    );
  }
  if (reached.size === 0) throw new Error(`no agent would find the editor there: ${failures.join("; ")}`);
  for (const failure of failures) warn(invocation, failure);
  tell(forwarding, newest, present, reached);
}

function tell(
  { invocation, name }: Forwarding,
  finding: LiveFinding,
  mappings: readonly Mapping[],
  reached: ReadonlySet<Agent>,
): void {
  const { out, host } = invocation;
  const { paint } = out;
  for (const { here, there } of mappings) {
    const shown = `${toEditorName(finding)} here, ${toDisplayPath(here, host.home)}`;
    out.line(`${paint.bold(`${name}:${there}`)} ${paint.plain("is reviewed in")} ${paint.plain(shown)}`);
  }
  const commands = orList(agents.filter((agent) => reached.has(agent)).map(({ command }) => command))
    .map(({ value }) => value)
    .join("");
  out.line(paint.dim(`Start ${commands} there, or type its /ide command in it. Ctrl-C ends this.`));
}

const warn = ({ err }: Invocation, sentence: string) => err.line(err.paint.yellow(sentence));

/** How often it is looked how the companion is, in milliseconds. */
const lookInterval = 2000;

/**
 * Waits until the companion serves other folders than these.
 * @param former every agent's route to it so far
 * @returns every agent's route to it as it is then; undefined when it has ended
 * @throws AbortError when the signal says so
 */
async function nextRoots(
  host: Host,
  former: readonly LiveFinding[],
  roots: readonly string[],
  signal: AbortSignal,
): Promise<readonly LiveFinding[] | undefined> {
  for (;;) {
    await wait(lookInterval, undefined, { signal });
    const [known] = former;
    if (!known || !(await portIsServed(known.port))) return undefined;
    const live = await findLive(host, discoveryClients);
    const ports = former.map(({ port }) => port);
    const own = live.filter(({ port }) => ports.includes(port));
    // While its files are written again there may be none.
    const present = newestOf(own)?.roots ?? [];
    if (present.length > 0 && present.join("\n") !== roots.join("\n")) return own;
  }
}

/** Its files are written one after the other, and each agent's may name the same folder in another way. */
const newestOf = (findings: readonly LiveFinding[]): LiveFinding | undefined =>
  findings
    .filter(({ agent }) => agent === findings[0]?.agent)
    .toSorted((one, other) => other.writtenAt - one.writtenAt)[0];
