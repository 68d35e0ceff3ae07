import { innermostRoot, toRealPath } from "../../files/workspace-path.ts";
import type { LiveFinding } from "../agent.ts";

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
  const [chosen, ...others] = onePerCompanion(fitting.map(({ finding }) => finding));
  return chosen && { chosen, others };
}

/** The first finding of each companion, which has a file for each agent, or several. */
export const onePerCompanion = (findings: readonly LiveFinding[]): readonly LiveFinding[] =>
  findings.filter(
    (finding, index) => findings.findIndex((other) => isSameCompanion(other, finding)) === index,
  );

/** Whether two files are of one companion: it may have a port for each family of agents. */
export function isSameCompanion(one: LiveFinding, other: LiveFinding): boolean {
  if (one.port === other.port) return true;
  // An editor's process may have several windows, and each of them a companion.
  const isOneEditor = one.pid !== undefined && one.pid === other.pid && one.agent !== other.agent;
  return isOneEditor && toKey(one.roots) === toKey(other.roots);
}

const toKey = (roots: readonly string[]) => roots.map(toRealPath).toSorted().join("\n");

/** How strongly the terminal asks for this one. */
function claim(
  { agent, port, pid }: LiveFinding,
  env: Readonly<Record<string, string | undefined>>,
  lineage: readonly number[],
): number {
  if (agent.portVariable !== undefined && env[agent.portVariable] === String(port)) return 3;
  const wanted = agent.pidVariable === undefined ? undefined : env[agent.pidVariable];
  if (wanted !== undefined && wanted === String(pid)) return 2;
  const above = pid === undefined ? -1 : lineage.indexOf(pid);
  return above === -1 ? 0 : 1 / (above + 1);
}
