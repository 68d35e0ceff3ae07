import path from "node:path";
import { holds } from "../../../files/workspace-path.ts";
import { readProcessDetails } from "../../../system/processes/process-details.ts";
import type { Agent, Diagnosis, Terminal } from "../../agent.ts";
import { examineProgram, type VersionRemark } from "../../doctor/program.ts";
import { examineProxy } from "../../doctor/proxy.ts";
import { findCliProcesses, findConnectedClis } from "../../doctor/running.ts";
import type { Step } from "../../doctor/step.ts";
import { findInstalledCli, isOlder } from "../../installed-cli.ts";
import type { FamilyCli } from "../family-cli.ts";
import { connectionNotReached, examineConnection } from "./connection-steps.ts";
import { failed, note, type Observation, observe, ok, toIdeName, unreached } from "./observation.ts";
import {
  examineContainer,
  examineEnvironment,
  examineFiles,
  examineIde,
  examineProcess,
  examineWorkspace,
} from "./search-steps.ts";

/** Takes every step of a CLI that starts here, now. */
export async function diagnose(
  agent: Agent,
  cli: FamilyCli,
  terminal: Terminal,
  all: readonly Agent[],
): Promise<Diagnosis> {
  const observation = await observe(agent, cli, terminal, all);
  const settings = examineSettings(observation);
  const container = await examineContainer(observation);
  const installed = findInstalledCli(agent, cli, terminal.host);
  const steps = [
    await examineProgram(agent, cli, terminal.host, installed, (version) =>
      judgeVersion(version, observation),
    ),
    ...settings,
    examineProcess(observation),
    examineEnvironment(observation),
    await examineFiles(observation),
    examineIde(observation),
    await examineWorkspace(observation),
    container,
    examineProxy(observation.host, cli),
    // What lies outside of the container is not the companion that was meant.
    ...(container.result === "failed" ? connectionNotReached : await examineConnection(observation)),
    ...(await examineRunning(observation)),
  ];
  return { steps, ide: toIdeName(observation) };
}

/** When a file cannot be read, nothing that it decides can be known. */
function examineSettings({ cli, environment }: Observation): readonly Step[] {
  const checks = cli.checkSettings(environment);
  const isUnreadable = checks[0]?.remedy !== undefined;
  return checks.map(({ id, evidence, remedy }, index) => {
    if (isUnreadable && index > 0) return unreached(id);
    return remedy === undefined ? ok(id, ...evidence) : failed(id, evidence, remedy);
  });
}

/** What is to be said of a version that does not look at the files of all companions. */
function judgeVersion(version: string, observation: Observation): VersionRemark | undefined {
  const { agent, cli } = observation;
  const { oldestVersion, older } = cli;
  if (!isOlder(version, oldestVersion)) return undefined;
  const update = `${agent.installCommand}@latest`;
  if (isOlder(version, older.from)) {
    return { sentence: `versions before ${older.from} do not connect`, remedy: `Update it: ${update}` };
  }
  if (leadsOlder(observation)) {
    return { sentence: `it connects in this terminal; in others only from version ${oldestVersion} on` };
  }
  const sentence = `versions before ${oldestVersion} find no companion from this terminal`;
  return { sentence, remedy: `Start it by: ide-companion run ${agent.name}; or update it: ${update}` };
}

/** Whether this terminal leads an older version to the companion that newer ones would choose. */
function leadsOlder({ cli, host, discovered, ideProcess }: Observation): boolean {
  const { chosen } = discovered;
  if (!chosen) return false;
  const inName: readonly string[] = path.basename(chosen.found.path).match(/\d+/g) ?? [];
  // They do not know the variable that names the process.
  const isWalked = ideProcess.rule !== "unknown" && ideProcess.rule !== "variable";
  const byProcess = isWalked && inName.includes(String(ideProcess.pid));
  const byPort = host.env[cli.variables.port] === String(chosen.content?.port);
  return byProcess || (byPort && cli.older.goBy.includes("port"));
}

/** A CLI that runs in this folder. */
interface RunningCli {
  readonly pid: number;
  /** What it has to do with the companion that a new one would find. */
  readonly state:
    | "connected"
    /** It can connect alone, or by `/ide enable`. */
    | "able"
    /** It looked for its IDE when it started, found none, and does not look again. */
    | "too-early"
    /** The system does not tell in which folder it runs. */
    | "unknown";
}

/** The CLIs that run here already: one that has been started before its companion may have to be started again. */
async function examineRunning(observation: Observation): Promise<readonly Step[]> {
  const { agent } = observation;
  const running = await findRunning(observation);
  if (running.length === 0) return [];
  const evidence = running.map(({ pid, state }) => `process ${pid} ${descriptions[state]}`);
  // Gemini CLI: the user sees a question that no key answers.
  const isWaiting = running.some(({ state }) => state !== "connected") && agent.freedBy !== undefined;
  const again = [agent.command, ...(agent.resumeArguments ?? [])].join(" ");
  const hints = [
    `if it waits for a decision about a diff of a companion that was killed: ${agent.freedBy}`,
    `if it then connects and shows no diff: press Ctrl-C twice, then start ${again}`,
  ];
  const all = [...evidence, ...(isWaiting ? hints : [])];
  const early = running.filter(({ state }) => state === "too-early");
  if (early.length === 0) {
    const isConnected = running.every(({ state }) => state === "connected");
    return [isConnected ? ok("running", ...all) : note("running", ...all)];
  }
  const which = early.map(({ pid }) => pid).join(", ");
  const restart = findCompanion(observation) ? "Restart" : "With a companion running, restart";
  const remedy = `${restart} ${agent.displayName} (process ${which}): type /quit in it, then start ${again}`;
  return [failed("running", all, remedy)];
}

const descriptions: Readonly<Record<RunningCli["state"], string>> = {
  connected: "is connected",
  able: "is not connected: type /ide enable in it",
  "too-early":
    "was started before the companion, in a terminal of no known editor: it looks for one only at its start",
  unknown: "was started before the companion: if it runs in this folder, it must be restarted",
};

async function findRunning(observation: Observation): Promise<readonly RunningCli[]> {
  const { agent, cli, folder, environment, processes } = observation;
  const { platform } = environment;
  const pids = findCliProcesses(processes, agent, cli).map(({ pid }) => pid);
  const companion = findCompanion(observation);
  const server = companion?.serverPid ?? companion?.ppid;
  const details = await readProcessDetails([...pids, ...(server === undefined ? [] : [server])], platform);
  const isConnected = await findConnectedClis(companion?.port, processes, platform);
  const serverStart = server === undefined ? undefined : details.get(server)?.startedAt;

  return pids.flatMap((pid): readonly RunningCli[] => {
    const { startedAt, folder: own, env } = details.get(pid) ?? {};
    if (own !== undefined && !holds([folder], own)) return [];
    if (isConnected(pid)) return [{ pid, state: "connected" }];
    // Without a companion, all of them were started before it.
    const isEarlier = serverStart === undefined || (startedAt !== undefined && startedAt < serverStart);
    // Elsewhere only another user's is hidden from us.
    if (own === undefined) return isEarlier && platform === "win32" ? [{ pid, state: "unknown" }] : [];
    const variables = env ?? environment.host.env;
    // The port is set by `ide-companion run` and `env`: then it has found a companion when it started.
    const knowsIde = cli.detectIde({ env: variables, command: "" }) ?? variables[cli.variables.port];
    return [{ pid, state: isEarlier && !knowsIde ? "too-early" : "able" }];
  });
}

/** What is said of the companion that a CLI would connect to, which has this folder open. */
const findCompanion = ({ discovered }: Observation) =>
  discovered.workspace.result === "inside" ? discovered.chosen?.content : undefined;
