import type { AgentName } from "../requirements/index.ts";
import type { Limits } from "../run/limits.ts";
import type { EditorHook } from "../target/editor-hook.ts";
import type { Start, StartedCompanion } from "../target/started-companion.ts";
import type { Target } from "../target/target.ts";
import type { Wire } from "../wire/wire.ts";

/** What a check needs beyond an address and a token. */
export type Need = "editor-command" | "command" | "files";

/**
 * In which company a check runs: those of `wire` beside each other, those of `editor` one after the other because
 * they open diffs or move the user about, those of `process` one after the other because they start companions.
 */
export type Lane = "wire" | "editor" | "process";

/** One thing that can be seen from outside, and the rules that it shows. */
export interface Check {
  /** Words with hyphens. */
  readonly id: string;
  /** A sentence that is true of a good companion. */
  readonly title: string;
  readonly requirements: readonly string[];
  readonly lane: Lane;
  readonly needs?: readonly Need[];
  /** Only where this agent is served. */
  readonly agent?: AgentName;
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
  /** Starts a companion by the command; it is ended with the check. */
  start(options?: Pick<Start, "prepare" | "world">): Promise<StartedCompanion>;
  /** A wire to a companion that was started. */
  wireTo(started: StartedCompanion): Wire;
  /** Adds to the evidence. */
  note(text: string): void;
}
