import { setTimeout as wait } from "node:timers/promises";
import type { AgentWithCli, LiveFinding } from "../agents/agent.ts";
import { agents, discoveryClients } from "../agents/agents.ts";
import {
  type Choice,
  chooseCompanion,
  findLive,
  isSameCompanion,
  onePerCompanion,
} from "../agents/discovery/find-companions.ts";
import { findMisplaced } from "../agents/discovery/misplaced.ts";
import { toRenaming, toStartCommand } from "../agents/installed-cli.ts";
import type { Host } from "../system/host.ts";
import { toShellWord } from "../system/shell-word.ts";
import type { Invocation } from "./invocation.ts";
import { toDisplayPath } from "./terminal/text.ts";

/** What is looked for: a companion that agents find, for a folder. */
export interface Wanted {
  readonly agents: readonly AgentWithCli[];
  /** Absolute; the first that is served counts. */
  readonly folders: readonly string[];
}

/** The companion that was chosen. */
export interface Serving {
  readonly chosen: LiveFinding;
  /** All that lead to it, the chosen one among them: each agent has its own. */
  readonly findings: readonly LiveFinding[];
}

/**
 * The companion of a folder, as a CLI there would choose it. Says so when it is one of several, or when there
 * is none and what to do then.
 */
export async function findServing(invocation: Invocation, wanted: Wanted): Promise<Serving | undefined> {
  const { live, serving, choice } = await look(invocation.host, wanted);
  if (choice) {
    tellOthers(invocation, choice);
    return toServing(live, choice);
  }
  const others = live.filter((finding) => !serving.includes(finding));
  await tellThatNoneServes(invocation, wanted, serving, others);
  return undefined;
}

/** How often it is looked for a companion that is not there yet, in milliseconds. */
const lookInterval = 1000;

/**
 * The companion of a folder once there is one, without a word.
 * @throws AbortError when the signal says so
 */
export async function awaitServing(
  { host }: Invocation,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Serving> {
  // Its agents' files come one after the other: what is found twice is complete.
  let known: string | undefined;
  for (;;) {
    await wait(lookInterval, undefined, { signal });
    const { live, choice } = await look(host, wanted);
    const file = choice?.chosen.file;
    if (choice && file === known) return toServing(live, choice);
    known = file;
  }
}

const toServing = (live: readonly LiveFinding[], { chosen }: Choice): Serving => ({
  chosen,
  findings: live.filter((finding) => isSameCompanion(finding, chosen)),
});

/** @returns every companion, those that serve the agents, and the choice of one that serves a folder */
async function look(host: Host, wanted: Wanted) {
  const live = await findLive(host, discoveryClients);
  const serving = await findThoseThatServe(live, wanted.agents, host);
  for (const folder of wanted.folders) {
    const choice = chooseCompanion(serving, folder, host.env);
    if (choice) return { live, serving, choice };
  }
  return { live, serving };
}

/** By the files of these agents, or for one that leaves none with a port by any file of a companion that serves it. */
async function findThoseThatServe(
  live: readonly LiveFinding[],
  agents: readonly AgentWithCli[],
  host: Host,
): Promise<readonly LiveFinding[]> {
  const serving = new Set(live.filter(({ agent }) => agents.some((one) => one === agent)));
  for (const agent of agents.filter((each) => each.discoveryFolders(host).length === 0)) {
    const cli = await agent.loadCli();
    const others = live.filter((finding) => !serving.has(finding));
    const isServed = await Promise.all(others.map((finding) => cli.isServedBy?.(finding, host) ?? false));
    for (const finding of others.filter((_, index) => isServed[index])) serving.add(finding);
  }
  return live.filter((finding) => serving.has(finding));
}

/**
 * @param live what serves other folders
 * @param others what serves other agents, as far as that is known
 */
export async function tellThatNoneServes(
  { host, err }: Invocation,
  wanted: Wanted,
  live: readonly LiveFinding[],
  others: readonly LiveFinding[] = [],
): Promise<void> {
  const { paint } = err;
  const display = (file: string) => toDisplayPath(file, host.home);
  const [agent, ...further] = wanted.agents;
  const only = agent && further.length === 0 ? agent : undefined;
  const folder = wanted.folders.at(-1) ?? "";
  const say = (sentence: string) => err.line(`${paint.red("error:")} ${paint.plain(sentence)}`);
  const renaming = toRenaming(folder, host);
  if (renaming !== undefined) {
    say(
      `${display(folder)} has "${host.delimiter}" in its path, at which agent CLIs split it: no companion can serve it`,
    );
    err.line(`Rename it, and start a companion: ${paint.bold(renaming)}`);
    return;
  }
  const misplaced = only && (await findMisplaced(only, await only.loadCli(), host, folder, agents));
  if (only && misplaced) {
    const { name, value } = misplaced;
    const before = value === undefined ? `env -u ${name}` : `${name}=${toShellWord(value)}`;
    say(
      `the companion of ${display(folder)} was started with another ${name}: ${only.displayName} does not find its files`,
    );
    err.line(`Use the same one: ${paint.bold(`${before} ide-companion run ${only.name}`)}`);
    return;
  }
  // The files of one that leaves files may lie elsewhere.
  const leavesFiles = only === undefined || only.discoveryFolders(host).length > 0;
  const unlike = leavesFiles ? undefined : chooseCompanion(others, folder, host.env)?.chosen;
  say(
    unlike
      ? `the companion of ${display(folder)}, ${toCompanionName(unlike)}, does not serve ${only?.displayName}`
      : `no companion serves ${display(folder)}${only ? ` for ${only.displayName}` : ""}`,
  );
  const start = unlike ? "Start one that does in another terminal" : "Start one in another terminal";
  err.line(`${start}: ${paint.bold(toStartCommand(folder, host))}`);
  if (live.length === 0) return;
  err.line();
  err.line("These serve other folders:");
  for (const finding of onePerCompanion(live)) {
    const roots = finding.roots.length === 0 ? "no folder" : finding.roots.map(display).join(", ");
    err.line(`  ${paint.plain(toCompanionName(finding))}  ${paint.dim(roots)}`);
  }
}

/** Which of several was taken must be seen. */
function tellOthers({ err }: Invocation, { chosen, others }: Choice): void {
  if (others.length === 0) return;
  const sentence = `${others.length + 1} companions serve this folder. Using ${toCompanionName(chosen)}, not ${others.map(toCompanionName).join(", ")}.`;
  err.line(err.paint.yellow(sentence));
}

/** `Neovim on port 40123` */
export const toCompanionName = (finding: LiveFinding) => `${toEditorName(finding)} on port ${finding.port}`;

/** The editor's name for people. */
export const toEditorName = ({ ide }: LiveFinding) => ide?.displayName ?? "Companion";
