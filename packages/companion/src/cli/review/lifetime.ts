import { fstatSync } from "node:fs";
import { constants } from "node:os";
import { createDeferred } from "../../system/deferred.ts";
import { codeOf } from "../../system/error-message.ts";
import { exitCodes } from "../invocation.ts";

/** What ends a command from outside; the last one is Ctrl+Break of Windows. */
export const endSignals: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"];

/**
 * Ends with the first signal, with the user's terminal, or with a parent that holds our standard input open.
 * A second signal does not wait for anything any more. `endsWithInput` is for those who are spoken to on standard input,
 * whatever it is: otherwise only the end of a pipe ends us.
 */
export function createLifetime({ endsWithInput = hasWriter(0) } = {}) {
  const { promise: ended, resolve: end } = createDeferred<number>();
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(toExitCode(signal));
    stopping = true;
    end(toExitCode(signal));
  };
  for (const signal of endSignals) process.on(signal, stop);
  const quit = () => end(exitCodes.ok);
  // The reader of our lines has gone: the terminal was closed, or the pipe's other end.
  const onUnwritable = (error: Error) => {
    if (!isDiskFull(error)) quit();
  };
  process.stdout.on("error", onUnwritable);
  process.stderr.on("error", onUnwritable);
  if (endsWithInput) process.stdin.once("end", quit).once("error", quit).resume();
  return {
    ended,
    close() {
      for (const signal of endSignals) process.off(signal, stop);
      if (endsWithInput) process.stdin.destroy();
    },
  };
}

export const toExitCode = (signal: NodeJS.Signals): number =>
  exitCodes.signal + (constants.signals[signal] ?? 0);

/** Lines that go into a file may find no room: they are lost, and nothing else is. */
function isDiskFull(error: Error): boolean {
  const code = codeOf(error);
  return code === "ENOSPC" || code === "EDQUOT" || code === "ERR_STREAM_DESTROYED";
}

/**
 * A pipe's end means that our parent has gone. A closed or empty standard input (`</dev/null &`) means nothing.
 */
function hasWriter(descriptor: number): boolean {
  try {
    return isPipe(fstatSync(descriptor).mode);
  } catch {
    return false; // there is none
  }
}

/** By the mode itself: `Stats.isFIFO` and `Stats.isSocket` are always false on Windows. */
export function isPipe(mode: number): boolean {
  const [kindOfFile, pipe, socket] = [0o170_000, 0o010_000, 0o140_000];
  const kind = mode & kindOfFile;
  return kind === pipe || kind === socket;
}
