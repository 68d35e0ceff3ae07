import { type AgentName, agents } from "../agents.ts";

/** MUST when a CLI or its user's safety depends on it, SHOULD when a user loses something, MAY when it is free. */
export type Level = "MUST" | "SHOULD" | "MAY";

/** The reason for a rule. */
export interface Source {
  readonly kind: "specification" | "protocol" | "observed" | "code" | "recommended";
  /** Where a specification says so; empty for all other kinds. */
  readonly location: string;
  /** What it says, or what was seen, in our words. */
  readonly says: string;
}

/** One rule of the contract between an agent CLI and a companion. */
export interface Requirement {
  /** A letter for the group and a number: `T8`. Never given to another rule. */
  readonly id: string;
  readonly level: Level;
  /** The agent it is for, when it is not for both. */
  readonly agent?: AgentName;
  /** One sentence. */
  readonly rule: string;
  readonly sources: readonly Source[];
  /** Whether it keeps others out, of a group that is not about security alone. */
  readonly isSecurity?: true;
  /** Why no check can prove it from outside. */
  readonly unchecked?: string;
}

/** The Model Context Protocol, 2025-06-18 unless it says otherwise. */
export const mcp = (section: string, says: string): Source => ({
  kind: "protocol",
  location: `MCP, ${section}`,
  says,
});

/** Both published specifications, of Gemini CLI and of Qwen Code, have the same sections and, except for names, the same content. */
export const specification = (section: string, says: string): Source => ({
  kind: "specification",
  location: `both specifications, ${section}`,
  says,
});

/** The published specification of one agent. */
export const specificationOf = (agent: AgentName, section: string, says: string): Source => ({
  kind: "specification",
  location: `${agents[agent].title}'s specification, ${section}`,
  says,
});

/** The protocol page of an existing Neovim companion. */
export const neovimPage = (section: string, says: string): Source => ({
  kind: "specification",
  location: `the Neovim companion's protocol page, ${section}`,
  says,
});

/** Seen in real traffic of the CLIs. */
export const observed = (says: string): Source => ({ kind: "observed", location: "", says });

/** Read in the code that the CLIs ship. */
export const code = (says: string): Source => ({ kind: "code", location: "", says });

/** What experience with companions recommends. */
export const recommended = (says: string): Source => ({ kind: "recommended", location: "", says });

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
  /** Whether one of some rules keeps others out. */
  isSecurity(ids: readonly string[]): boolean;
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
    isSecurity: (ids) =>
      ids.map(find).some(({ group, requirement }) => group === "security" || requirement.isSecurity === true),
  };
}
