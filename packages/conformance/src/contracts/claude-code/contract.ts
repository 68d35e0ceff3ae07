import { realpath } from "node:fs/promises";
import { type Arguments, UsageError } from "../../cli/options.ts";
import { NoCompanion, openSubject } from "../../cli/subject.ts";
import type { Cleanup } from "../../run/subject.ts";
import { isInside } from "../../target/folders.ts";
import type { Contract } from "../contract.ts";
import { checks } from "./checks/index.ts";
import { rules } from "./requirements/index.ts";
import { type ClaudeSubject, runClaudeChecks } from "./run.ts";
import {
  type ClaudeTarget,
  configFoldersOf,
  findCompanions,
  lockFolder,
  startClaude,
} from "./target/lock-file.ts";

/** JSON-RPC over a WebSocket, with a lock file in the CLI's own folder. */
export const claudeCode: Contract = {
  agents: ["claude-code"],
  rules,
  checks,
  whomOf: () => undefined,
  async open(args, cleanup) {
    const subject = await openClaudeSubject(args, cleanup);
    return {
      name: subject.target.name,
      address: `port ${subject.target.port}`,
      agents: ["Claude Code"],
      run: (chosen, options) =>
        runClaudeChecks(
          checks.filter(({ id }) => chosen.has(id)),
          subject,
          options,
        ),
    };
  },
};

/**
 * Finds the companion of Claude Code that the arguments name, or starts it.
 * @param cleanup removes what is made for it
 * @throws UsageError, NoCompanion
 */
async function openClaudeSubject(args: Arguments, cleanup: Cleanup): Promise<ClaudeSubject> {
  if (args.has("url") || args.has("token"))
    throw new UsageError(
      "Claude Code finds its companion by a lock file: name it with --port, not with --url",
    );
  const isGiven = args.has("port");
  if (args.has("isolated") && (isGiven || args.command.length === 0))
    throw new UsageError("--isolated needs a command that starts companions, after --, and no --port");
  return openSubject(args, cleanup, { isGiven, start: startClaude, find: () => findTarget(args) });
}

async function findTarget(args: Arguments): Promise<ClaudeTarget> {
  const folders = configFoldersOf(process.env);
  const port = args.value("port");
  const here = await realpath(process.cwd());
  const companions = await findCompanions(folders);
  const serves = await Promise.all(
    companions.map(async (one) =>
      port === undefined ? isInside(here, one.roots) : String(one.port) === port,
    ),
  );
  const [only, ...others] = companions.filter((_, index) => serves[index]);
  if (!only) {
    const what = port === undefined ? `has ${here} open` : `is on port ${port}`;
    throw new NoCompanion(`no companion in ${folders.map(lockFolder).join(" or ")} ${what}`);
  }
  if (others.length > 0) {
    const ports = [only, ...others].map((one) => `--port ${one.port}`).join(", ");
    throw new UsageError(`several companions serve this folder; say which one: ${ports}`);
  }
  return only;
}
