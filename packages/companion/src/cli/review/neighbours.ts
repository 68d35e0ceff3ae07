import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Agent } from "../../agents/agent.ts";
import type { Companion } from "../../companion.ts";
import { holds } from "../../files/workspace-path.ts";
import type { Host } from "../../system/host.ts";

/**
 * Tells which other companions serve one of these folders, as sentences.
 * @param own the companion that asks
 */
export async function describeNeighbours(
  roots: readonly string[],
  own: Pick<Companion, "discoveryFiles">,
  agents: readonly Agent[],
  host: Host,
): Promise<readonly string[]> {
  // What reads the files of others takes longer to load than all of the start: mostly there are none.
  if (!(await hasOthers(own, agents, host))) return [];
  const { findCompanions } = await import("../../agents/discovery/find-companions.ts");
  const { onePerCompanion } = await import("../../agents/discovery/choose-companion.ts");
  const live = (await findCompanions(host, agents)).filter((finding) => finding.result === "live");
  const others = onePerCompanion(live.filter(({ file }) => !own.discoveryFiles.includes(file)));
  const overlaps = others.flatMap((other) => {
    const name = `${other.ide?.displayName ?? "Another editor"} on port ${other.port}`;
    return describeOverlap(roots, other.roots, name) ?? [];
  });
  return overlaps.length === 0 ? [] : [...overlaps, ...agents.flatMap(describeChoice)];
}

/** What the user of an agent does that does not choose. */
function describeChoice({ displayName, name, choosesNone }: Agent): readonly string[] {
  if (!choosesNone) return [];
  return [`${displayName} connects to none of several companions: start it by ide-companion run ${name}`];
}

/** Who serves what both have, by the rule of `ide-companion run`: the innermost folder, then the newest companion. */
function describeOverlap(
  own: readonly string[],
  others: readonly string[],
  name: string,
): string | undefined {
  for (const root of own) {
    if (others.some((other) => holds([root], other) && holds([other], root)))
      return `${root} is also served by ${name}: ide-companion run takes the newest, which is this one`;
    const inner = others.find((other) => holds([root], other));
    if (inner !== undefined)
      return `${inner} is served by ${name}: ide-companion run takes that one there, and this one in the rest of ${root}`;
    const outer = others.find((other) => holds([other], root));
    if (outer !== undefined)
      return `${root} is also served by ${name}, with all of ${outer}: ide-companion run takes this one here`;
  }
  return undefined;
}

async function hasOthers(
  { discoveryFiles }: Pick<Companion, "discoveryFiles">,
  agents: readonly Agent[],
  host: Host,
): Promise<boolean> {
  for (const folder of agents.flatMap((agent) => agent.discoveryFolders(host))) {
    const names = await readdir(folder.path).catch(() => []); // missing, or closed to us
    const isOther = (name: string) => !discoveryFiles.includes(path.join(folder.path, name));
    if (names.some((name) => folder.parseName(name) && isOther(name))) return true;
  }
  return false;
}
