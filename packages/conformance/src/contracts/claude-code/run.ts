import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { NotRun } from "../../assertions.ts";
import type { Need } from "../../checks/check.ts";
import { examine, type Outcome } from "../../run/examine.ts";
import { type RunOptions, runLanes } from "../../run/lanes.ts";
import type { Limits } from "../../run/limits.ts";
import type { Result } from "../../run/result.ts";
import { createEditorHook, type Perform } from "../../target/editor-hook.ts";
import { Evidence } from "../../wire/evidence.ts";
import type { ClaudeCheck, Means } from "./checks/means.ts";
import { severalClis } from "./checks/socket.ts";
import { rules } from "./requirements/index.ts";
import type { ClaudeTarget } from "./target/lock-file.ts";
import type { ClaudeStartOptions, StartedClaude } from "./target/started.ts";
import { Cli } from "./wire/cli.ts";
import { upgrade } from "./wire/upgrade.ts";

/** The companion to check, and the means for it. */
export interface ClaudeSubject {
  readonly target: ClaudeTarget;
  readonly limits: Limits;
  /** Does what a user would do in the editor. */
  readonly perform?: Perform;
  /** Starts more of them. */
  readonly start?: (options: ClaudeStartOptions) => Promise<StartedClaude>;
  /** Starts another one like it, for one check alone; absent when no command started it. */
  readonly isolate?: () => Promise<{ readonly subject: ClaudeSubject; close(): Promise<void> }>;
  /** A folder for files that the editor opens, inside an open folder if there is one. */
  readonly scratch: string;
}

/**
 * Runs checks of Claude Code's contract.
 * @returns the results in the order of the checks
 */
export function runClaudeChecks(
  checks: readonly ClaudeCheck[],
  subject: ClaudeSubject,
  options: RunOptions = {},
): Promise<Result[]> {
  const { isolate } = subject;
  const runner = {
    rules,
    severalClis,
    run: (check: ClaudeCheck) => runCheck(check, subject),
    close: async () => {},
    ...(isolate && {
      async runAlone(check: ClaudeCheck) {
        const alone = await isolate();
        try {
          return await runCheck(check, alone.subject);
        } finally {
          await alone.close();
        }
      },
    }),
  };
  return runLanes(checks, runner, options);
}

const lacks: Readonly<Record<Need, string>> = {
  "editor-command": "needs --editor-command",
  command: "needs a command that starts a companion, after --",
  files: "needs discovery files",
};

function runCheck(check: ClaudeCheck, subject: ClaudeSubject): Promise<Outcome> {
  const { target, limits, perform, start } = subject;
  const evidence = new Evidence([target.token]);
  const opened = createMeans(check, subject, evidence);
  const has: Readonly<Record<Need, boolean>> = {
    "editor-command": perform !== undefined,
    command: start !== undefined,
    files: true,
  };
  const need = check.needs?.find((wanted) => !has[wanted]);
  return examine(check, {
    rules,
    evidence,
    missing: need && lacks[need],
    within: limits.check,
    run: () => check.run(opened.means),
    close: opened.close,
    facts: opened.facts,
  });
}

function createMeans(
  check: ClaudeCheck,
  { target, limits, perform, start, scratch }: ClaudeSubject,
  evidence: Evidence,
) {
  const clis: Cli[] = [];
  const companions: StartedClaude[] = [];
  let isUnanswered = false;
  const path = (name: string) => join(scratch, check.id, name);
  const newCli = ({ port, token }: ClaudeTarget = target) => {
    const onUnanswered = () => {
      isUnanswered = true;
    };
    const cli = new Cli({ port, token, evidence, answerWithin: limits.answer, onUnanswered });
    clis.push(cli);
    return cli;
  };
  const means: Means = {
    target,
    limits,
    hasEditor: perform !== undefined,
    editor: createEditorHook(async (action, args) => {
      if (!perform) throw new NotRun(lacks["editor-command"]);
      evidence.note(`editor: ${action} ${args.join(" ")}`);
      return perform(action, args);
    }),
    newCli,
    async connect(to) {
      const cli = newCli(to);
      await cli.open();
      await cli.greet();
      return cli;
    },
    async knock(headers) {
      evidence.note(`→ upgrade with ${JSON.stringify(headers)}`);
      const answer = await upgrade({ port: target.port, headers, within: limits.answer, onText: () => {} });
      evidence.note(`← ${answer.status}`);
      answer.socket?.cut();
      return answer;
    },
    path,
    async write(name, content) {
      await mkdir(dirname(path(name)), { recursive: true });
      await writeFile(path(name), content);
      return path(name);
    },
    async start(options = {}) {
      if (!start) throw new NotRun(lacks.command);
      const companion = await start(options);
      evidence.hide(companion.target.token);
      companions.push(companion);
      return companion;
    },
  };
  return {
    means,
    facts: () => ({ isUnanswered, clis: clis.length }),
    async close() {
      // As CLIs that exit: the companion takes their diffs away.
      for (const cli of clis) cli.close();
      for (const companion of companions) await companion.end("SIGTERM");
    },
  };
}
