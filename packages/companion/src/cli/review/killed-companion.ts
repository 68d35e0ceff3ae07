import { readdir } from "node:fs/promises";
import path from "node:path";
import { type Agent, type Host, holds, parseWorkspacePath } from "../../agents/index.ts";
import { isAbandoned, parseOwners, pidIsAlive, readPrivateFile } from "../../discovery/index.ts";

/**
 * Says what to do about CLIs that may still wait for a companion which was killed here. To be asked before the start of
 * the next one, which removes the files that tell.
 * @returns sentences
 */
export async function describeKilled(
  roots: readonly string[],
  agents: readonly Agent[],
  host: Host,
): Promise<readonly string[]> {
  const sentences: string[] = [];
  for (const agent of agents) {
    if (agent.freedBy === undefined || !(await isLeft(agent, roots, host))) continue;
    sentences.push(
      "The last companion of this folder was killed. " +
        `If ${agent.displayName} still waits for a decision about its diff: ${agent.freedBy}.`,
    );
  }
  return sentences;
}

/** Whether there is a file of a process that has gone without removing it. */
async function isLeft(agent: Agent, roots: readonly string[], host: Host): Promise<boolean> {
  for (const folder of agent.discoveryFolders(host)) {
    const names = await readdir(folder.path).catch(() => []); // missing, or closed to us
    for (const name of names) {
      const named = folder.parseName(name);
      const text = named && readPrivateFile(path.join(folder.path, name));
      if (text === undefined || !isAbandoned(parseOwners(text, named), pidIsAlive)) continue;
      const theirs = parseWorkspacePath(parsePath(text), host);
      if (roots.some((root) => holds(theirs, root))) return true;
    }
  }
  return false;
}

function parsePath(text: string): string {
  try {
    const content: unknown = JSON.parse(text);
    return String(Object(content).workspacePath ?? "");
  } catch {
    return ""; // cut off by a crash
  }
}
