import type { Arguments } from "../cli/options.ts";
import { type RunOptions, runLanes } from "../run/lanes.ts";
import { examine, type Outcome, type Result } from "../run/result.ts";
import {
  type Cleanup,
  type CommonMeans,
  createCommonMeans,
  lastWordsOf,
  type Subject,
  whatIsMissing,
} from "../run/subject.ts";
import type { Started } from "../target/process.ts";
import { Evidence } from "../wire/evidence.ts";
import type { CheckHead, CheckOf } from "./check.ts";
import type { RuleBook } from "./requirement.ts";

/** What one kind of agent CLI and its companions expect of each other: one folder of rules, checks and an example. */
export interface Contract {
  /** The agents that have it, as `--agent` names them. */
  readonly agents: readonly string[];
  readonly rules: RuleBook;
  readonly checks: readonly CheckHead[];
  /** Whom a rule is for, when it is not for all of these agents: a name for people. */
  whomOf(requirement: string): string | undefined;
  /**
   * Finds the companion that the arguments name, or starts it.
   * @param cleanup removes what is made for it
   * @throws UsageError, NoCompanion
   */
  open(args: Arguments, cleanup: Cleanup): Promise<OpenSubject>;
}

/** A companion that is there to be checked. */
export interface OpenSubject {
  /** Its display name. */
  readonly name: string;
  /** Where it listens, for people: `port 41337`, or the path of a socket. */
  readonly address: string;
  /** Names for people of the agents that it serves. */
  readonly agents: readonly string[];
  /** @param chosen ids of the checks to run */
  run(chosen: ReadonlySet<string>, options: RunOptions): Promise<Result[]>;
  /** How it has ended although nobody has asked it to: for people; undefined while it runs. */
  lastWords(): Promise<string | undefined>;
}

/** What the contract of one agent consists of. */
export interface ContractParts<Target, Companion extends Started<Target>, Means> {
  /** As `--agent` names it. */
  readonly agent: string;
  /** Its name for people. */
  readonly title: string;
  readonly rules: RuleBook;
  readonly checks: readonly CheckOf<Means>[];
  /** The check that shows whether a CLI can connect. */
  readonly handshake: CheckOf<Means>;
  /** The check that shows whether a companion serves several CLIs. */
  readonly severalClis: CheckOf<Means>;
  /** @throws UsageError, NoCompanion */
  open(args: Arguments, cleanup: Cleanup): Promise<Subject<Target, Companion>>;
  /** Where it listens, for people. */
  addressOf(target: Target): string;
  /** What no report may show. */
  secretsOf(target: Target): readonly string[];
  createMeans(given: GivenMeans<Target, Companion>): OwnMeans<Means>;
}

/** What the checks of a contract are made from. */
export interface GivenMeans<Target, Companion extends Started<Target>> {
  readonly common: CommonMeans<Companion>;
  readonly target: Target;
  readonly evidence: Evidence;
}

/** What one check of a contract may use. */
export interface OwnMeans<Means> {
  readonly means: Means;
  facts(): Pick<Outcome, "isUnanswered" | "clis">;
  /** Ends its CLIs. */
  close(): void | Promise<void>;
}

/** The contract of one agent, and how its checks run. */
export function createContract<
  Target extends { readonly name: string },
  Companion extends Started<Target>,
  Means,
>(parts: ContractParts<Target, Companion, Means>) {
  const { agent, title, rules, checks, handshake, severalClis, open, addressOf, secretsOf, createMeans } =
    parts;

  function runCheck(check: CheckOf<Means>, subject: Subject<Target, Companion>): Promise<Outcome> {
    const { target, limits } = subject;
    const evidence = new Evidence([]);
    const hide = (companion: Target) => {
      for (const secret of secretsOf(companion)) evidence.hide(secret);
    };
    hide(target);
    const common = createCommonMeans(check, subject, evidence, hide);
    const own = createMeans({ common: common.means, target, evidence });
    return examine(check, {
      rules,
      evidence,
      missing: whatIsMissing(check, subject, true),
      within: limits.check,
      run: () => check.run(own.means),
      async close() {
        await own.close();
        await common.close();
      },
      facts: own.facts,
    });
  }

  /** @returns the results in the order of the checks */
  const runChecks = (
    chosen: readonly CheckOf<Means>[],
    subject: Subject<Target, Companion>,
    options: RunOptions = {},
  ): Promise<Result[]> =>
    runLanes(chosen, { rules, handshake, severalClis, subject, run: runCheck }, options);

  return {
    agents: [agent],
    rules,
    checks,
    whomOf: () => undefined,
    async open(args: Arguments, cleanup: Cleanup): Promise<OpenSubject> {
      const subject = await open(args, cleanup);
      return {
        name: subject.target.name,
        address: addressOf(subject.target),
        agents: [title],
        run: (chosen, options) =>
          runChecks(
            checks.filter(({ id }) => chosen.has(id)),
            subject,
            options,
          ),
        lastWords: () => lastWordsOf(subject, secretsOf(subject.target)),
      };
    },
    runChecks,
  };
}
