import { type Stats, statSync } from "node:fs";
import path from "node:path";
import type { Agent } from "../../agents/agent.ts";
import { agents as allAgents } from "../../agents/agents.ts";
import { describeKilled } from "../../agents/discovery/killed-companion.ts";
import { discoveryFilesIn } from "../../agents/discovery/sweep.ts";
import { type Companion, startServing } from "../../companion.ts";
import { type LogLevel, logLevels } from "../../core/event-text.ts";
import type { CompanionEvent } from "../../core/events.ts";
import { defaultExclusions } from "../../core/sharing/exclusion.ts";
import { createSharing } from "../../core/sharing/sharing.ts";
import { holds } from "../../files/workspace-path.ts";
import type { ReviewFrontend } from "../../frontends/review/review-frontend.ts";
import { codeOf } from "../../system/error-message.ts";
import { findExecutable, type Host } from "../../system/host.ts";
import { version } from "../../version.ts";
import { suggest } from "../arguments.ts";
import { servingRules } from "../editor-frontend.ts";
import { exitCodes, type Invocation, UsageError } from "../invocation.ts";
import { toDisplayPath } from "../terminal/text.ts";
import { openInBrowser, whyNoBrowser } from "./browser.ts";
import { createEventLog, type EventLog } from "./event-log.ts";
import { findRunningPage, openFrontend } from "./frontend.ts";
import { createLifetime } from "./lifetime.ts";
import { describeStart } from "./start-block.ts";

/** Serves folders with the review page until it is stopped. */
export async function runReview(invocation: Invocation): Promise<number> {
  const roots = resolveFolders(invocation);
  const running = await findRunningPage(roots, invocation);
  if (running !== undefined) return openRunningPage(invocation, roots, running);
  const lifetime = createLifetime();
  const named = invocation.arguments.all("agent");
  const agents = allAgents.filter(({ name }) => named.length === 0 || named.includes(name));
  const rules = servingRules(invocation);
  const sharing = createSharing({
    host: invocation.host,
    roots: () => roots,
    exclude: () => [...defaultExclusions, ...rules.exclude],
    excludeGitIgnored: () => rules.excludeGitIgnored,
  });
  const installed = agents.filter(({ command }) => findExecutable(command, invocation.host) !== undefined);
  const areInstalled = installed.length > 0;
  const started = areInstalled ? installed : agents;
  const frontend = await openFrontend({ roots, agents: started, sharing }, invocation);
  // What happens before the start has been reported.
  const held: CompanionEvent[] = [];
  let tell: (event: CompanionEvent) => void = (event) => held.push(event);
  const killed = describeKilled(roots, agents, invocation.host);
  const companion = await startServing({
    editor: frontend.editor,
    roots,
    agents,
    host: invocation.host,
    sharing,
    agentAccept: () => rules.agentAccept,
    onEvent(event) {
      frontend.onEvent(event);
      tell(event);
    },
  }).catch(async (error: unknown) => {
    await frontend.close();
    throw error;
  });
  frontend.useCompanion(companion);
  for (const message of [...rules.problems, ...killed]) tell({ kind: "warning", message });
  const log = show({ invocation, roots, agents: started, areInstalled, frontend, companion, held });
  tell = log.print;
  const exitCode = await lifetime.ended;
  log.close();
  await companion.close();
  await frontend.close();
  sharing.close();
  lifetime.close();
  return exitCode;
}

/**
 * The folders to serve: those that were named, once each, or else the present one.
 * @returns absolute paths
 * @throws UsageError naming the folder that is none
 */
export function resolveFolders(
  invocation: Pick<Invocation, "arguments" | "commands" | "folder">,
): readonly string[] {
  const { words } = invocation.arguments;
  const present = invocation.folder;
  // A mistyped command looks like a folder.
  const commandNames = invocation.commands.map(({ name }) => name).filter((name) => name !== "");
  const folders = words.length === 0 ? [present] : words.map((word) => path.resolve(present, word));
  for (const [index, folder] of folders.entries()) checkFolder(folder, words[index] ?? folder, commandNames);
  return [...new Set(folders)];
}

/** A second companion would only take the agents from the first. */
async function openRunningPage(
  { arguments: given, host, out }: Invocation,
  roots: readonly string[],
  link: string,
): Promise<number> {
  const noBrowser = given.has("no-open") ? undefined : whyNoBrowser(process.platform, host.env);
  if (given.all("log-level")[0] !== "quiet") {
    const folders = roots.map((root) => toDisplayPath(root, host.home)).join(", ");
    if (noBrowser !== undefined) out.line(out.paint.yellow(noBrowser));
    out.line(`${out.paint.plain(folders)} is served already, and this starts no second companion.`);
  }
  out.line(`Review page: ${out.paint.cyan(link)}`);
  if (!given.has("no-open") && noBrowser === undefined) await openInBrowser(link, out.line);
  return exitCodes.ok;
}

interface Running {
  readonly invocation: Invocation;
  readonly roots: readonly string[];
  /** That its user may start. */
  readonly agents: readonly Agent[];
  /** Their CLIs are in the PATH. */
  readonly areInstalled: boolean;
  readonly frontend: ReviewFrontend;
  readonly companion: Companion;
  readonly held: readonly CompanionEvent[];
}

/** Tells that all is ready, then everything that happens. */
function show(running: Running): EventLog {
  const { invocation, roots, frontend, held } = running;
  const { home, env } = invocation.host;
  const level = logLevels.find((known) => known === invocation.arguments.all("log-level")[0]) ?? "normal";
  const log = createEventLog({ output: invocation.out, level, roots, home, page: frontend });
  const opens = !invocation.arguments.has("no-open");
  const noBrowser = opens ? whyNoBrowser(process.platform, env) : undefined;
  tellStart(running, level, noBrowser);
  for (const event of held) log.print(event);
  if (opens && noBrowser === undefined)
    void openInBrowser(frontend.newLink(), (sentence) => log.offer(sentence, frontend.newLink()));
  tellNeighbours(running, log);
  return log;
}

function tellStart(
  { invocation, frontend, ...start }: Running,
  level: LogLevel,
  noBrowser: string | undefined,
): void {
  const { out, host } = invocation;
  const link = frontend.newLink();
  if (level === "quiet") {
    out.line(`Review page: ${out.paint.cyan(link)}`);
    return;
  }
  const { home } = host;
  const recovered = start.companion.edits.list().length;
  const isInstalled = findExecutable("ide-companion", host) !== undefined;
  const block = { ...start, isInstalled, version, link, home, noBrowser, recovered };
  for (const line of describeStart(block, out.paint)) out.line(line);
}

function tellNeighbours({ roots, companion, invocation }: Running, log: EventLog): void {
  const warn = (message: string) => log.print({ kind: "warning", message });
  describeNeighbours(roots, companion, allAgents, invocation.host).then(
    (sentences) => sentences.forEach(warn),
    (error: unknown) => warn(`Looking for other companions failed: ${error}`),
  );
}

/**
 * Tells which other companions serve one of these folders, as sentences.
 * @param own the companion that asks
 */
async function describeNeighbours(
  roots: readonly string[],
  own: Pick<Companion, "discoveryFiles">,
  agents: readonly Agent[],
  host: Host,
): Promise<readonly string[]> {
  // What reads the files of others takes longer to load than all of the start: mostly there are none.
  const isOther = ({ file }: { readonly file: string }) => !own.discoveryFiles.includes(file);
  const folders = agents.flatMap((agent) => agent.discoveryFolders(host));
  if (!folders.flatMap(discoveryFilesIn).some(isOther)) return [];
  const { findLive, onePerCompanion } = await import("../../agents/discovery/find-companions.ts");
  const others = onePerCompanion((await findLive(host, agents)).filter(isOther));
  const overlaps = others.flatMap((other) => {
    const name = `${other.ide?.displayName ?? "Another editor"} on port ${other.port}`;
    return describeOverlap(roots, other.roots, name) ?? [];
  });
  return overlaps.length === 0 ? [] : [...overlaps, ...agents.flatMap(describeChoice)];
}

/** What the user of an agent does that does not choose. */
function describeChoice({ displayName, name, choosesNone }: Agent): readonly string[] {
  if (!choosesNone) return [];
  return [`${displayName} connects to none of several companions: start it by ide-companion run ${name}`];
}

/** Who serves what both have, by the rule of `ide-companion run`: the innermost folder, then the newest companion. */
function describeOverlap(
  own: readonly string[],
  others: readonly string[],
  name: string,
): string | undefined {
  for (const root of own) {
    if (others.some((other) => holds([root], other) && holds([other], root)))
      return `${root} is also served by ${name}: ide-companion run takes the newest, which is this one`;
    const inner = others.find((other) => holds([root], other));
    if (inner !== undefined)
      return `${inner} is served by ${name}: ide-companion run takes that one there, and this one in the rest of ${root}`;
    const outer = others.find((other) => holds([other], root));
    if (outer !== undefined)
      return `${root} is also served by ${name}, with all of ${outer}: ide-companion run takes this one here`;
  }
  return undefined;
}

function checkFolder(folder: string, word: string, commandNames: readonly string[]): void {
  const stats = tryStat(folder);
  if (stats === undefined) {
    throw new UsageError(`there is no folder ${folder}${suggest(word, commandNames)}`);
  }
  if (!stats.isDirectory()) throw new UsageError(`${folder} is a file, not a folder`);
}

/** @returns undefined when there is nothing of that name */
function tryStat(folder: string): Stats | undefined {
  try {
    return statSync(folder);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new UsageError(`${folder} cannot be opened: ${error instanceof Error ? error.message : error}`);
  }
}
