import { isInContainer } from "../../system/host.ts";
import { pidIsAlive } from "../../system/liveness.ts";
import { readProcessTable } from "../../system/processes/process-table.ts";
import type { Agent, Terminal } from "../agent.ts";
import type { Discovered, Environment, FamilyCli } from "./family-cli.ts";
import { findIdeProcess, type IdeProcess } from "./ide-process.ts";
import type { FamilyAgent } from "./quirks.ts";

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
