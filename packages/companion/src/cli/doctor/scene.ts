import type { Agent, AgentCli, Host, Sought, Surroundings } from "../../agents/index.ts";
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
  const { host, folder } = options;
  return { agent, cli: await agent.loadCli(), host, folder, ...(await findIde(agent, options)) };
}

/** How the IDE is called that the CLI would connect to. */
export function toIdeName({ sought }: Scene): string {
  const { content } = sought.chosen ?? {};
  return content?.ideInfo?.displayName ?? content?.ideName ?? sought.ide?.ide.displayName ?? "your IDE";
}

/** The remedy that always works where nobody serves a folder. */
export const startCompanion = ({ folder }: Pick<Scene, "folder">): string =>
  `Start a companion for this folder: ide-companion ${toShellWord(folder)}`;
