import path from "node:path";
import type { Agent, Diagnosis, Terminal } from "../../agent.ts";
import { examineProgram, type VersionRemark } from "../../doctor/program.ts";
import { examineProxy } from "../../doctor/proxy.ts";
import type { Step } from "../../doctor/step.ts";
import { findInstalledCli, isOlder } from "../../installed-cli.ts";
import type { FamilyCli } from "../family-cli.ts";
import { connectionNotReached, examineConnection } from "./connection-steps.ts";
import { type Observation, observe, toIdeName } from "./observation.ts";
import { examineRunning } from "./running-clis.ts";
import {
  examineContainer,
  examineEnvironment,
  examineFiles,
  examineIde,
  examineProcess,
  examineWorkspace,
} from "./search-steps.ts";
import { failed, ok, unreached } from "./steps.ts";

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
