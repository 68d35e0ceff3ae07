import { innermostRoot } from "../files/workspace-path.ts";
import type { LiveFinding } from "./find-companions.ts";

/** The companion that a CLI in some folder belongs to, and those that would have done as well. */
export interface Choice {
  readonly chosen: LiveFinding;
  readonly others: readonly LiveFinding[];
}

/**
 * Chooses the companion for a CLI: one whose roots hold the folder; of several the one that the terminal's variables
 * name, by port or else by process, or else the nearest of those whose editor is above this process, or else the one
 * with the most specific root, or else the newest.
 * @param findings of one agent or of several
 * @param folder absolute; symlinks are followed, as in the roots
 * @param env the terminal's variables
 * @param lineage ids of the processes above, nearest first, as far as they are known
 */
export function chooseCompanion(
  findings: readonly LiveFinding[],
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
  lineage: readonly number[] = [],
): Choice | undefined {
  const fitting = findings
    .flatMap((finding) => {
      const root = innermostRoot(finding.roots, folder);
      return root === undefined ? [] : [{ finding, depth: root.length, claim: claim(finding, env, lineage) }];
    })
    .toSorted((a, b) => b.claim - a.claim || b.depth - a.depth || b.finding.writtenAt - a.finding.writtenAt);
  const [chosen, ...others] = onePerPort(fitting.map(({ finding }) => finding));
  return chosen && { chosen, others };
}

/** The first finding of each companion, which has a file for each agent, or several. */
export function onePerPort(findings: readonly LiveFinding[]): readonly LiveFinding[] {
  const first = new Map<number, LiveFinding>();
  for (const finding of findings) {
    if (!first.has(finding.content.port)) first.set(finding.content.port, finding);
  }
  return [...first.values()];
}

/** How strongly the terminal asks for this one. */
function claim(
  { agent, content, pid }: LiveFinding,
  env: Readonly<Record<string, string | undefined>>,
  lineage: readonly number[],
): number {
  if (env[agent.portVariable] === String(content.port)) return 3;
  const wanted = agent.pidVariable === undefined ? undefined : env[agent.pidVariable];
  if (wanted !== undefined && wanted === String(pid)) return 2;
  const above = pid === undefined ? -1 : lineage.indexOf(pid);
  return above === -1 ? 0 : 1 / (above + 1);
}
