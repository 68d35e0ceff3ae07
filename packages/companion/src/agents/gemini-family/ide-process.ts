import { isInContainer } from "../../system/host.ts";
import { pidIsAlive } from "../../system/liveness.ts";
import {
  lineageOf,
  type ProcessInfo,
  type ProcessTable,
  readProcessTable,
} from "../../system/processes/process-table.ts";
import type { Agent, Terminal } from "../agent.ts";
import type { Discovered, Environment, FamilyCli } from "./family-cli.ts";
import type { FamilyAgent } from "./quirks.ts";

const shells = new Set(["zsh", "bash", "sh", "tcsh", "csh", "ksh", "fish", "dash"]);

/** The process that an agent CLI takes for its IDE, and how it came to it. */
export interface IdeProcess {
  readonly pid: number;
  /** Its command line; empty when it is not known. */
  readonly command: string;
  /**
   * By which rule: an environment variable names it; it stands above the first shell; there is no shell, and it
   * is the topmost process; by its place below the topmost process, as on Windows; or no process is known at all.
   */
  readonly rule: "variable" | "shell" | "topmost" | "windows" | "unknown";
  /** From the CLI upwards, as far as the CLI looks. */
  readonly walked: readonly ProcessInfo[];
}

/** Where a walk up the processes begins, and by which rules. */
export interface WalkOptions {
  readonly table: ProcessTable;
  /** Where the walk begins: the CLI itself, or what stands in its place. */
  readonly pid: number;
  readonly platform: NodeJS.Platform;
  /** The value of the variable by which a user names the process, for a CLI that has one. */
  readonly named?: string | undefined;
}

/**
 * Finds the process that the agent CLIs take for the IDE. They all go by the same rules: on Unix it is the
 * grandparent of the first shell above them (its parent when there is no grandparent), on Windows the process two
 * below the topmost.
 * @see docs/reference/contract.md#2-discovery
 */
export function findIdeProcess({ table, pid, platform, named }: WalkOptions): IdeProcess {
  const chosen = Number.parseInt(named ?? "", 10);
  if (chosen > 0) {
    return { pid: chosen, command: table.get(chosen)?.command ?? "", rule: "variable", walked: [] };
  }
  return platform === "win32" ? walkOnWindows(table, pid) : walkOnUnix(table, pid);
}

/** What an agent's CLI would find, and from where it looked. */
export interface FoundIde {
  readonly discovered: Discovered;
  readonly environment: Environment;
  readonly ideProcess: IdeProcess;
}

/**
 * Looks for an IDE as an agent's own CLI does when it is started in this terminal: process, files, variables.
 * Nothing is changed by it, also where the CLI itself tidies up.
 */
export const findIde = async (agent: FamilyAgent, terminal: Terminal): Promise<FoundIde> =>
  lookForIde(agent, await agent.loadCli(), terminal);

/** The same for a CLI that is loaded. */
export async function lookForIde(
  agent: Pick<Agent, "pidVariable">,
  cli: FamilyCli,
  options: Terminal,
): Promise<FoundIde> {
  const { host, folder, pid = process.pid, platform = process.platform } = options;
  const table = options.processes ?? (await readProcessTable(platform));
  const named = agent.pidVariable === undefined ? undefined : host.env[agent.pidVariable];
  const ideProcess = findIdeProcess({ table, pid, platform, named });
  const environment: Environment = {
    host,
    folder,
    platform,
    ideProcess,
    inContainer: isInContainer(),
    uid: process.getuid?.() ?? null,
    isAlive: pidIsAlive,
  };
  return { discovered: await cli.discover(environment), environment, ideProcess };
}

function walkOnUnix(table: ProcessTable, pid: number): IdeProcess {
  // The process with id 1 is nobody's shell and nobody's IDE.
  const lineage = lineageOf(table, pid).filter((process) => process.pid === pid || process.pid > 1);
  const shell = lineage.findIndex(({ name }) => shells.has(name));
  if (shell === -1) return toTopmost(table, lineage, pid);
  const parent = lineage[shell]?.parentPid ?? 0;
  const grandparent = table.get(parent)?.parentPid ?? 0;
  const found = grandparent > 1 ? grandparent : parent;
  const walked = lineage.slice(0, shell + 3);
  return { pid: found, command: table.get(found)?.command ?? "", rule: "shell", walked };
}

function toTopmost(table: ProcessTable, walked: readonly ProcessInfo[], pid: number): IdeProcess {
  const last = walked.at(-1);
  if (last === undefined) return { pid, command: "", rule: "unknown", walked };
  // A process that is hidden from us still has an id.
  const hidden = last.parentPid > 1 && !table.has(last.parentPid);
  if (hidden) return { pid: last.parentPid, command: "", rule: "topmost", walked };
  return { pid: last.pid, command: last.command, rule: "topmost", walked };
}

function walkOnWindows(table: ProcessTable, pid: number): IdeProcess {
  const walked = lineageOf(table, pid);
  const found = walked.length >= 3 ? walked.at(-3) : walked.at(-1);
  if (found === undefined) return { pid, command: "", rule: "unknown", walked };
  return { pid: found.pid, command: found.command, rule: "windows", walked };
}
