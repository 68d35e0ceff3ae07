import type { Check } from "../../../checks/check.ts";
import type { Limits } from "../../../run/limits.ts";
import type { EditorHook } from "../../../target/editor-hook.ts";
import type { ClaudeTarget } from "../target/lock-file.ts";
import type { ClaudeStartOptions, StartedClaude } from "../target/started.ts";
import type { Cli } from "../wire/cli.ts";
import type { Upgrade } from "../wire/upgrade.ts";

/** What a check of this contract may use. */
export interface Means {
  readonly target: ClaudeTarget;
  readonly limits: Limits;
  /** For checks that declare that they need it; it throws NotRun in all others. */
  readonly editor: EditorHook;
  readonly hasEditor: boolean;
  /** A CLI that has not opened its socket. @param target the companion under test, or one that the check has started */
  newCli(target?: ClaudeTarget): Cli;
  /** A CLI that has listed the tools. */
  connect(target?: ClaudeTarget): Promise<Cli>;
  /** An upgrade with these headers. */
  knock(headers: Readonly<Record<string, string>>): Promise<Upgrade>;
  /** Path of a file that no other check uses; nothing is there yet. */
  path(name: string): string;
  /** Writes such a file. @returns its path */
  write(name: string, content: string): Promise<string>;
  /** Starts a companion by the command; it is ended with the check. */
  start(options?: ClaudeStartOptions): Promise<StartedClaude>;
}

export type ClaudeCheck = Check<Means>;
