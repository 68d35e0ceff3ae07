import type { AgentName } from "../agents.ts";
import type { Limits } from "../run/limits.ts";
import type { ParallelCompanions } from "../run/parallel-companions.ts";
import type { EditorHook } from "../target/editor-hook.ts";
import type { StartedCompanion, StartOptions } from "../target/started-companion.ts";
import type { Target } from "../target/target.ts";
import type { Wire } from "../wire/wire.ts";

/** What a check needs beyond an address and a token. */
export type Need = "editor-command" | "command" | "files";

/**
 * Which checks a check may run together with. Those of `wire` run concurrently, and so do those of `proposals`, which
 * open diffs and need no user. The others run one at a time: those of `editor` because each needs the user for itself,
 * those of `parallel` because they examine the same two companions, and those of `process` because each starts more
 * companions.
 */
export type Lane = "wire" | "editor" | "proposals" | "parallel" | "process";

/** What is known of a check before it runs. */
export interface CheckHead {
  /** Words with hyphens. */
  readonly id: string;
  /** A sentence that holds for a good companion. */
  readonly title: string;
  readonly requirements: readonly string[];
  readonly lane: Lane;
  readonly needs?: readonly Need[];
}

/**
 * One property that can be observed from outside, and the rules that it proves.
 * @typeParam Means what the checks of its contract may use
 */
export interface Check<Means = Bench> extends CheckHead {
  /**
   * @throws Broken when a rule is broken
   * @throws NotRun when the check turns out to be impossible
   */
  run(bench: Means): Promise<void>;
}

/** What the checks of every contract may use. @typeParam Companion one that the kit has started */
export interface CommonMeans<Companion> {
  readonly limits: Limits;
  /** For checks that declare that they need it; it throws NotRun in all others. */
  readonly editor: EditorHook;
  readonly hasEditor: boolean;
  /** Path of a file that no other check uses; nothing is there yet. */
  path(name: string): string;
  /** Writes such a file. @returns its path */
  write(name: string, content: string | Buffer): Promise<string>;
  /** Starts a companion by the command; it is ended with the check. */
  start(options?: StartOptions): Promise<Companion>;
}

/** What a check of Gemini CLI's and Qwen Code's contract may use. */
export interface Bench extends CommonMeans<StartedCompanion> {
  readonly target: Target;
  /** The agents that the companion serves. */
  readonly agents: readonly AgentName[];
  readonly wire: Wire;
  /** Two more companions, for the checks of that lane. */
  readonly parallel: ParallelCompanions;
  /** Adds to the evidence. */
  note(text: string): void;
}
