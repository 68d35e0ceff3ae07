import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Arguments } from "../../cli/options.ts";
import { UsageError } from "../../cli/options.ts";
import {
  createStarts,
  makeScratch,
  NoCompanion,
  startFirst,
  toPatience,
  toPerform,
} from "../../cli/subject.ts";
import type { Cleanup } from "../../run/cleanup.ts";
import { createLimits } from "../../run/limits.ts";
import { fromHere } from "../../target/command-line.ts";
import { isInside } from "../../target/target.ts";
import type { ClaudeSubject } from "./run.ts";
import { type ClaudeTarget, configFoldersOf, findCompanions, lockFolder } from "./target/lock-file.ts";
import { type ClaudeStartOptions, type StartedClaude, startClaude } from "./target/started.ts";

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
  const limits = createLimits(toPatience(args));
  // Short: editors put sockets below it, whose paths may have 107 characters.
  const folder = await realpath(await mkdtemp(join(tmpdir(), "conf-")));
  cleanup.later(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const command = args.command.length === 0 ? [] : fromHere(args.command, process.cwd());
  const starts = createStarts<ClaudeStartOptions, StartedClaude>((options) =>
    startClaude({ command, folder, within: limits.process, ...options }),
  );
  cleanup.later(starts.close);
  const started = isGiven || command.length === 0 ? undefined : await startFirst(starts.start);
  const toSubject = async (
    target: ClaudeTarget,
    companion: StartedClaude | undefined,
  ): Promise<ClaudeSubject> => {
    const perform = toPerform(args, companion, limits);
    const scratch = await makeScratch(target, folder);
    cleanup.later(() => rm(scratch, { recursive: true, force: true, maxRetries: 5 }));
    return {
      target,
      limits,
      scratch,
      ...(perform && { perform }),
      ...(command.length > 0 && { start: starts.start }),
    };
  };
  const own = await toSubject(started?.target ?? (await findTarget(args)), started);
  if (!started) return own;
  return {
    ...own,
    async isolate() {
      const companion = await starts.start({});
      const subject = await toSubject(companion.target, companion);
      return { subject, close: async () => void (await companion.end("SIGTERM")) };
    },
  };
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
