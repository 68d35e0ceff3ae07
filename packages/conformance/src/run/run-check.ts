import { setMaxListeners } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { agents } from "../agents.ts";
import { NotRun } from "../assertions.ts";
import type { Bench, Check, Need } from "../checks/check.ts";
import { agentOf } from "../requirements/index.ts";
import { createEditorHook, type Perform } from "../target/editor-hook.ts";
import type { StartedCompanion, StartOptions } from "../target/started-companion.ts";
import { agentsOf, type Target } from "../target/target.ts";
import { Evidence } from "../wire/evidence.ts";
import { Wire } from "../wire/wire.ts";
import type { Limits } from "./limits.ts";
import type { ParallelCompanions } from "./parallel-companions.ts";
import { headOf, type Result } from "./result.ts";

/** The companion to check, and the means for it. */
export interface Subject {
  readonly target: Target;
  readonly limits: Limits;
  /** Does what a user would do in the editor. */
  readonly perform?: Perform;
  /** Starts more of them. */
  readonly start?: (options: StartOptions) => Promise<StartedCompanion>;
  /** Starts another one like it, for one check alone; absent when no command started it. */
  readonly isolate?: () => Promise<Isolated>;
  /** A folder for files that the editor opens, inside an open folder if there is one. */
  readonly scratch: string;
}

/** A companion for one check alone. */
export interface Isolated {
  readonly subject: Subject;
  close(): Promise<void>;
}

/** A result with facts that the report does not show. */
export interface Outcome {
  readonly result: Result;
  /** Whether a request was not answered in time. */
  readonly isUnanswered: boolean;
  /** How many CLIs the check has connected. */
  readonly clis: number;
}

const lacks: Readonly<Record<Need, string>> = {
  "editor-command": "needs --editor-command",
  command: "needs a command that starts a companion, after --",
  files: "needs discovery files, and the companion was given by its address",
};

/** Runs one check, then closes and ends all that it has opened or started. */
export async function runCheck(
  check: Check,
  subject: Subject,
  parallel: ParallelCompanions,
): Promise<Outcome> {
  const head = headOf(check);
  // What the parallel companions have done is evidence for each check that examines them.
  const own = new Evidence(subject.target.tokens.values());
  const evidence = check.lane === "parallel" ? parallel.evidence : own;
  const started = performance.now();
  const controller = new AbortController();
  setMaxListeners(0, controller.signal); // one for each request that is under way
  const { bench, wire, close } = createBench(check, {
    subject,
    parallel,
    evidence,
    signal: controller.signal,
  });
  const done = (status: Result["status"], message?: string): Outcome => ({
    result: {
      ...head,
      status,
      ...(message === undefined ? {} : { message: evidence.safe(message, 2000) }),
      evidence: [...evidence.lines],
      milliseconds: Math.round(performance.now() - started),
    },
    isUnanswered: wire.isUnanswered,
    clis: wire.sessionCount,
  });
  const missing = whatIsMissing(check, subject);
  if (missing !== undefined) return done("not-run", missing);
  try {
    await withDeadline(check.run(bench), subject.limits.check);
    return done("passed");
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return done(error instanceof NotRun ? "not-run" : "failed", message);
  } finally {
    await close();
    controller.abort();
  }
}

function whatIsMissing(
  { requirements, needs = [] }: Check,
  { target, perform, start }: Subject,
): string | undefined {
  const agent = agentOf(requirements);
  if (agent !== undefined && !agentsOf(target).includes(agent)) {
    return `the companion does not serve ${agents[agent].title}`;
  }
  const has: Readonly<Record<Need, boolean>> = {
    "editor-command": perform !== undefined,
    command: start !== undefined,
    files: target.files.length > 0,
  };
  const need = needs.find((wanted) => !has[wanted]);
  return need && lacks[need];
}

interface BenchOptions {
  readonly subject: Subject;
  readonly parallel: ParallelCompanions;
  readonly evidence: Evidence;
  readonly signal: AbortSignal;
}

function createBench(check: Check, { subject, parallel, evidence, signal }: BenchOptions) {
  const { target, limits, perform, start, scratch } = subject;
  const wire = new Wire({ target, evidence, limits, signal });
  const companions: StartedCompanion[] = [];
  const path = (name: string) => join(scratch, check.id, name);
  const bench: Bench = {
    target,
    agents: agentsOf(target),
    limits,
    wire,
    hasEditor: perform !== undefined,
    editor: createEditorHook(async (action, args) => {
      if (!perform) throw new NotRun(lacks["editor-command"]);
      evidence.note(`editor: ${action} ${args.join(" ")}`);
      return perform(action, args);
    }),
    path,
    async write(name, content) {
      await mkdir(dirname(path(name)), { recursive: true });
      await writeFile(path(name), content);
      return path(name);
    },
    parallel,
    async start(options = {}) {
      if (!start) throw new NotRun(lacks.command);
      const companion = await start(options);
      for (const token of companion.target.tokens.values()) evidence.hide(token);
      companions.push(companion);
      return companion;
    },
    note: (text) => evidence.note(text),
  };
  const close = async () => {
    await wire.close();
    for (const companion of companions) await companion.end("SIGTERM");
  };
  return { bench, wire, close };
}

async function withDeadline(work: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${milliseconds / 1000} s`)), milliseconds);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
