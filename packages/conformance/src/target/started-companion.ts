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
import { comeUp, end, launch } from "./process.ts";
import type { Target } from "./target.ts";
import { findCompanions } from "./target.ts";

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

/** A companion that the kit has started. @typeParam Target how its CLIs find it */
export interface Started<Target> {
  readonly target: Target;
  readonly sandbox: Sandbox;
  readonly pid: number;
  /** The variables by which its CLIs and its editor find it. */
  readonly env: NodeJS.ProcessEnv;
  /** Asks it to end, and kills what is left in the end. @returns whether it has ended in time */
  end(signal: NodeJS.Signals): Promise<boolean>;
}

/** One that Gemini CLI and Qwen Code find. */
export interface StartedCompanion extends Started<Target> {
  files(): Promise<DiscoveryFile[]>;
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
  const run = await launch(start.command, sandbox.workspace, env);
  const { tmp, homes } = sandbox.systemFolders;
  const where = `no discovery file in ${[tmp, ...Object.values(homes)].join(" or ")} leads to a port`;
  try {
    const found = await comeUp(run, findNew(sandbox, others), { within: start.within, where });
    const target = await settled(found, start.within / 20);
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

/** @param others ports of companions that were there before */
function findNew({ systemFolders }: Sandbox, others: readonly number[]): () => Promise<Target | undefined> {
  return async () => (await findCompanions(systemFolders)).find(({ port }) => !others.includes(port));
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
