import path from "node:path";
import type { Agent, AgentCli, AgentIdentity } from "../../agents/agent.ts";
import type { CompanionRecord, Place } from "../../agents/doctor/checked-cli.ts";
import { type Finding, failed, note, ok } from "../../agents/doctor/finding.ts";
import type { HealthReport } from "../../client/health.ts";
import { holds } from "../../files/workspace-path.ts";
import { type ProcessDetails, readProcessDetails } from "../../system/processes/process-details.ts";
import { lineageOf, type ProcessInfo, type ProcessTable } from "../../system/processes/process-table.ts";

/** A process of the CLI, and what it has to do with the companion that a new one would find. */
export interface RunningCli {
  readonly pid: number;
  readonly state:
    | "connected"
    | "unconnected"
    /** It looked for its IDE when it started, found none, and does not look again. */
    | "too-early"
    /** It may be too early: the system does not tell in which folder it runs. */
    | "elsewhere"
    /** The companion does not say who is connected. */
    | "unknown"
    /** What its arguments mean, as the end of a sentence. */
    | { readonly mode: string };
}

interface Search {
  readonly agent: Agent;
  readonly cli: AgentCli;
  readonly place: Place;
  readonly processes: ProcessTable;
  readonly chosen: CompanionRecord | undefined;
  readonly health: HealthReport | undefined;
}

/** The CLIs that run in this folder already: one that has been started before its companion may have to be started again. */
export async function findRunning(search: Search): Promise<readonly RunningCli[]> {
  const { agent, cli, place, processes, chosen } = search;
  const all = findCliProcesses(processes, agent, cli);
  const server = chosen?.serverPid ?? chosen?.pid;
  const pids = all.map(({ pid }) => pid);
  const details = await readProcessDetails(
    [...pids, ...(server === undefined ? [] : [server])],
    place.platform,
  );
  const startedAt = server === undefined ? undefined : details.get(server)?.startedAt;
  const here = all.filter(({ pid }) => {
    const folder = details.get(pid)?.folder;
    // Elsewhere than on Windows only another user's is hidden from us.
    return folder === undefined ? place.platform === "win32" && cli.looksOnce : holds([place.folder], folder);
  });
  const served = all.filter(({ pid }) => {
    const folder = details.get(pid)?.folder;
    return folder !== undefined && holds(chosen?.roots ?? [], folder);
  });
  const isConnected = findConnected(search, served.length);
  return here.flatMap(({ pid, command }): readonly RunningCli[] => {
    const mode = cli.runModes?.find(([argument]) => argument.test(command))?.[1];
    if (mode !== undefined) return [{ pid, state: { mode } }];
    const connected = isConnected(pid);
    if (connected) return [{ pid, state: "connected" }];
    const own = details.get(pid);
    const early = whetherTooEarly(search, own, startedAt);
    if (early === undefined && own?.folder === undefined) return [];
    return [{ pid, state: early ?? (connected === undefined ? "unknown" : "unconnected") }];
  });
}

/**
 * As the companion tells. Where it does not tell the processes, as many as it has must be those of its folders.
 * @param served how many CLIs run in the companion's folders
 */
function findConnected({ agent, processes, chosen, health }: Search, served: number) {
  if (chosen === undefined) return () => false;
  const own = health?.sessions.filter(({ agent: name }) => name.replace(/ \d+$/, "") === agent.displayName);
  const lineages = own?.flatMap(({ pid }) => (pid === undefined ? [] : [lineageOf(processes, pid)]));
  const unplaced = own?.filter(({ pid }) => pid === undefined).length ?? 0;
  return (pid: number): boolean | undefined => {
    if (lineages?.some((lineage) => lineage.some((above) => above.pid === pid))) return true;
    if (served > 0 && unplaced >= served) return true;
    return own !== undefined && unplaced === 0 ? false : undefined;
  };
}

function whetherTooEarly(
  { agent, cli, place, chosen }: Search,
  details: ProcessDetails | undefined,
  companionStartedAt: number | undefined,
): "too-early" | "elsewhere" | undefined {
  if (!cli.looksOnce) return undefined;
  const { startedAt, folder, env = place.host.env } = details ?? {};
  // Without a companion, all of them were started before it.
  const isEarlier =
    chosen === undefined ||
    (startedAt !== undefined && companionStartedAt !== undefined && startedAt < companionStartedAt);
  if (!isEarlier) return undefined;
  if (folder === undefined) return "elsewhere";
  // The port is set by `ide-companion run`: then it has found a companion when it started.
  const knowsIde = cli.terminalSign?.(env) ?? env[agent.variables.port ?? ""];
  return knowsIde ? undefined : "too-early";
}

interface Judged extends Pick<Search, "agent" | "chosen"> {
  readonly running: readonly RunningCli[];
}

export function judgeRunning({ agent, chosen, running }: Judged): Finding | undefined {
  if (running.length === 0) return undefined;
  const hint = agent.connectCommand === "" ? "start it again" : `type ${agent.connectCommand} in it`;
  const evidence = running.map(({ pid, state }) => `process ${pid} ${describe(state, hint)}`);
  // Gemini CLI: the user sees a question that no key answers.
  const isWaiting = running.some(({ state }) => state !== "connected") && agent.freedBy !== undefined;
  const again = [agent.command, ...(agent.resumeArguments ?? [])].join(" ");
  const hints = [
    `if it waits for a decision about a diff of a companion that was killed: ${agent.freedBy}`,
    `if it then connects and shows no diff: press Ctrl-C twice, then start ${again}`,
  ];
  const all = [...evidence, ...(isWaiting ? hints : [])];
  const early = running.filter(({ state }) => state === "too-early").map(({ pid }) => pid);
  if (early.length > 0) {
    const restart = chosen ? "Restart" : "With a companion running, restart";
    const remedy = `${restart} ${agent.displayName} (process ${early.join(", ")}): type /quit in it, then start ${again}`;
    return failed(remedy, ...all);
  }
  return running.every(({ state }) => state === "connected") ? ok(...all) : note(...all);
}

function describe(state: RunningCli["state"], hint: string): string {
  if (typeof state === "object") return state.mode;
  switch (state) {
    case "connected":
      return "is connected";
    case "unconnected":
      return `is not connected: ${hint}`;
    case "unknown":
      return `may be connected, which is not known; if it is not, ${hint}`;
    case "too-early":
      return "was started before the companion, in a terminal of no known editor: it looks for one only at its start";
    case "elsewhere":
      return "was started before the companion: if it runs in this folder, it must be restarted";
  }
}

/** The processes of a CLI, without those that it has started itself. */
export function findCliProcesses(
  processes: ProcessTable,
  agent: Pick<AgentIdentity, "command">,
  cli: Pick<AgentCli, "packageName">,
): readonly ProcessInfo[] {
  const isCli = (process: ProcessInfo) => isProgram(process, agent.command, cli.packageName);
  return [...processes.values()].filter(
    (process) => isCli(process) && !lineageOf(processes, process.parentPid).some((above) => isCli(above)),
  );
}

/** By its name, or by the package that its script lies in. */
function isProgram({ command }: ProcessInfo, name: string, packageName: string): boolean {
  const words = command.replaceAll("\\", "/").split(" ");
  const isNode = /^(node|bun)(\.exe)?$/i.test(path.posix.basename(words[0] ?? "").replaceAll('"', ""));
  const script = (isNode ? words.slice(1).find((word) => !word.startsWith("-")) : words[0]) ?? "";
  const base = path.posix.basename(script.replaceAll('"', "")).replace(/\.(m?js|exe)$/, "");
  return base === name || (isNode && script.includes(`/node_modules/${packageName}/`));
}
