import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { until } from "../until.ts";
import { createSandbox, type Sandbox, variablesFor } from "./folders.ts";
import { isAlive } from "./machine.ts";

/** How a platform ends a program and all that it has started. */
export interface Ending {
  /** Whether a started program gets its own process group, so that one signal reaches all of it. */
  readonly hasGroups: boolean;
  /** How to ask a program to end: by the signal, or by closing its standard input if it cannot handle signals. */
  gentle(signal: NodeJS.Signals): "signal" | "end-of-input";
  /** The command that kills a process tree; undefined if a signal to the group does. */
  killCommand(pid: number): readonly [program: string, ...args: string[]] | undefined;
}

export function endingOn(platform: NodeJS.Platform): Ending {
  if (platform !== "win32") {
    return { hasGroups: true, gentle: () => "signal", killCommand: () => undefined };
  }
  return {
    hasGroups: false,
    // Every signal is TerminateProcess there.
    gentle: (signal) => (signal === "SIGKILL" ? "signal" : "end-of-input"),
    killCommand: (pid) => ["taskkill", "/PID", String(pid), "/T", "/F"],
  };
}

/** How this platform ends programs. */
export const ending = endingOn(process.platform);

/** Asks a program to end. */
function askToEnd(child: ChildProcess, signal: NodeJS.Signals): void {
  if (ending.gentle(signal) === "signal") child.kill(signal);
  else child.stdin?.end();
}

/** Kills what is left of a program. */
export async function killAll(pid: number): Promise<void> {
  const [program, ...args] = ending.killCommand(pid) ?? [];
  if (program === undefined) return killGroup(pid);
  await new Promise<void>((resolve) => {
    const child = spawn(program, args, { stdio: "ignore" });
    child.once("close", () => resolve());
    child.once("error", () => resolve()); // no such program
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All of it has ended.
  }
}

/** Why a companion that did not end when asked proves nothing on this platform; undefined where it proves a fault. */
export function whyUnknown(platform: NodeJS.Platform): string | undefined {
  if (endingOn(platform).gentle("SIGTERM") === "signal") return undefined;
  return "there is no SIGTERM on Windows, and it does not end with its standard input";
}

/** A program that the kit has started. */
interface Run {
  readonly child: ChildProcess;
  /** Of the process, and of its group. */
  readonly pid: number;
  readonly output: () => string;
}

const running = new Set<number>();

/** Kills whatever the kit has started, and does not wait. */
export function killEverything(): void {
  for (const pid of running) void killAll(pid);
}

/** @throws Error when it cannot be started */
async function launch(
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
  running.add(pid);
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
async function comeUp<Found>(
  run: Run,
  find: () => Promise<Found | undefined>,
  { within, where, signal }: Pick<Start, "within" | "signal"> & { readonly where: string },
): Promise<Found> {
  const look = async () => {
    const found = await find();
    if (found !== undefined) return found;
    if (signal?.aborted) throw new Error("the run is over");
    const ended = exitOf(run);
    if (ended !== undefined)
      throw new Error(`the command ended with ${ended} before there was a companion; ${whatItSaid(run)}`);
    return undefined;
  };
  const found = await until(look, within, 20);
  if (found === undefined)
    throw new Error(`no companion within ${within / 1000} s: ${where}; ${whatItSaid(run)}`);
  return found;
}

/** The exit code, or the signal; undefined while it runs. */
function exitOf({ child }: Run): number | NodeJS.Signals | undefined {
  return child.exitCode ?? child.signalCode ?? undefined;
}

const hasEnded = (run: Run) => exitOf(run) !== undefined;

function whatItSaid({ output }: Run): string {
  const printed = toPlain(output());
  return printed === "" ? "it has printed nothing" : `it has printed:\n${printed}`;
}

/** What a program has printed, without what moves the cursor or clears the screen. */
function toPlain(output: string): string {
  const lines = stripVTControlCharacters(output).replaceAll("\r\n", "\n");
  return lines.replace(/[^\P{Cc}\n\t]/gu, "").trimEnd();
}

/** Asks it to end, and kills what is left in the end. @returns whether it has ended in time */
async function end(run: Run, signal: NodeJS.Signals, within: number): Promise<boolean> {
  const { child, pid } = run;
  if (signal === "SIGKILL") await killAll(pid);
  if (!hasEnded(run)) askToEnd(child, signal);
  // Child processes clean up after the companion, in the same time.
  const isOver = () => hasEnded(run) && !(ending.hasGroups && isAlive(-pid));
  const inTime = (await until(isOver, within)) === true;
  if (!inTime) await killAll(pid);
  running.delete(pid);
  // A program outside of the group may hold the other ends for as long as it likes.
  for (const stream of child.stdio) stream?.destroy();
  return inTime;
}

/** What a caller may choose for one start. */
export interface StartOptions {
  /** Reads or changes the system folders before the command runs. */
  readonly prepare?: (sandbox: Sandbox) => Promise<void>;
  /** Where to start it; a new sandbox by default. */
  readonly sandbox?: Sandbox;
}

/** What a start is given. */
export interface Start extends StartOptions {
  /** Program and arguments. */
  readonly command: readonly string[];
  /** A folder for the private folder of this start. */
  readonly folder: string;
  /** Milliseconds until it has failed. */
  readonly within: number;
  /** Gives it up. */
  readonly signal?: AbortSignal | undefined;
}

/** A companion that the kit has started. @typeParam Target how its CLIs find it */
export type Started<Target> = Awaited<ReturnType<typeof startCompanion<Target>>>;

/** How the companions of one contract are started and found. */
export interface Starting<Target> {
  /** Variables by which a companion would find CLIs outside of the sandbox. */
  readonly foreign: RegExp;
  /** Folders of the contract's own in a sandbox, by the variables that name them. */
  variables(sandbox: Sandbox): Readonly<Record<string, string>>;
  /** Sees what is there before the start. @returns what finds the new one, and the sentence's part that says where */
  search(
    env: NodeJS.ProcessEnv,
    sandbox: Sandbox,
  ): Promise<{ find(): Promise<Target | undefined>; readonly where: string }>;
}

/**
 * Starts a companion by a command, and waits until its CLIs can find it.
 * @throws Error with what it has printed, when it ends or does not come up in time
 */
export async function startCompanion<Target>(
  { command, folder, within, signal, ...start }: Start,
  { foreign, variables, search }: Starting<Target>,
) {
  const sandbox = start.sandbox ?? (await createSandbox(folder));
  await start.prepare?.(sandbox);
  const env: NodeJS.ProcessEnv = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name))),
    ...variablesFor(sandbox.systemFolders),
    // Where programs keep what outlasts them.
    XDG_STATE_HOME: join(dirname(sandbox.workspace), "state"),
    ...variables(sandbox),
    // A private folder of this start, for the sockets of editors: two starts may share a sandbox.
    CONFORMANCE_FOLDER: await mkdtemp(join(folder, "s")),
  };
  const { find, where } = await search(env, sandbox);
  const run = await launch(command, sandbox.workspace, env);
  try {
    const target = await comeUp(run, find, { within, where, signal });
    return {
      target,
      sandbox,
      /** The variables by which its CLIs and its editor find it. */
      env,
      pid: run.pid,
      hasEnded: () => hasEnded(run),
      /** How it has ended, and what it has printed: for people; undefined while it runs. */
      async lastWords(): Promise<string | undefined> {
        // Its connections end before it does, and its output after it.
        await Promise.race([once(run.child, "close"), delay(300, undefined, { ref: false })]);
        const how = exitOf(run);
        return how === undefined ? undefined : `it ended with ${how} during the run; ${whatItSaid(run)}`;
      },
      /** Asks it to end, and kills what is left in the end. @returns whether it has ended in time */
      end: (how: NodeJS.Signals) => end(run, how, within),
    };
  } catch (error) {
    await end(run, "SIGKILL", within);
    throw error;
  }
}
