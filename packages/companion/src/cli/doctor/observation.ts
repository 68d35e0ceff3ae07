import type { Agent } from "../../agents/agent.ts";
import type { AgentCli, Discovered, Environment } from "../../agents/agent-cli.ts";
import { withEnvironment } from "../../agents/gemini-family/environment.ts";
import { type FindIdeOptions, findIde } from "../../client/find-ide.ts";
import type { IdeProcess } from "../../client/processes/ide-process.ts";
import type { ProcessTable } from "../../client/processes/process-table.ts";
import { readProcessTable } from "../../client/processes/read-process-table.ts";
import type { Host } from "../../system/host.ts";
import { toRenaming, toStartCommand } from "../start-command.ts";

/** What all steps are about: one CLI in one folder, and what it would find. */
export interface Observation {
  readonly agent: Agent;
  readonly cli: AgentCli;
  readonly host: Host;
  readonly folder: string;
  readonly discovered: Discovered;
  readonly environment: Environment;
  readonly ideProcess: IdeProcess;
  readonly processes: ProcessTable;
}

export async function observe(agent: Agent, options: FindIdeOptions): Promise<Observation> {
  const { folder, platform = process.platform } = options;
  const cli = await agent.loadCli();
  const loaded = cli.loadEnvironment({ host: options.host, folder, platform });
  const host = withEnvironment(options.host, loaded);
  const processes = options.processes ?? (await readProcessTable(platform));
  const found = await findIde(agent, { ...options, host, processes });
  const environment = { ...found.environment, envSources: loaded.sources };
  return { agent, cli, host, folder, ...found, environment, processes };
}

/** How the IDE is called that the CLI would connect to. */
export function toIdeName({ discovered }: Observation): string {
  const { content } = discovered.chosen ?? {};
  return content?.ideInfo?.displayName ?? content?.ideName ?? discovered.ide?.ide.displayName ?? "your IDE";
}

/** The remedy that always works where nobody serves a folder. */
export function startCompanion({
  folder,
  host,
  environment,
}: Pick<Observation, "folder" | "host" | "environment">): string {
  const { platform } = environment;
  const renaming = toRenaming(folder, host, platform);
  if (renaming === undefined)
    return `Start a companion for this folder: ${toStartCommand(folder, host, platform)}`;
  return `Take the "${host.delimiter}" out of this folder's path, at which agent CLIs split it: ${renaming}`;
}
