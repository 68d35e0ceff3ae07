import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import type { Host } from "../../system/host.ts";
import { findInstalledCli, isOlder, type Package } from "../installed-cli.ts";
import type { Observation } from "./observation.ts";
import { failed, note, ok, type Step } from "./step.ts";

const run = promisify(execFile);

/**
 * Whether the CLI is installed, in a version that connects here, and whether this terminal has the Node that it asks for.
 * @param host with the terminal's own variables: what a project's file adds could choose what is run
 */
export async function examineProgram(observation: Observation, host: Host): Promise<Step> {
  const { agent, cli } = observation;
  const installed = findInstalledCli(agent, cli, host);
  if (installed === undefined) {
    const evidence = `there is no ${agent.command} in your PATH`;
    return failed("program", [evidence], `Install it: ${agent.installCommand}`);
  }
  const { file, package: found } = installed;
  if (found === undefined) {
    return note("program", file, `its version is unknown: it must be ${cli.oldestVersion} or later`);
  }
  const evidence = `${found.version}, ${file}`;
  const older = examineOlder(found.version, observation);
  if (older?.remedy !== undefined) return failed("program", [evidence, older.sentence], older.remedy);
  if (older) return note("program", evidence, older.sentence);
  const node = await tooOldNode(found, host);
  // It may run all the same: nothing but its author's word is against it.
  if (node) return note("program", evidence, `it asks for Node ${node.needed}, and finds ${node.version}`);
  const known = found.version === cli.knownVersion;
  if (known) return ok("program", evidence);
  return note("program", evidence, `what follows is what version ${cli.knownVersion} does`);
}

/** What is to be said of a version that does not look at the files of all companions. */
function examineOlder(version: string, observation: Observation) {
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
function leadsOlder({ agent, cli, host, discovered, ideProcess }: Observation): boolean {
  const { chosen } = discovered;
  if (!chosen) return false;
  const inName: readonly string[] = path.basename(chosen.found.path).match(/\d+/g) ?? [];
  // They do not know the variable that names the process.
  const isWalked = ideProcess.rule !== "unknown" && ideProcess.rule !== "variable";
  const byProcess = isWalked && inName.includes(String(ideProcess.pid));
  const byPort = host.env[agent.portVariable] === String(chosen.content?.port);
  return byProcess || (byPort && cli.older.goBy.includes("port"));
}

/** The Node that the executable would run with, if that is older than the package wants. */
async function tooOldNode({ engines }: Package, { env }: Host) {
  const needed = Number(/(\d+)/.exec(engines?.node ?? "")?.[1]);
  if (!needed) return undefined;
  try {
    const { stdout } = await run("node", ["--version"], { env: { ...env }, timeout: 5000 });
    const version = stdout.trim();
    return Number(/^v(\d+)/.exec(version)?.[1]) < needed ? { needed, version } : undefined;
  } catch {
    return undefined; // no Node in the PATH: it brings its own, or its start will tell
  }
}
