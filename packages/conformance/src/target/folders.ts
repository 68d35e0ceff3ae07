import { mkdir, mkdtemp, realpath } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import path, { join } from "node:path";
import { type AgentName, agentNames, agents } from "../agents.ts";

/** Those companions that have this folder, or one that contains it, open. */
export async function findServing<Companion extends { readonly roots: readonly string[] }>(
  folder: string,
  companions: readonly Companion[],
): Promise<Companion[]> {
  const here = await realpath(folder);
  const serves = await Promise.all(companions.map(({ roots }) => isInside(here, roots)));
  return companions.filter((_, index) => serves[index]);
}

async function isInside(folder: string, roots: readonly string[]): Promise<boolean> {
  for (const root of roots) {
    const resolved = await realpath(root).catch(() => root); // no such folder: then nothing is inside
    const relative = path.relative(resolved, folder);
    if (relative === "" || !(relative.startsWith("..") || path.isAbsolute(relative))) return true;
  }
  return false;
}

/** The folders in which CLIs look for discovery files. */
export interface SystemFolders {
  /** The temporary folder, as Node's `os.tmpdir()` has it. */
  readonly tmp: string;
  /** The folders of agents that have their own. */
  readonly homes: Readonly<Partial<Record<AgentName, string>>>;
}

/** The folders of this machine. */
export function readSystemFolders(env: NodeJS.ProcessEnv): SystemFolders {
  return {
    tmp: tmpdir(),
    homes: homesFrom(({ variable, folder }) => env[variable] ?? join(homedir(), folder)),
  };
}

/** The folders of a sandbox: a temporary folder, and one for each agent that has its own. */
export function systemFoldersIn(root: string): SystemFolders {
  return { tmp: join(root, "tmp"), homes: homesFrom((_, agent) => join(root, agent)) };
}

/** The variables by which programs find these folders. */
export function variablesFor({ tmp, homes }: SystemFolders): Record<string, string> {
  const own = agentNames.flatMap((agent) => {
    const [home, variable] = [homes[agent], agents[agent].home?.variable];
    return home === undefined || variable === undefined ? [] : [[variable, home]];
  });
  return { TMPDIR: tmp, TMP: tmp, TEMP: tmp, ...Object.fromEntries(own) };
}

function homesFrom(
  toPath: (home: { variable: string; folder: string }, agent: AgentName) => string,
): SystemFolders["homes"] {
  return Object.fromEntries(
    agentNames.flatMap((agent) => {
      const { home } = agents[agent];
      return home === undefined ? [] : [[agent, toPath(home, agent)]];
    }),
  );
}

/** Private folders for a companion: those of the agents, and a workspace. */
export interface Sandbox {
  readonly systemFolders: SystemFolders;
  readonly workspace: string;
}

export async function createSandbox(folder: string): Promise<Sandbox> {
  // Short: editors put sockets here, whose path may have 107 characters.
  const root = await realpath(await mkdtemp(join(folder, "w")));
  const sandbox = {
    systemFolders: systemFoldersIn(root),
    workspace: join(root, "work"),
  };
  for (const made of [sandbox.systemFolders.tmp, sandbox.workspace]) await mkdir(made);
  return sandbox;
}
