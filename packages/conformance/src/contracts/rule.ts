import type { CheckOf, Lane, Need } from "./check.ts";
import { createRuleBook, levels, type Requirement, type Source } from "./requirement.ts";

/** What proves a rule from outside, and what would break it. */
interface Proof<Means, Fault> {
  /** The id of the check: words with hyphens. */
  readonly check: string;
  /** What holds for a good companion: the first sentence of the rule, where that has no other check. */
  readonly title?: string;
  /** That of checks which need neither the user nor a diff, unless given. */
  readonly lane?: Lane;
  readonly needs?: readonly Need[];
  /** Other rules that the check proves too. */
  readonly proves?: readonly string[];
  readonly mayHang?: true;
  run(means: Means): Promise<void>;
  /** What a companion does wrong that the check must find. */
  readonly fault: Fault;
}

/** The sentence of a rule, under its level. */
type Sentence =
  | { readonly MUST: string; readonly SHOULD?: never; readonly MAY?: never }
  | { readonly MUST?: never; readonly SHOULD: string; readonly MAY?: never }
  | { readonly MUST?: never; readonly SHOULD?: never; readonly MAY: string };

/**
 * One rule of a contract, with the check that proves it and a fault that the check finds. A rule without a check says
 * why, or the check of another rule proves it.
 */
export type Rule<Means, Fault> = Pick<Requirement, "agent" | "isSecurity" | "unchecked"> &
  Sentence & {
    readonly sources: Source | readonly Source[];
  } & (
    | (Proof<Means, Fault> & { readonly more?: readonly Proof<Means, Fault>[] })
    | { readonly check?: undefined }
  );

/** Rules of one kind, by their ids. */
export type Rules<Means, Fault> = Readonly<Record<string, Rule<Means, Fault>>>;

/** The rules of a kind under their heading. */
export interface Group<Means, Fault> {
  readonly title: string;
  readonly rules: Rules<Means, Fault>;
}

/** A check of a contract, with a fault that it finds. */
export interface ProvenCheck<Means, Fault> extends CheckOf<Means> {
  readonly fault: Fault;
}

/** The rules of a contract and their checks, both in the order of its page. @param table groups by name */
export function readRules<Means, Fault>(table: Readonly<Record<string, Group<Means, Fault>>>) {
  const rules = Object.entries(table).flatMap(([group, { rules }]) =>
    Object.entries(rules)
      .sort(([a], [b]) => numberOf(a) - numberOf(b))
      .map(([id, rule]) => ({ requirement: toRequirement(id, group, rule), rule })),
  );
  const titles = Object.entries(table).map(([group, { title }]) => [group, title] as const);
  return {
    book: createRuleBook(
      new Map(titles),
      rules.map(({ requirement }) => requirement),
    ),
    checks: rules.flatMap(({ requirement, rule }) =>
      rule.check === undefined
        ? []
        : [rule, ...(rule.more ?? [])].map((proof) => toCheck(requirement, proof)),
    ),
  };
}

const numberOf = (id: string) => Number(id.replace(/\D+/, ""));

function toRequirement<Means, Fault>(id: string, group: string, rule: Rule<Means, Fault>): Requirement {
  const { agent, sources, isSecurity, unchecked } = rule;
  const level = levels.find((one) => rule[one] !== undefined) ?? "MAY";
  return {
    id,
    group,
    level,
    ...(agent && { agent }),
    ...(isSecurity && { isSecurity }),
    rule: rule[level] ?? "",
    sources: "kind" in sources ? [sources] : sources,
    ...(unchecked !== undefined && { unchecked }),
  };
}

/** The first sentence of a rule, within another one. */
const within = (rule: string) =>
  rule.replace(/\.(?:\s.*)?$/s, "").replace(/^[A-Z](?=[a-z ])/, (first) => first.toLowerCase());

function toCheck<Means, Fault>(
  { id, rule }: Requirement,
  {
    check,
    title = within(rule),
    lane = "wire",
    needs,
    proves = [],
    mayHang,
    fault,
    run,
  }: Proof<Means, Fault>,
): ProvenCheck<Means, Fault> {
  return {
    id: check,
    title,
    requirements: [id, ...proves],
    lane,
    ...(needs && { needs }),
    ...(mayHang && { mayHang }),
    run,
    fault,
  };
}
