import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { demand, NotRun, quote } from "../check.ts";
import type { GivenMeans } from "../contract.ts";
import type { Rules } from "../rule.ts";
import { callsIn, type HookAgentName, type HookCall } from "./calls.ts";
import { type Answer, callByConnected, type HookTarget, runProgram } from "./program.ts";

/** What a program in the place of a good hook does wrong. */
export interface HookFault {
  /** What the check says of it. */
  readonly says: RegExp;
  /** For the shell: `"$@"` is the good hook. */
  readonly script: string;
}

/** What a check of this contract may use. */
export type Means = ReturnType<typeof createMeans>;

export function createMeans({ common, evidence }: GivenMeans<HookTarget>) {
  const { limits, target, path, write } = common;
  // Codex CLI ends some hooks after three seconds.
  const longest = limits.answer * 0.6;
  return {
    ...common,
    /** Makes a work tree of git that no other check uses. @returns its path @throws NotRun without git */
    async folder(): Promise<string> {
      const cwd = path("work");
      await mkdir(cwd, { recursive: true });
      const init = ["git", "init", "-q"];
      const { code } = await runProgram(init, { cwd, env: target.env, within: limits.process });
      if (code !== 0) throw new NotRun("there is no git");
      return cwd;
    },
    /** Calls the hook as a CLI does. @param other than the target @throws Broken when it takes longer than a CLI waits */
    async call(
      cwd: string,
      { agent, words, text }: HookCall,
      { hook = target.hook, env = target.env }: Partial<Pick<HookTarget, "hook" | "env">> = {},
    ): Promise<Answer> {
      evidence.note(`→ ${[agent, ...words].join(" ")} ${text}`);
      const started = performance.now();
      const answer = await runProgram([...hook, agent, ...words], { cwd, env, within: longest, input: text });
      const took = Math.round(performance.now() - started);
      evidence.note(`← ${answer.code} ${answer.said}`);
      demand(took <= longest, `the hook took ${took} ms, more than ${longest}`);
      return answer;
    },
    /**
     * Calls it as a CLI does that is connected to the companion.
     * @param signal ends the CLI @returns what it has said to each call
     */
    async callConnected(
      calls: readonly HookCall[],
      hasTerminal: boolean,
      signal?: AbortSignal,
    ): Promise<readonly string[]> {
      const running = { cwd: path("work"), env: target.env, within: limits.process, signal };
      const said = await callByConnected(target, calls, { ...running, write, hasTerminal });
      for (const [index, { agent, text }] of calls.entries())
        evidence.note(`→ ${agent} ${text} ← ${said[index]}`);
      return said;
    },
  };
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
