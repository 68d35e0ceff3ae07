import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import type { CheckHead } from "../contracts/check.ts";
import type { RunnableContract, SharedMeans } from "../contracts/contract.ts";
import { createLimits, type Limits } from "../run/subject.ts";
import { EditorFailed, type Perform } from "../target/editor-hook.ts";
import type { Start, Started, StartOptions } from "../target/process.ts";
import type { Example, ExampleEditor } from "./example-editor.ts";
import { bundling } from "./our-companion.ts";

/** Bundles the examples before the first test, for as long as the tests of this file run. @returns the program's path */
function builtExamples(): string {
  const entry = path.join(import.meta.dirname, "example-process.ts");
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "conf-built-")));
  const outfile = path.join(folder, "example.mjs");
  beforeAll(async () => {
    await build({ entryPoints: [entry], outfile, ...bundling });
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return outfile;
}

/** Drives the editor of an example in this process. */
function performIn(editor: ExampleEditor): Perform {
  return (action, args) =>
    editor.perform(action, args).catch((error: Error) => {
      throw new EditorFailed(error.message);
    });
}

interface Starts<Companion> {
  readonly agent: string;
  readonly check: CheckHead;
  /** Whether the fault that the check must find is in them. */
  readonly isFaulty: boolean;
  /** Path of the examples as a program. */
  readonly example: string;
  readonly folder: string;
  readonly limits: Limits;
  readonly startOne: (start: Start) => Promise<Companion>;
}

/** How a check starts more companions. */
function startExamples<Companion>(starts: Starts<Companion>) {
  const { agent, check, isFaulty, example, folder, limits, startOne } = starts;
  const command = [process.execPath, example, agent, ...(isFaulty ? [check.id] : [])];
  return (options: StartOptions) => startOne({ command, folder, within: limits.process, ...options });
}

/** What the tests of a contract need of it. */
export interface AgentTests<
  Target extends { readonly name: string },
  Means,
  Fault extends { readonly says: RegExp },
  Shared extends SharedMeans,
> {
  readonly contract: RunnableContract<Target, Means, Fault, Shared>;
  /** Limits of broken companions that are not those of others. */
  readonly limits?: Partial<Limits>;
  /** Whether the checks keep the processors busy, so that one runs after the other. */
  readonly isBusy?: true;
  readonly startOne: (start: Start) => Promise<Started<Target>>;
  /**
   * Starts a companion in this process.
   * @param folder a private one
   * @param work the folder that is open
   * @param fault of the check; undefined where its companions are started by themselves
   * @param isFaulty whether it has the fault, or is the good one
   */
  startExample(
    folder: string,
    work: string,
    fault: Fault | undefined,
    isFaulty: boolean,
  ): Promise<{ example: Example; target: NoInfer<Target> }>;
}

/** What holds for a contract, whose example has the fault that a check must find, or none. */
export function agentTests<
  Target extends { readonly name: string },
  Means,
  Fault extends { readonly says: RegExp },
  Shared extends SharedMeans,
>({ contract, startOne, startExample, ...given }: AgentTests<Target, Means, Fault, Shared>) {
  const { rules, checks, agents } = contract;
  const { requirements } = rules;
  const built = builtExamples();
  const [agent = ""] = agents;
  const each = (given.isBusy ? test : test.concurrent).for(checks.map((check) => ({ id: check.id, check })));

  async function run(
    check: (typeof checks)[number],
    onEnd: (cleanup: () => void) => void,
    isFaulty: boolean,
  ) {
    const folder = privateFolder(onEnd);
    const work = path.join(folder, "work");
    mkdirSync(work);
    // Checks of started companions need the good one for its address only.
    const { example, target } = await startExample(
      folder,
      work,
      check.needs?.includes("command") ? undefined : check.fault,
      isFaulty,
    );
    onEnd(() => example.close());
    const limits = isFaulty ? { ...quickLimits, ...given.limits } : incrementalLimits;
    const start = startExamples({ agent, check, isFaulty, example: built, folder, limits, startOne });
    const subject = { target, limits, scratch: work, perform: performIn(example.editor), start };
    return contract.runChecks(new Set([check.id]), subject);
  }

  each("$id passes a good companion", async ({ check }, { onTestFinished }) => {
    const [result] = await run(check, onTestFinished, false);
    // With the message, which says what is wrong.
    expect([result?.status, result?.message]).toEqual(["passed", undefined]);
  });

  each("$id catches the broken companion that comes with it", async ({ check }, { onTestFinished }) => {
    const [result] = await run(check, onTestFinished, true);
    expect(result).toMatchObject({ status: "failed", message: expect.stringMatching(check.fault.says) });
  });

  test("no two checks have the same name", () => {
    expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
  });

  test("every requirement is checked, or says why it cannot be; and every check names requirements that there are", () => {
    const checked = new Set(checks.flatMap((check) => check.requirements));
    const checkable = requirements.filter(({ unchecked }) => unchecked === undefined).map(({ id }) => id);
    expect([...checked].sort()).toEqual(checkable.sort());
  });

  test("no two requirements have the same id, and each has a source", () => {
    expect(new Set(requirements.map(({ id }) => id)).size).toBe(requirements.length);
    expect(requirements.filter(({ sources }) => sources.length === 0)).toEqual([]);
  });
}

/** For broken companions: what does not come soon does not come at all. */
export const quickLimits = {
  ...createLimits(),
  answer: 4000,
  event: 2500,
  reopening: 500,
  silence: 1000,
  longestSilence: 900,
  process: 10_000,
  reaping: 4000,
};

/** For good companions, which must pass on a busy machine, too. */
export const incrementalLimits = {
  ...quickLimits,
  // Long enough for a sign of life, which comes every 15 s.
  ...createLimits({ patience: 4, silence: 17_000 }),
  reopening: 500,
};
