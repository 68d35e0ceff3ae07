import type { Check, CommonMeans } from "../../../checks/check.ts";
import type { ClaudeTarget } from "../target/lock-file.ts";
import type { StartedClaude } from "../target/started.ts";
import type { Cli } from "../wire/cli.ts";
import type { Upgrade } from "../wire/upgrade.ts";

/** What a check of this contract may use. */
export interface Means extends CommonMeans<StartedClaude> {
  readonly target: ClaudeTarget;
  /** A CLI that has not opened its socket. @param target the companion under test, or one that the check has started */
  newCli(target?: ClaudeTarget): Cli;
  /** A CLI that has listed the tools. */
  connect(target?: ClaudeTarget): Promise<Cli>;
  /** An upgrade with these headers. */
  knock(headers: Readonly<Record<string, string>>): Promise<Upgrade>;
}

export type ClaudeCheck = Check<Means>;
