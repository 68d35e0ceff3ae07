import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { askToEnd, endingOn, killAll } from "./ending.ts";

/** How this platform ends programs. */
const ending = endingOn(process.platform);

/** A program that the kit has started. */
export interface Run {
  readonly child: ChildProcess;
  /** Of the process, and of its group. */
  readonly pid: number;
  readonly output: () => string;
}

/** @throws Error when it cannot be started */
export async function launch(
  [program = "", ...args]: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Run> {
  // Its own process group, so that all it starts can be killed. Its standard input stays open: some end with it.
  const detached = ending.hasGroups;
  const child = spawn(program, args, { cwd, env, stdio: "pipe", detached });
  const [pid, failure] = await new Promise<[number, undefined] | [undefined, Error]>((resolve) => {
    child.once("spawn", () => resolve([child.pid ?? 0, undefined]));
    child.once("error", (error) => resolve([undefined, error]));
  });
  // Without a process there is no group either, and group 0 would be our own.
  if (failure || pid === 0)
    throw new Error(`the command could not be started: ${failure?.message ?? program}`);
  child.on("error", () => {}); // a signal that came too late
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-10_000);
    });
  }
  child.stdin.on("error", () => {}); // it has ended, which "exit" reports
  return { child, pid, output: () => output };
}

/**
 * Waits for what a program makes.
 * @param where the sentence's part that says where nothing was found
 * @throws Error with what it has printed, when it ends or nothing is found in time
 */
export async function comeUp<Found>(
  run: Run,
  find: () => Promise<Found | undefined>,
  { within, where }: { readonly within: number; readonly where: string },
): Promise<Found> {
  const deadline = performance.now() + within;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    const { exitCode, signalCode } = run.child;
    const said = run.output() === "" ? "it has printed nothing" : `it has printed:\n${run.output()}`;
    if (exitCode !== null || signalCode !== null) {
      throw new Error(
        `the command ended with ${exitCode ?? signalCode} before there was a companion; ${said}`,
      );
    }
    if (performance.now() > deadline)
      throw new Error(`no companion within ${within / 1000} s: ${where}; ${said}`);
    await delay(20);
  }
}

/** Asks it to end, and kills what is left in the end. @returns whether it has ended in time */
export async function end({ child, pid }: Run, signal: NodeJS.Signals, within: number): Promise<boolean> {
  const deadline = performance.now() + within;
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  if (!hasEnded()) askToEnd(child, signal, ending);
  while (!hasEnded() && performance.now() < deadline) await delay(10);
  const inTime = hasEnded() && (await groupEnds(pid, deadline));
  if (!inTime) await killAll(pid, ending);
  return inTime;
}

/** Its child processes clean up after it: they get the same time. */
async function groupEnds(pid: number, deadline: number): Promise<boolean> {
  while (ending.hasGroups && isAlive(-pid)) {
    if (performance.now() > deadline) return false;
    await delay(10);
  }
  return true;
}

/** @param pid of a process; negative for a group */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
