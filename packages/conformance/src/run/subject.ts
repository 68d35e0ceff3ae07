import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type CheckHead, type Need, NotRun } from "../contracts/check.ts";
import { createEditorHook, type Perform } from "../target/editor-hook.ts";
import type { Started, StartOptions } from "../target/process.ts";
import { type Evidence, withoutSecret } from "../wire/evidence.ts";

/**
 * The companion to check, and the means for it.
 * @typeParam Target how the CLIs of its contract find it
 */
export interface Subject<Target> {
  readonly target: Target;
  readonly limits: Limits;
  /** Does what a user would do in the editor. */
  readonly perform?: Perform;
  /** Starts more of them. */
  readonly start?: (options: StartOptions) => Promise<Started<Target>>;
  /** The one that the kit has started. */
  readonly companion?: Started<Target>;
  /** Starts another one like it, for one check alone; absent when no command started it. */
  readonly isolate?: () => Promise<Isolated<Subject<Target>>>;
  /** A folder for files that the editor opens, inside an open folder if there is one. */
  readonly scratch: string;
}

/** A companion for one check alone. */
export interface Isolated<Subject> {
  readonly subject: Subject;
  close(): Promise<void>;
}

const lacks: Readonly<Record<Need, string>> = {
  "editor-command": "needs --editor-command",
  command: "needs a command that starts a companion, after --",
  files: "needs discovery files, and the companion was given by its address",
};

/** @returns why a check cannot run; undefined when it can */
export function whatIsMissing<Target>(
  { needs = [] }: CheckHead,
  { perform, start }: Subject<Target>,
  hasFiles: boolean,
): string | undefined {
  const has: Readonly<Record<Need, boolean>> = {
    "editor-command": perform !== undefined,
    command: start !== undefined,
    files: hasFiles,
  };
  const need = needs.find((wanted) => !has[wanted]);
  return need && lacks[need];
}

/** How a started companion has ended unasked, for people. @param secrets what no report may show */
export async function lastWordsOf<Target>(
  { companion }: Subject<Target>,
  secrets: Iterable<string>,
): Promise<string | undefined> {
  let words = await companion?.lastWords();
  for (const secret of secrets) words = words && withoutSecret(words, secret);
  return words;
}

/** What the checks of every contract may use. */
export type CommonMeans<Target> = ReturnType<typeof createCommonMeans<Target>>["means"];

/** @param hide keeps the secrets of a started companion out of the evidence */
export function createCommonMeans<Target>(
  check: CheckHead,
  { target, limits, perform, start, scratch, companion: shared }: Subject<Target>,
  evidence: Evidence,
  hide: (target: Target) => void,
) {
  const companions: Started<Target>[] = [];
  const shorten = ({ sandbox }: Started<Target>) => evidence.shorten(dirname(sandbox.workspace), "<sandbox>");
  evidence.shorten(scratch, "<files>");
  if (shared) shorten(shared);
  /** Path of a file that no other check uses; nothing is there yet. */
  const path = (name: string) => join(scratch, check.id, name);
  const means = {
    /** The companion under test. */
    target,
    limits,
    hasEditor: perform !== undefined,
    /** For checks that declare that they need it; it throws NotRun in all others. */
    editor: createEditorHook(async (action, args) => {
      if (!perform) throw new NotRun(lacks["editor-command"]);
      evidence.note(`editor: ${action} ${args.join(" ")}`);
      return perform(action, args);
    }),
    path,
    /** Writes such a file. @returns its path */
    async write(name: string, content: string | Buffer): Promise<string> {
      await mkdir(dirname(path(name)), { recursive: true });
      await writeFile(path(name), content);
      return path(name);
    },
    /** Starts a companion by the command; it is ended with the check. */
    async start(options: StartOptions = {}): Promise<Started<Target>> {
      if (!start) throw new NotRun(lacks.command);
      const companion = await start(options);
      hide(companion.target);
      shorten(companion);
      companions.push(companion);
      return companion;
    },
  };
  return {
    means,
    async close() {
      for (const companion of companions) await companion.end("SIGTERM");
    },
  };
}

/** The CLIs of one check. */
export class Clis {
  /** How many there are. */
  count = 0;
  /** Whether a request was not answered in time. */
  isUnanswered = false;
  readonly #steps: (() => unknown)[] = [];

  readonly onUnanswered = (): void => {
    this.isUnanswered = true;
  };

  /** @param leave ends it with the check */
  add(leave: () => unknown): void {
    this.count += 1;
    this.later(leave);
  }

  /** Adds a step for the end. */
  later(step: () => unknown): void {
    this.#steps.push(step);
  }

  /** Takes all steps concurrently. The companion may have ended, or refuse: then there is nothing to close. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#steps.map(async (step) => step()));
  }
}

/** How long a check waits, in milliseconds. */
export type Limits = Readonly<ReturnType<typeof createLimits>>;

/**
 * @param patience a factor for slow companions and busy machines
 * @param silence how long to listen to a silent stream, in milliseconds
 */
export function createLimits({ patience = 1, silence = 20_000 } = {}) {
  return {
    /** For an answer that must come at once. */
    answer: 5000 * patience,
    /** For events and files that must follow soon. */
    event: 5000 * patience,
    /** For a period in which nothing may come. */
    quiet: 600,
    /** After which a CLI reopens a broken stream. */
    reopening: 1000,
    /** How long to listen to a silent stream. */
    silence,
    /** After which a CLI drops a silent stream: a shorter silence proves nothing. */
    longestSilence: 300_000,
    /** For a companion to start, or to stop. */
    process: 20_000 * patience,
    /** For the diffs of a killed CLI to close. */
    reaping: 20_000 * patience,
    /** For one check as a whole. */
    check: 60_000 * patience + silence,
  };
}

export type Cleanup = ReturnType<typeof createCleanup>;

/** Steps for the end, in reverse order. */
export function createCleanup() {
  const steps: (() => Promise<unknown>)[] = [];
  const failures: unknown[] = [];
  let closing: Promise<void> | undefined;
  const runSteps = async () => {
    for (let step = steps.pop(); step; step = steps.pop())
      await step().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
  return {
    later: (step: () => Promise<unknown>) => void steps.push(step),
    /** Runs the steps once, all of them. Each call waits until all have ended. @throws what the first one that failed has thrown */
    close() {
      closing ??= runSteps();
      return closing;
    },
  };
}
