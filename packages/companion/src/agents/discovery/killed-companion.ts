import { readdir } from "node:fs/promises";
import path from "node:path";
import { holds, parseWorkspacePath } from "../../files/workspace-path.ts";
import type { Host } from "../../system/host.ts";
import { tryParseJson } from "../../system/json.ts";
import { pidIsAlive } from "../../system/liveness.ts";
import { readPrivateFile } from "../../system/private-file.ts";
import type { Agent } from "../agent.ts";
import { isAbandoned, parseOwners } from "./sweep.ts";

/**
 * Says what to do about CLIs that may still wait for a companion that was killed in these folders. Call it before the
 * next companion starts, which removes the discovery files that show it.
 * @returns a message per agent
 */
export async function describeKilled(
  roots: readonly string[],
  agents: readonly Agent[],
  host: Host,
): Promise<readonly string[]> {
  const messages: string[] = [];
  for (const agent of agents) {
    if (agent.freedBy === undefined || !(await hasAbandonedFile(agent, roots, host))) continue;
    // The remedy comes first, because some editors cut a message at the width of the window.
    messages.push(
      `If ${agent.displayName} hangs, ${agent.freedBy}: the last companion of this folder was killed.`,
    );
  }
  return messages;
}

/** Whether a process that no longer runs has left a discovery file for one of these folders. */
async function hasAbandonedFile(agent: Agent, roots: readonly string[], host: Host): Promise<boolean> {
  for (const folder of agent.discoveryFolders(host)) {
    const names = await readdir(folder.path).catch(() => []); // missing, or closed to us
    for (const name of names) {
      const named = folder.parseName(name);
      if (named === undefined) continue;
      const text = readPrivateFile(path.join(folder.path, name));
      if (text === undefined || !isAbandoned(parseOwners(text, named, folder), pidIsAlive)) continue;
      const theirs = parseWorkspacePath(String(Object(tryParseJson(text)).workspacePath ?? ""), host);
      if (roots.some((root) => holds(theirs, root))) return true;
    }
  }
  return false;
}
