import type { AgentName } from "../agents.ts";
import type { Limits } from "../run/limits.ts";
import type { Neighbours } from "../run/neighbours.ts";
import type { EditorHook } from "../target/editor-hook.ts";
import type { StartedCompanion, StartOptions } from "../target/started-companion.ts";
import type { Target } from "../target/target.ts";
import type { Wire } from "../wire/wire.ts";

/** What a check needs beyond an address and a token. */
export type Need = "editor-command" | "command" | "files";

/**
 * In which company a check runs. Beside each other run those of `wire`, and those of `proposals`, which open diffs and
 * leave the user alone. One after the other run those of `editor` because they need the user for themselves, those of
 * `neighbours` because they look at what happens to the same two companions, and those of `process` because each
 * starts companions of its own.
 */
export type Lane = "wire" | "editor" | "proposals" | "neighbours" | "process";

/** One thing that can be seen from outside, and the rules that it shows. */
export interface Check {
  /** Words with hyphens. */
  readonly id: string;
  /** A sentence that is true of a good companion. */
  readonly title: string;
  readonly requirements: readonly string[];
  readonly lane: Lane;
  readonly needs?: readonly Need[];
  /**
   * @throws Broken when a rule is broken
   * @throws NotRun when it turns out that it cannot be told
   */
  run(bench: Bench): Promise<void>;
}

/** What a check works with. */
export interface Bench {
  readonly target: Target;
  /** The agents that the companion serves. */
  readonly agents: readonly AgentName[];
  readonly limits: Limits;
  readonly wire: Wire;
  /** For checks that need it; throws NotRun for all others. */
  readonly editor: EditorHook;
  readonly hasEditor: boolean;
  /** Path of a file that no other check uses; nothing is there yet. */
  path(name: string): string;
  /** Writes such a file. @returns its path */
  write(name: string, content: string | Buffer): Promise<string>;
  /** Companions beside this one, for the checks of that lane. */
  readonly neighbours: Neighbours;
  /** Starts a companion by the command; it is ended with the check. */
  start(options?: StartOptions): Promise<StartedCompanion>;
  /** Adds to the evidence. */
  note(text: string): void;
}
