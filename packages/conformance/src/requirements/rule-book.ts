import type { Level, Requirement } from "./requirement.ts";

/** Rules of one kind, under one heading. */
export interface RuleGroup {
  readonly title: string;
  readonly requirements: readonly Requirement[];
}

/** All rules of one contract. */
export interface RuleBook {
  /** Names of the groups, in the order of the contract's page. */
  readonly groups: readonly string[];
  readonly requirements: readonly Requirement[];
  titleOf(group: string): string;
  /** @throws Error for an id that no rule has */
  requirementOf(id: string): Requirement;
  /** The group of a rule. @throws Error for an id that no rule has */
  groupOf(id: string): string;
  /** The strictest of the levels of some rules. */
  levelOf(ids: readonly string[]): Level;
}

const order: readonly Level[] = ["MAY", "SHOULD", "MUST"];

/** @param table groups by name, in order */
export function createRuleBook(table: Readonly<Record<string, RuleGroup>>): RuleBook {
  const entries = Object.entries(table);
  const rules = new Map(
    entries.flatMap(([group, { requirements }]) =>
      requirements.map((requirement) => [requirement.id, { group, requirement }] as const),
    ),
  );
  const find = (id: string) => {
    const found = rules.get(id);
    if (!found) throw new Error(`there is no requirement ${id}`);
    return found;
  };
  return {
    groups: entries.map(([group]) => group),
    requirements: entries.flatMap(([, { requirements }]) => requirements),
    titleOf: (group) => table[group]?.title ?? group,
    requirementOf: (id) => find(id).requirement,
    groupOf: (id) => find(id).group,
    levelOf(ids) {
      const highest = Math.max(...ids.map((id) => order.indexOf(find(id).requirement.level)));
      return order[highest] ?? "MAY";
    },
  };
}
