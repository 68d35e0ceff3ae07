import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Host } from "../../system/host.ts";
import type { AgentIdentity } from "../agent.ts";
import { type InstalledCli, isOlder, type Package } from "../installed-cli.ts";
import { createSteps, type Step } from "./step.ts";

const run = promisify(execFile);

/** An agent's CLI as it is published. */
export interface CliPackage {
  /** Its npm package. */
  readonly packageName: string;
  /** The version that all that we know of it was found with. */
  readonly knownVersion: string;
  /** The oldest version that connects in any terminal. */
  readonly oldestVersion: string;
}

/** What is to be said of one version. */
export interface VersionRemark {
  readonly sentence: string;
  /** Where it does not connect. */
  readonly remedy?: string;
}

const { failed, note, ok } = createSteps({ program: "Program" });

/**
 * Whether the CLI is installed, in a version that connects here, and whether this terminal has the Node that it asks for.
 * @param host with the terminal's own variables: what a project's file adds could choose what is run
 * @param judge undefined for a version that connects; by default one older than all that were tried gets a remark
 */
export async function examineProgram(
  agent: AgentIdentity,
  cli: CliPackage,
  host: Host,
  installed: InstalledCli | undefined,
  judge = (version: string) => judgeUntried(version, cli),
): Promise<Step> {
  if (installed === undefined) {
    const evidence = `there is no ${agent.command} in your PATH`;
    return failed("program", [evidence], `Install it: ${agent.installCommand}`);
  }
  const { file, package: found } = installed;
  if (found === undefined) {
    return note("program", file, `its version is unknown: it must be ${cli.oldestVersion} or later`);
  }
  const evidence = `${found.version}, ${file}`;
  const older = judge(found.version);
  if (older?.remedy !== undefined) return failed("program", [evidence, older.sentence], older.remedy);
  if (older) return note("program", evidence, older.sentence);
  const node = await tooOldNode(found, host);
  // It may run all the same: nothing but its author's word is against it.
  if (node) return note("program", evidence, `it asks for Node ${node.needed}, and finds ${node.version}`);
  const known = found.version === cli.knownVersion;
  if (known) return ok("program", evidence);
  return note("program", evidence, `what follows is what version ${cli.knownVersion} does`);
}

function judgeUntried(version: string, { oldestVersion }: CliPackage): VersionRemark | undefined {
  if (!isOlder(version, oldestVersion)) return undefined;
  return { sentence: `versions before ${oldestVersion} have not been tried` };
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
