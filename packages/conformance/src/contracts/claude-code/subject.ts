import { realpath } from "node:fs/promises";
import { type Arguments, UsageError } from "../../cli/options.ts";
import { NoCompanion, openSubject } from "../../cli/subject.ts";
import type { Cleanup } from "../../run/cleanup.ts";
import { isInside } from "../../target/target.ts";
import type { ClaudeSubject } from "./run.ts";
import { type ClaudeTarget, configFoldersOf, findCompanions, lockFolder } from "./target/lock-file.ts";
import { startClaude } from "./target/started.ts";

/**
 * Finds the companion of Claude Code that the arguments name, or starts it.
 * @param cleanup removes what is made for it
 * @throws UsageError, NoCompanion
 */
export async function openClaudeSubject(args: Arguments, cleanup: Cleanup): Promise<ClaudeSubject> {
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
