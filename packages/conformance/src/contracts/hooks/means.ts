import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { CommonMeans } from "../../run/subject.ts";
import { demand, quote } from "../check.ts";
import type { Target } from "../gemini-family/target/target.ts";
import type { Rules } from "../rule.ts";
import { callsIn, type HookAgentName, type HookCall } from "./calls.ts";

/** A companion, and the program that CLIs call as their hook. */
export interface HookTarget extends Target {
  /** Program and first words. */
  readonly hook: readonly string[];
  /** The variables of both. */
  readonly env: NodeJS.ProcessEnv;
}

/** What a program in the place of a good hook does wrong. */
export interface HookFault {
  /** What the check says of it. */
  readonly says: RegExp;
  /** For the shell: `"$@"` is the good hook. */
  readonly script: string;
}

/** How a program has ended, and what it has said. */
export interface Answer {
  readonly code: unknown;
  readonly said: string;
}

/** What a check of this contract may use. */
export interface Means extends CommonMeans<HookTarget> {
  /** Makes a work tree of git that no other check uses. @returns its path @throws NotRun without git */
  folder(): Promise<string>;
  /** Calls the hook as a CLI does. @param other than the target @throws Broken when it takes longer than a CLI waits */
  call(folder: string, call: HookCall, other?: Partial<Pick<HookTarget, "hook" | "env">>): Promise<Answer>;
  /**
   * Calls it as a CLI does that is connected to the companion.
   * @param signal ends the CLI @returns what it has said to each call
   */
  callConnected(
    calls: readonly HookCall[],
    hasTerminal: boolean,
    signal?: AbortSignal,
  ): Promise<readonly string[]>;
}

export type HookRules = Rules<Means, HookFault>;

/** @throws Broken unless the hook has ended well, and has said nothing */
export function demandSilence({ code, said }: Answer, to: string): void {
  demand(code === 0 && said === "", `to ${to} the hook said ${quote(said)}, and ended with ${code}`);
}

interface Turn {
  /** What the tool for edits writes; new.txt unless given. */
  readonly file?: string;
  readonly text?: string;
  /** Milliseconds that the model thinks before it runs a command; absent where it runs none. */
  readonly pause?: number;
}

/** A turn of an agent, in which its tool for edits writes a file, and its shell another one. Its hook says nothing. */
export async function runTurn(
  { call }: Means,
  folder: string,
  agent: HookAgentName,
  { file = "new.txt", text = "new\n", pause }: Turn = {},
): Promise<void> {
  for (const each of callsIn(folder, agent, file)) {
    const { event, isBefore, isShell } = each;
    if (isShell && pause === undefined) continue;
    if (isShell && isBefore) await delay(pause);
    demandSilence(await call(folder, each), `${event} of ${agent}`);
    if (isBefore) await writeFile(join(folder, isShell ? "made.txt" : file), isShell ? "made\n" : text);
  }
}
