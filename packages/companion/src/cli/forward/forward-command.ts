import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { agents, type Host } from "../../agents/index.ts";
import { portIsServed } from "../../discovery/index.ts";
import { exitCodes, type Invocation, UsageError } from "../invocation.ts";
import { createLifetime } from "../review/lifetime.ts";
import { findServing, type Serving, toEditorName } from "../serving.ts";
import { toDisplayPath } from "../terminal/display-path.ts";
import { writeFarFiles } from "./far-files.ts";
import { createPathMap, type Mapping } from "./path-map.ts";
import { startRelay } from "./relay.ts";
import { openSsh, type SshSession } from "./ssh-session.ts";

/** How often it is looked whether the companion still runs, in milliseconds. */
const lookInterval = 2000;

/** Lets agents on another machine use the companion of this folder, until one of them ends. */
export async function runForward(invocation: Invocation): Promise<number> {
  const { arguments: given, host, folder } = invocation;
  const [name, there] = given.words;
  if (name === undefined)
    throw new UsageError("name the machine, as ssh takes it: ide-companion forward HOST");
  const serving = await findServing(invocation, { agents, folders: [folder] });
  if (!serving) return exitCodes.failure;
  const { port } = serving.chosen.content;
  const mappings: Mapping[] = [];
  const relay = await startRelay({ port, map: lateMap(mappings) });
  const lifetime = createLifetime();
  const session = await openSsh({
    host: name,
    options: given.all("ssh-option"),
    port: relay.port,
    onMessage: (line) => invocation.err.line(invocation.err.paint.plain(line)),
  }).catch(async (error: unknown) => {
    lifetime.close();
    await relay.close();
    throw error;
  });
  try {
    relay.farPort = session.far.port;
    mappings.push(...toMappings(serving, there, host, session));
    await announce(session, serving, mappings);
    tell(invocation, serving, name, mappings);
    return await Promise.race([
      lifetime.ended,
      session.ended.then(() => fail(invocation, `the connection to ${name} has ended`)),
      companionGone(port).then(() => fail(invocation, "the companion has ended")),
    ]);
  } finally {
    await session.close();
    await relay.close();
    lifetime.close();
  }
}

/** The other machine must be asked before the folders are known, and needs the relay to be asked. */
function lateMap(mappings: readonly Mapping[]) {
  let map: ReturnType<typeof createPathMap> | undefined;
  const known = () => {
    map ??= createPathMap(mappings, path.sep);
    return map;
  };
  return {
    toHere: (file: string) => known().toHere(file),
    toThere: (file: string) => known().toThere(file),
  };
}

/** One folder by name; of several each where it lies within the user's home, or else at the same place. */
function toMappings(
  { chosen }: Serving,
  named: string | undefined,
  { home }: Host,
  { far }: SshSession,
): readonly Mapping[] {
  const { roots } = chosen;
  if (roots.length === 0) throw new Error("the companion has no folder open: there is nothing to share");
  if (named !== undefined && roots.length > 1) {
    throw new UsageError(`the companion serves ${roots.length} folders, which one name cannot stand for`);
  }
  return roots.map((here) => {
    if (named !== undefined) return { here, there: path.posix.resolve(far.home, named.replace(/^~\//, "")) };
    const relative = path.relative(home, here);
    const isAtHome = relative !== "" && !relative.startsWith("..") && !path.isAbsolute(relative);
    return { here, there: isAtHome ? path.posix.join(far.home, ...relative.split(path.sep)) : here };
  });
}

async function announce(
  session: SshSession,
  { findings }: Serving,
  mappings: readonly Mapping[],
): Promise<void> {
  for (const { there } of mappings) {
    await session.checkFolder(there).catch((error: Error) => {
      throw new Error(`${error.message}. Name the one that it is: ide-companion forward HOST FOLDER`);
    });
  }
  await writeFarFiles(session, { far: session.far, findings, roots: mappings.map(({ there }) => there) });
}

function tell(
  { out, host }: Invocation,
  { chosen }: Serving,
  name: string,
  mappings: readonly Mapping[],
): void {
  const { paint } = out;
  for (const { here, there } of mappings) {
    const shown = `${toEditorName(chosen)} here, ${toDisplayPath(here, host.home)}`;
    out.line(`${paint.bold(`${name}:${there}`)} ${paint.plain("is reviewed in")} ${paint.plain(shown)}`);
  }
  const commands = agents.map(({ command }) => command).join(" or ");
  out.line(paint.dim(`Start ${commands} there, or type /ide enable in it. Ctrl-C ends this.`));
}

function fail({ err }: Invocation, sentence: string): number {
  err.line(`${err.paint.red("error:")} ${err.paint.plain(sentence)}`);
  return exitCodes.failure;
}

async function companionGone(port: number): Promise<void> {
  while (await portIsServed(port)) await wait(lookInterval, undefined, { ref: false });
}
