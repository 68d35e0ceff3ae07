import { type AgentName, agents } from "../agents.ts";

/** MUST when a CLI or its user's safety depends on it, SHOULD when a user loses something, MAY when it is free. */
export type Level = (typeof levels)[number];

export const levels = ["MUST", "SHOULD", "MAY"] as const;

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
  /** The name of its group. */
  readonly group: string;
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

/** All rules of one contract. */
export type RuleBook = ReturnType<typeof createRuleBook>;

/** @param titles of the groups by their names, in the order of the contract's page */
export function createRuleBook(titles: ReadonlyMap<string, string>, requirements: readonly Requirement[]) {
  const rules = new Map(requirements.map((requirement) => [requirement.id, requirement]));
  /** @throws Error for an id that no rule has */
  const requirementOf = (id: string) => {
    const found = rules.get(id);
    if (!found) throw new Error(`there is no requirement ${id}`);
    return found;
  };
  return {
    /** Titles of the groups by their names. */
    titles,
    requirements,
    requirementOf,
    /** The strictest of the levels of some rules. */
    levelOf(ids: readonly string[]): Level {
      const own = ids.map((id) => requirementOf(id).level);
      return levels.find((level) => own.includes(level)) ?? "MAY";
    },
    /** Whether one of some rules keeps others out. */
    isSecurity: (ids: readonly string[]): boolean =>
      ids.map(requirementOf).some(({ group, isSecurity }) => group === "security" || isSecurity === true),
  };
}
