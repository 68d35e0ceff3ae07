import type { Agent } from "../agents/agent.ts";
import type { Discovered, Environment } from "../agents/agent-cli.ts";
import type { Host } from "../system/host.ts";
import { pidIsAlive } from "../system/liveness.ts";
import { isInContainer } from "./container.ts";
import { findIdeProcess, type IdeProcess } from "./processes/ide-process.ts";
import type { ProcessTable } from "./processes/process-table.ts";
import { readProcessTable } from "./processes/read-process-table.ts";

export interface FindIdeOptions {
  readonly host: Host;
  /** Absolute path of the folder that the CLI is started in. */
  readonly folder: string;
  /** Where the walk up the processes begins: this one, unless given. */
  readonly pid?: number;
  readonly platform?: NodeJS.Platform;
  readonly processes?: ProcessTable;
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
export async function findIde(agent: Agent, options: FindIdeOptions): Promise<FoundIde> {
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
  const cli = await agent.loadCli();
  return { discovered: await cli.discover(environment), environment, ideProcess };
}
