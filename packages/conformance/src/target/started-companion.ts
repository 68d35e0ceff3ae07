import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, realpath } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { agentNames, agents } from "../agents.ts";
import {
  currentKinds,
  type DiscoveryFile,
  readDiscoveryFiles,
  type SystemFolders,
  systemFoldersIn,
  variablesFor,
} from "./discovery-file.ts";
import { askToEnd, endingOn, killAll } from "./ending.ts";
import type { Target } from "./target.ts";
import { findCompanions } from "./target.ts";

/** How this platform ends programs. */
const ending = endingOn(process.platform);

/** What a start is given. */
export interface Start {
  /** Program and arguments. */
  readonly command: readonly string[];
  /** A folder for the private folder of this start. */
  readonly folder: string;
  /** Milliseconds until it has failed. */
  readonly within: number;
  /** Reads or changes the system folders before the command runs. */
  readonly prepare?: (sandbox: Sandbox) => Promise<void>;
  /** Where to start it; a new sandbox by default. */
  readonly sandbox?: Sandbox;
}

/** What a caller may choose for one start. */
export type StartOptions = Pick<Start, "prepare" | "sandbox">;

/** Private folders for a companion: those of the agents, and a workspace. */
export interface Sandbox {
  readonly systemFolders: SystemFolders;
  readonly workspace: string;
}

/** A companion that the kit has started. */
export interface StartedCompanion {
  readonly target: Target;
  readonly sandbox: Sandbox;
  readonly pid: number;
  /** The variables by which its CLIs and its editor find it. */
  readonly env: NodeJS.ProcessEnv;
  files(): Promise<DiscoveryFile[]>;
  /** Asks it to end, and kills what is left in the end. @returns whether it has ended in time */
  end(signal: NodeJS.Signals): Promise<boolean>;
}

/**
 * Starts a companion by a command, and waits until one can connect.
 * @throws Error with what it has printed, when it ends or does not come up in time.
 */
export async function startCompanion(start: Start): Promise<StartedCompanion> {
  const sandbox = start.sandbox ?? (await createSandbox(start.folder));
  await start.prepare?.(sandbox);
  const env = environment(sandbox, await mkdtemp(join(start.folder, "s")));
  const others = (await findCompanions(sandbox.systemFolders)).map(({ port }) => port);
  const run = await launch(start.command, sandbox, env);
  try {
    const target = await comeUp(run, sandbox, others, start.within);
    const stop = (signal: NodeJS.Signals) => end(run, signal, start.within);
    return {
      target,
      sandbox,
      pid: run.pid,
      env,
      files: () => readDiscoveryFiles(sandbox.systemFolders),
      end: stop,
    };
  } catch (error) {
    await end(run, "SIGKILL", start.within);
    throw error;
  }
}

export async function createSandbox(folder: string): Promise<Sandbox> {
  // Short: editors put sockets here, whose path may have 107 characters.
  const root = await realpath(await mkdtemp(join(folder, "w")));
  const sandbox = {
    systemFolders: systemFoldersIn(root),
    workspace: join(root, "work"),
  };
  for (const made of [sandbox.systemFolders.tmp, sandbox.workspace]) await mkdir(made);
  return sandbox;
}

/** @param own a private folder of this start, for the sockets of editors: two starts may share a sandbox */
function environment({ systemFolders }: Sandbox, own: string): NodeJS.ProcessEnv {
  const prefixes = agentNames.map((agent) => agents[agent].variablePrefix);
  const others = Object.entries(process.env).filter(
    ([name]) => !prefixes.some((prefix) => name.startsWith(prefix)),
  );
  return { ...Object.fromEntries(others), ...variablesFor(systemFolders), CONFORMANCE_FOLDER: own };
}

interface Run {
  readonly child: ChildProcess;
  /** Of the process, and of its group. */
  readonly pid: number;
  readonly output: () => string;
}

/** @throws Error when it cannot be started */
async function launch(
  [program = "", ...args]: readonly string[],
  { workspace }: Sandbox,
  env: NodeJS.ProcessEnv,
) {
  // Its own process group, so that all it starts can be killed. Its standard input stays open: some end with it.
  const detached = ending.hasGroups;
  const child = spawn(program, args, { cwd: workspace, env, stdio: "pipe", detached });
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

/** @param others ports of companions that were there before */
async function comeUp(
  run: Run,
  { systemFolders }: Sandbox,
  others: readonly number[],
  within: number,
): Promise<Target> {
  const deadline = performance.now() + within;
  for (;;) {
    const target = (await findCompanions(systemFolders)).find(({ port }) => !others.includes(port));
    if (target) return settled(target, within / 20);
    const { exitCode, signalCode } = run.child;
    const said = run.output() === "" ? "it has printed nothing" : `it has printed:\n${run.output()}`;
    if (exitCode !== null || signalCode !== null) {
      throw new Error(
        `the command ended with ${exitCode ?? signalCode} before there was a companion; ${said}`,
      );
    }
    if (performance.now() > deadline) {
      throw new Error(
        `no companion within ${within / 1000} s: no discovery file in ${[systemFolders.tmp, ...Object.values(systemFolders.homes)].join(" or ")} leads to a port; ${said}`,
      );
    }
    await delay(20);
  }
}

/**
 * The companion with all of its files: they are written one after the other.
 * @param quiet milliseconds without a new one after which one that has fewer than there could be has no more
 */
async function settled(found: Target, quiet: number): Promise<Target> {
  let target = found;
  for (let until = performance.now() + quiet; performance.now() < until; await delay(10)) {
    const kinds = target.files.map(({ kind }) => kind);
    if (currentKinds.every((kind) => kinds.includes(kind))) return target;
    const now =
      (await findCompanions(target.systemFolders)).find(({ port }) => port === target.port) ?? target;
    if (now.files.length !== target.files.length) until = performance.now() + quiet;
    target = now;
  }
  return target;
}

async function end({ child, pid }: Run, signal: NodeJS.Signals, within: number): Promise<boolean> {
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
