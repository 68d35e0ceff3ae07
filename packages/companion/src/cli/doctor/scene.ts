import {
  type Agent,
  type AgentCli,
  type Host,
  type Sought,
  type Surroundings,
  withEnvironment,
} from "../../agents/index.ts";
import { type FindIdeOptions, findIde } from "../../client/find-ide.ts";
import type { IdeProcess } from "../../client/processes/ide-process.ts";
import { toShellWord } from "../terminal/shell-word.ts";

/** What all steps are about: one CLI in one folder, and what it would find. */
export interface Scene {
  readonly agent: Agent;
  readonly cli: AgentCli;
  readonly host: Host;
  readonly folder: string;
  readonly sought: Sought;
  readonly surroundings: Surroundings;
  readonly ideProcess: IdeProcess;
}

export async function lookAround(agent: Agent, options: FindIdeOptions): Promise<Scene> {
  const { folder, platform = process.platform } = options;
  const cli = await agent.loadCli();
  const loaded = cli.loadEnvironment({ host: options.host, folder, platform });
  const host = withEnvironment(options.host, loaded);
  const found = await findIde(agent, { ...options, host });
  const surroundings = { ...found.surroundings, envSources: loaded.sources };
  return { agent, cli, host, folder, ...found, surroundings };
}

/** How the IDE is called that the CLI would connect to. */
export function toIdeName({ sought }: Scene): string {
  const { content } = sought.chosen ?? {};
  return content?.ideInfo?.displayName ?? content?.ideName ?? sought.ide?.ide.displayName ?? "your IDE";
}

/** The remedy that always works where nobody serves a folder. */
export const startCompanion = ({ folder }: Pick<Scene, "folder">): string =>
  `Start a companion for this folder: ide-companion ${toShellWord(folder)}`;
