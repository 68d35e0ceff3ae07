import { setMaxListeners } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { agents } from "../agents.ts";
import { NotRun } from "../assertions.ts";
import type { Bench, Check, Need } from "../checks/check.ts";
import { agentOf, rules } from "../requirements/index.ts";
import { createEditorHook, type Perform } from "../target/editor-hook.ts";
import type { StartedCompanion, StartOptions } from "../target/started-companion.ts";
import { agentsOf, type Target } from "../target/target.ts";
import { Evidence } from "../wire/evidence.ts";
import { Wire } from "../wire/wire.ts";
import { examine, type Outcome } from "./examine.ts";
import type { Limits } from "./limits.ts";
import type { ParallelCompanions } from "./parallel-companions.ts";

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
  // What the parallel companions have done is evidence for each check that examines them.
  const own = new Evidence(subject.target.tokens.values());
  const evidence = check.lane === "parallel" ? parallel.evidence : own;
  const controller = new AbortController();
  setMaxListeners(0, controller.signal); // one for each request that is under way
  const { bench, wire, close } = createBench(check, {
    subject,
    parallel,
    evidence,
    signal: controller.signal,
  });
  return examine(check, {
    rules,
    evidence,
    missing: whatIsMissing(check, subject),
    within: subject.limits.check,
    run: () => check.run(bench),
    async close() {
      await close();
      controller.abort();
    },
    facts: () => ({ isUnanswered: wire.isUnanswered, clis: wire.sessionCount }),
  });
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
