/** What a user allows the agents, as options, a configuration file or an editor's settings say. */
export interface UserRules {
  /** Files that agents do not receive, besides those that nobody shares by default; as in a `.gitignore`. */
  readonly exclude: readonly string[];
  readonly excludeGitIgnored: boolean;
  /** Whether an agent may accept its own changes. */
  readonly agentAccept: boolean;
  /** What could not be understood: sentences for the user. */
  readonly problems: readonly string[];
}

export const noRules: UserRules = {
  exclude: [],
  excludeGitIgnored: false,
  agentAccept: true,
  problems: [],
};

/** Who has written something that cannot be understood wanted to keep something: that keeps all. */
export const strictRules = (problem: string): UserRules => ({
  exclude: ["*"],
  excludeGitIgnored: true,
  agentAccept: false,
  problems: [`${problem}. Until that is put right nothing is shared with agents.`],
});

const isText = (value: unknown): value is string => typeof value === "string";

/**
 * Reads settings of ours from JSON. Names that are not ours are passed over.
 * @param source for people: where it was written
 */
export function parseUserRules(value: unknown, source: string): UserRules {
  if (value === undefined || value === null) return noRules;
  if (typeof value !== "object" || Array.isArray(value)) {
    return strictRules(`${source} must hold an object, got ${JSON.stringify(value)}`);
  }
  const {
    exclude = [],
    excludeGitIgnored = false,
    agentAccept = true,
  }: Readonly<Record<string, unknown>> = {
    ...value,
  };
  if (!Array.isArray(exclude) || !exclude.every(isText)) {
    return strictRules(`${source}: exclude must be a list of texts, got ${JSON.stringify(exclude)}`);
  }
  if (typeof excludeGitIgnored !== "boolean") {
    return strictRules(
      `${source}: excludeGitIgnored must be true or false, got ${JSON.stringify(excludeGitIgnored)}`,
    );
  }
  if (typeof agentAccept !== "boolean") {
    return strictRules(`${source}: agentAccept must be true or false, got ${JSON.stringify(agentAccept)}`);
  }
  return { exclude, excludeGitIgnored, agentAccept, problems: [] };
}

/** What one of them keeps is kept; of patterns the later ones have the last word. */
export function combineRules(...rules: readonly UserRules[]): UserRules {
  return {
    exclude: rules.flatMap(({ exclude }) => exclude),
    excludeGitIgnored: rules.some(({ excludeGitIgnored }) => excludeGitIgnored),
    agentAccept: rules.every(({ agentAccept }) => agentAccept),
    problems: rules.flatMap(({ problems }) => problems),
  };
}
