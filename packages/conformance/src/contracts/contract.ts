import type { Arguments } from "../cli/options.ts";
import type { RunOptions } from "../run/lanes.ts";
import type { Result } from "../run/result.ts";
import type { Cleanup } from "../run/subject.ts";
import type { CheckHead } from "./check.ts";
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
}
