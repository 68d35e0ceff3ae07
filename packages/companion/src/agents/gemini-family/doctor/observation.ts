import type { Host } from "../../../system/host.ts";
import { type ProcessTable, readProcessTable } from "../../../system/processes/process-table.ts";
import type { Agent, Terminal } from "../../agent.ts";
import { createSteps } from "../../doctor/step.ts";
import { toRenaming, toStartCommand } from "../../installed-cli.ts";
import { withEnvironment } from "../environment.ts";
import type { Discovered, Environment, FamilyCli } from "../family-cli.ts";
import { type IdeProcess, lookForIde } from "../ide-process.ts";

/** What all steps are about: one CLI in one folder, and what it would find. */
export interface Observation {
  readonly agent: Agent;
  /** Every agent. */
  readonly all: readonly Agent[];
  readonly cli: FamilyCli;
  readonly host: Host;
  readonly folder: string;
  readonly discovered: Discovered;
  readonly environment: Environment;
  readonly ideProcess: IdeProcess;
  readonly processes: ProcessTable;
}

export async function observe(
  agent: Agent,
  cli: FamilyCli,
  options: Terminal,
  all: readonly Agent[],
): Promise<Observation> {
  const { folder, platform = process.platform } = options;
  const loaded = cli.loadEnvironment({ host: options.host, folder, platform });
  const host = withEnvironment(options.host, loaded);
  const processes = options.processes ?? (await readProcessTable(platform));
  const found = await lookForIde(agent, cli, { ...options, host, processes });
  const environment = { ...found.environment, envSources: loaded.sources };
  return { agent, all, cli, host, folder, ...found, environment, processes };
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

/** The steps of this family's CLIs, in the order in which the CLI takes them. */
const titles = {
  settings: "Settings",
  "ide-mode": "IDE mode",
  approval: "Asks before it writes",
  sandbox: "Sandbox",
  process: "IDE's process",
  environment: "Variables",
  files: "Discovery files",
  ide: "IDE",
  workspace: "Workspace",
  container: "Container",
  port: "Port",
  token: "Token",
  handshake: "Handshake",
  stream: "Stream",
  tools: "Tools",
  trust: "Trust",
  running: "Running CLIs",
} as const;

export type StepId = keyof typeof titles;

export const { ok, note, unreached, failed } = createSteps<StepId>(titles);
