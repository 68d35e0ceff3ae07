import { type AgentName, agents } from "../agents.ts";
import type { Arguments } from "../cli/options.ts";
import { type Progress, runLanes } from "../run/lanes.ts";
import { examine, type Result } from "../run/result.ts";
import {
  type Cleanup,
  Clis,
  type CommonMeans,
  createCommonMeans,
  lastWordsOf,
  type Subject,
  whatIsMissing,
} from "../run/subject.ts";
import { Evidence } from "../wire/evidence.ts";
import type { CheckHead, CheckOf } from "./check.ts";
import type { RuleBook } from "./requirement.ts";
import { type Group, readRules } from "./rule.ts";

/** What one kind of agent CLI and its companions expect of each other: one folder of rules, checks and an example. */
export type Contract = Pick<
  RunnableContract<{ readonly name: string }, never, unknown>,
  "agents" | "rules" | "checks" | "whomOf" | "open"
>;

/** What a contract consists of. @typeParam Shared what the checks of one run have in common */
export interface ContractParts<Target, Means, Fault, Shared extends SharedMeans = SharedMeans> {
  /** As `--agent` names them. */
  readonly agents: readonly string[];
  /** By their names, in the order of the contract's page. */
  readonly groups: Readonly<Record<string, Group<Means, Fault>>>;
  /** The id of the check that shows whether a CLI can connect. */
  readonly handshake: string;
  /** The id of the check that shows whether a companion serves several CLIs. */
  readonly severalClis: string;
  /** Names for people of the agents that a companion serves. */
  titlesOf(target: Target): readonly string[];
  /** @throws UsageError, NoCompanion */
  open(args: Arguments, cleanup: Cleanup): Promise<Subject<Target>>;
  /** Where it listens, for people. */
  addressOf(target: Target): string;
  /** What no report may show. */
  secretsOf(target: Target): Iterable<string>;
  /** Whether the companion can be found by files. */
  hasFiles?(target: Target): boolean;
  /** Why a companion need not follow the rules that are for one agent. */
  whyNot?(agent: AgentName, target: Target): string | undefined;
  createShared?(subject: Subject<Target>): Shared;
  createMeans(given: GivenMeans<Target, Shared>): Means;
}

/** What the checks of one run have in common. */
export interface SharedMeans {
  /** For the checks of the lane `parallel`. */
  readonly evidence: Evidence;
  close(): Promise<void>;
}

/** What the checks of a contract are made from. */
export interface GivenMeans<Target, Shared = SharedMeans> {
  readonly common: CommonMeans<Target>;
  readonly clis: Clis;
  readonly evidence: Evidence;
  readonly shared: Shared | undefined;
}

/** A contract, and how its checks run. */
export class RunnableContract<
  Target extends { readonly name: string },
  Means,
  Fault,
  Shared extends SharedMeans = SharedMeans,
> {
  /** The agents that have it, as `--agent` names them. */
  readonly agents: readonly string[];
  readonly rules: RuleBook;
  readonly checks: ReturnType<typeof readRules<Means, Fault>>["checks"];
  readonly #parts: ContractParts<Target, Means, Fault, Shared>;

  constructor(parts: ContractParts<Target, Means, Fault, Shared>) {
    const { book, checks } = readRules(parts.groups);
    this.agents = parts.agents;
    this.rules = book;
    this.checks = checks;
    this.#parts = parts;
  }

  /** Whom a rule is for, when it is not for all of these agents: a name for people. */
  whomOf(requirement: string): string | undefined {
    const { agent } = this.rules.requirementOf(requirement);
    return agent && agents[agent].title;
  }

  /**
   * Finds the companion that the arguments name, or starts it.
   * @param cleanup removes what is made for it
   * @throws UsageError, NoCompanion
   */
  async open(args: Arguments, cleanup: Cleanup) {
    const { open, addressOf, titlesOf, secretsOf } = this.#parts;
    const subject = await open(args, cleanup);
    const { target } = subject;
    return {
      /** Its display name. */
      name: target.name,
      address: addressOf(target),
      agents: titlesOf(target),
      /** @param chosen ids of the checks to run */
      run: (chosen: ReadonlySet<string>, onProgress: (progress: Progress) => void) =>
        this.runChecks(chosen, subject, onProgress),
      /** How it has ended although nobody has asked it to: for people; undefined while it runs. */
      lastWords: () => lastWordsOf(subject, secretsOf(target)),
    };
  }

  /**
   * @param chosen ids of the checks to run
   * @returns the results in the order of the checks
   */
  async runChecks(
    chosen: ReadonlySet<string>,
    subject: Subject<Target>,
    onProgress?: (progress: Progress) => void,
  ): Promise<Result[]> {
    const shared = this.#parts.createShared?.(subject);
    const { rules } = this;
    const [handshake, severalClis] = [
      this.#check(this.#parts.handshake),
      this.#check(this.#parts.severalClis),
    ];
    const wanted = this.checks.filter(({ id }) => chosen.has(id));
    const run = (check: CheckOf<Means>, on: Subject<Target>) => this.#run(check, on, shared);
    try {
      return await runLanes(wanted, { rules, handshake, severalClis, subject, run }, onProgress);
    } finally {
      await shared?.close();
    }
  }

  #check(id: string) {
    const found = this.checks.find((check) => check.id === id);
    if (!found) throw new Error(`there is no check ${id}`);
    return found;
  }

  #run(check: CheckOf<Means>, subject: Subject<Target>, shared: Shared | undefined) {
    const { target, limits } = subject;
    // What companions have done that several checks examine is evidence for each of these.
    const evidence = (check.lane === "parallel" ? shared?.evidence : undefined) ?? new Evidence();
    const hide = (companion: Target) => {
      for (const secret of this.#parts.secretsOf(companion)) evidence.hide(secret);
    };
    hide(target);
    const common = createCommonMeans(check, subject, evidence, hide);
    const clis = new Clis();
    const means = this.#parts.createMeans({ common: common.means, clis, evidence, shared });
    return examine(check, {
      rules: this.rules,
      evidence,
      missing: this.#whyNot(check, subject),
      within: limits.check,
      clis,
      run: () => check.run(means),
      close: common.close,
    });
  }

  #whyNot(check: CheckHead, subject: Subject<Target>): string | undefined {
    const { target } = subject;
    const agents = check.requirements.map((id) => this.rules.requirementOf(id).agent);
    const agent = agents.find((one) => one !== undefined);
    const reason = agent && this.#parts.whyNot?.(agent, target);
    return reason ?? whatIsMissing(check, subject, this.#parts.hasFiles?.(target) ?? true);
  }
}
