import { holds, parseWorkspacePath } from "../../files/workspace-path.ts";
import type { Host } from "../../system/host.ts";
import { tryParseJson } from "../../system/json.ts";
import { pidIsAlive } from "../../system/liveness.ts";
import { readPrivateFile } from "../../system/private-file.ts";
import type { Agent } from "../agent.ts";
import { discoveryFilesIn, isAbandoned, parseOwners } from "./sweep.ts";

/**
 * Says what to do about CLIs that may still wait for a companion that was killed in these folders. Call it before the
 * next companion starts, which removes the discovery files that show it.
 * @returns a message per agent
 */
export function describeKilled(
  roots: readonly string[],
  agents: readonly Agent[],
  host: Host,
): readonly string[] {
  return agents
    .filter((agent) => agent.freedBy !== undefined && hasAbandonedFile(agent, roots, host))
    .map(
      // The remedy comes first, because some editors cut a message at the width of the window.
      ({ displayName, freedBy }) =>
        `If ${displayName} hangs, ${freedBy}: the last companion of this folder was killed.`,
    );
}

/** Whether a process that no longer runs has left a discovery file for one of these folders. */
function hasAbandonedFile(agent: Agent, roots: readonly string[], host: Host): boolean {
  for (const folder of agent.discoveryFolders(host)) {
    for (const { file, named } of discoveryFilesIn(folder)) {
      const text = readPrivateFile(file);
      if (text === undefined || !isAbandoned(parseOwners(text, named, folder), pidIsAlive)) continue;
      const theirs = parseWorkspacePath(String(Object(tryParseJson(text)).workspacePath ?? ""), host);
      if (roots.some((root) => holds(theirs, root))) return true;
    }
  }
  return false;
}
