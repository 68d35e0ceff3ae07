import { existsSync } from "node:fs";
import path from "node:path";
import type { Agent, AgentCli, AgentWithCli, Terminal } from "../../agents/agent.ts";
import { agentHooks } from "../../agents/agent-hooks.ts";
import { agents, ownCommands } from "../../agents/agents.ts";
import { type Finding, findCompanions, findLive } from "../../agents/discovery/find-companions.ts";
import { findMisplaced } from "../../agents/discovery/misplaced.ts";
import type { Answer, CompanionRecord, Place, SettingsFindings } from "../../agents/doctor/checked-cli.ts";
import { withEnvironment } from "../../agents/doctor/environment.ts";
import { note } from "../../agents/doctor/finding.ts";
import { readSettingsFile } from "../../agents/doctor/settings-files.ts";
import { type HookEntry, toHookEntries } from "../../agents/hooks.ts";
import { findInstalledCli, findTooOldNode } from "../../agents/installed-cli.ts";
import { readHealth } from "../../client/health.ts";
import { holds, parseWorkspacePath, toRealPath } from "../../files/workspace-path.ts";
import { readIfThere } from "../../system/disk.ts";
import { findExecutable } from "../../system/host.ts";
import { isObject } from "../../system/json.ts";
import { lineageOf, readProcessTable } from "../../system/processes/process-table.ts";
import { createLoopbackFetch } from "../../transport/loopback.ts";
import { askByMcp } from "./ask-by-mcp.ts";
import { findRunning } from "./running.ts";

/** A record, compared with the CLI's folder. */
interface FoundRecord extends CompanionRecord {
  /** Whether its editor has the CLI's folder open, so that the CLI connects there. */
  readonly isForFolder: boolean;
  /** Whether its editor has a folder above open, where the CLI connects only by its command. */
  readonly isAbove: boolean;
}

/** A companion that the CLI may take, and what it has answered. */
export interface Candidate extends FoundRecord {
  readonly answer: Answer;
}

/** Everything that is to be seen of one CLI in one folder. Nothing is judged here. */
export type Facts = Awaited<ReturnType<typeof gatherFacts>>;

/** Looks at the machine, and at the companions on it. Changes nothing, and starts nothing but `node --version`. */
export async function gatherFacts(agent: AgentWithCli, terminal: Terminal) {
  const cli = await agent.loadCli();
  const { pid = process.pid, platform = process.platform } = terminal;
  const processes = terminal.processes ?? (await readProcessTable(platform));
  const place = toPlace(cli, terminal, lineageOf(processes, pid), platform);
  const installed = findInstalledCli(agent, cli, terminal.host);
  const records = await findRecords(agent, cli, place);
  const candidates = await askCandidates(records);
  const chosen = choose(agent, candidates, place);
  const health = chosen && (await askForHealth(chosen, terminal, place.folder));
  return {
    agent,
    cli,
    place,
    /** Undefined when it is not in the PATH. */
    installed,
    // With the terminal's own variables: what a project's file adds could choose what is run.
    tooOldNode: await findTooOldNode(installed?.package, terminal.host),
    settings: { ...cli.checkSettings(place, installed?.package?.version), ...checkHooks(agent, place) },
    records,
    /** The records that the CLI does not pass over. */
    candidates,
    /** The candidate that the terminal's variable names, or else one that answers, or else the first. */
    chosen,
    /** Why the CLI looks elsewhere than the folder's companion; looked for where there is no candidate. */
    misplaced:
      candidates.length > 0 ? undefined : await findMisplaced(agent, cli, place.host, place.folder, agents),
    /** The CLI's processes in this folder. */
    running: await findRunning({ agent, cli, place, processes, chosen, health }),
  };
}

/** The name of the editor that the CLI would connect to. */
export const toIdeName = ({ chosen }: Facts): string => chosen?.ide ?? "your editor";

/** Whether the terminal's variable names this record. */
export const isNamedBy = (
  { agent, place }: Pick<Facts, "agent" | "place">,
  { port }: CompanionRecord,
): boolean => findNamedPort(agent, place)?.port === String(port);

/** The variable and the port by which the terminal names a companion. */
export function findNamedPort({ variables: { port: portVariable } }: Agent, { host }: Place) {
  const port = portVariable === undefined ? undefined : host.env[portVariable];
  return portVariable && port ? { portVariable, port } : undefined;
}

function toPlace(
  cli: AgentCli,
  { host, folder }: Terminal,
  lineage: ReturnType<typeof lineageOf>,
  platform: NodeJS.Platform,
): Place {
  const start = { host, folder: toRealPath(folder), platform, lineage: lineage.map(({ pid }) => pid) };
  const loaded = cli.loadEnvironment?.(start);
  return loaded ? { ...start, host: withEnvironment(host, loaded), sources: loaded.sources } : start;
}

async function findRecords(agent: Agent, cli: AgentCli, place: Place): Promise<readonly FoundRecord[]> {
  const found = cli.findRecords
    ? await cli.findRecords(place, agents)
    : (await findCompanions(place.host, [agent])).map((finding) => toRecord(finding, cli, place));
  const byFile = found.map((record) => compare(record, agent, cli, place));
  const usable = byFile.filter(({ fault }) => fault === undefined);
  const others = byFile.filter(
    (one) => one.fault !== undefined && !usable.some(({ port }) => port === one.port),
  );
  const named = byVariables(agent, cli, place)
    .map((record) => compare(record, agent, cli, place))
    .filter(({ port }) => port === undefined || !byFile.some((one) => one.port === port));
  return [...usable, ...others, ...named];
}

function toRecord(finding: Finding, cli: AgentCli, place: Place): CompanionRecord {
  const announced = finding.result === "live" ? finding : finding.announced;
  const record = {
    source: finding.file,
    isFile: true,
    ide: announced?.ide?.displayName,
    roots: announced?.roots,
    port: announced?.port,
    pid: announced?.pid,
    serverPid: announced?.serverPid,
    fault: announced === undefined && finding.result !== "live" ? finding.reason : undefined,
  };
  return { ...record, ask: () => askAt(announced?.port ?? 0, announced?.token, cli, place) };
}

/** What the CLI goes by where no file leads to a companion. */
function byVariables(agent: Agent, cli: AgentCli, place: Place): readonly CompanionRecord[] {
  const { env } = place.host;
  const { workspace, token: tokenVariable } = agent.variables;
  const folders = workspace && env[workspace];
  if (!folders) return [];
  const roots = parseWorkspacePath(folders, place.host);
  const named = findNamedPort(agent, place);
  const token = tokenVariable && env[tokenVariable];
  const program = cli.programVariable && env[cli.programVariable];
  const [port, source] = [Number(named?.port), named?.portVariable ?? ""];
  const byPort = { source, isFile: false, roots, port, ask: () => askAt(port, token, cli, place) };
  const byProgram = {
    source: cli.programVariable ?? "",
    isFile: false,
    roots,
    ask: async () => lookForProgram(program ?? "", place),
  };
  return [...(port > 0 ? [byPort] : []), ...(program ? [byProgram] : [])];
}

/** The program is not started: the variable may come from a file of a project that the user does not know yet. */
function lookForProgram(program: string, { host }: Place): Answer {
  const isThere = path.isAbsolute(program)
    ? existsSync(program)
    : findExecutable(program, host) !== undefined;
  return isThere
    ? {
        kind: "unknown",
        evidence: `the CLI starts ${program} as its companion, and the doctor starts nothing`,
      }
    : { kind: "nowhere", evidence: `there is no program ${program}` };
}

const askAt = (port: number, token: string | undefined, cli: AgentCli, place: Place): Promise<Answer> =>
  cli.ask ? cli.ask(port, token, place) : askByMcp(cli.hostsOf?.(place) ?? ["127.0.0.1"], port, token);

function compare(record: CompanionRecord, agent: Agent, cli: AgentCli, place: Place): FoundRecord {
  const { roots = [], ide = "its editor" } = record;
  // A CLI takes no other path for a folder.
  const isHeld = holds(
    roots.filter((root) => path.isAbsolute(root)),
    place.folder,
  );
  const isForFolder = isHeld && !(agent.startsInRoot && !roots.includes(place.folder));
  const found = { ...record, isForFolder, isAbove: isHeld && !isForFolder };
  if (record.fault !== undefined) return found;
  const isNamed = agent.choosesNone && findNamedPort(agent, place)?.port === String(record.port);
  const elsewhere = `${ide} has ${roots.join(", ") || "no folder"} open`;
  const fault = isForFolder || isNamed ? record.isFile && cli.whyPassedOver?.(record, place) : elsewhere;
  return fault ? { ...found, fault } : found;
}

const askCandidates = (records: readonly FoundRecord[]): Promise<readonly Candidate[]> =>
  Promise.all(
    records
      .filter(({ fault }) => fault === undefined)
      .map(async (record) => ({ ...record, answer: await record.ask() })),
  );

function choose(agent: Agent, candidates: readonly Candidate[], place: Place): Candidate | undefined {
  const port = findNamedPort(agent, place)?.port;
  const named = candidates.find((one) => one.isFile && String(one.port) === port);
  const answering = candidates.find(({ answer, isForFolder }) => answer.kind === "taken" && isForFolder);
  return named ?? answering ?? candidates.find(({ isForFolder }) => isForFolder);
}

/** Whether the CLI calls our hooks. */
function checkHooks(agent: Agent, { host, platform }: Place): SettingsFindings {
  const hooks = agentHooks[agent.name];
  if (hooks === undefined) return {};
  const file = hooks.settingsPath(host);
  const entries = toHookEntries(agent.name, hooks, platform);
  const isThere = hooks.toOwnFile
    ? readIfThere(file) === hooks.toOwnFile(entries)
    : entries.every((one) => isSetUp(one, readSettingsFile(file)?.values));
  const evidence = isThere
    ? [`${file} calls them: what it writes without asking is recorded`, ...(hooks.next ? [hooks.next] : [])]
    : ["what it writes without asking is not recorded", `ide-companion install ${agent.name} sets them up`];
  return { hooks: note(...evidence) };
}

function isSetUp({ event, entry }: HookEntry, settings: unknown): boolean {
  const lists = isObject(settings) && isObject(settings.hooks) ? settings.hooks : {};
  const list = lists[event];
  return Array.isArray(list) && list.some((each) => JSON.stringify(each) === JSON.stringify(entry));
}

/** What a companion of ours says of itself: our own commands know where it may be asked. */
async function askForHealth(chosen: Candidate, { host }: Terminal, folder: string) {
  const server = chosen.serverPid ?? chosen.pid;
  const found = (await findLive(host, ownCommands)).find(
    (one) => one.port === chosen.port || ((one.serverPid ?? one.pid) === server && holds(one.roots, folder)),
  );
  if (found === undefined) return undefined;
  const fetch = createLoopbackFetch();
  const question = { port: found.port, token: found.token ?? "", fetch, signal: AbortSignal.timeout(1000) };
  // What does not answer in time tells nothing.
  return readHealth(question)
    .catch(() => undefined)
    .finally(() => fetch.close());
}
