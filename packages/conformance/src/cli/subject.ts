import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentNames, defaultAgent, isAgentName } from "../agents.ts";
import type { Cleanup } from "../run/cleanup.ts";
import { createLimits, type Limits } from "../run/limits.ts";
import type { Subject } from "../run/run-check.ts";
import { fromHere, toWords } from "../target/command-line.ts";
import { readSystemFolders } from "../target/discovery-file.ts";
import { createEditorCommand } from "../target/editor-hook.ts";
import { type StartedCompanion, type StartOptions, startCompanion } from "../target/started-companion.ts";
import type { Target } from "../target/target.ts";
import { findCompanions, findServing, isListening } from "../target/target.ts";
import { type Arguments, UsageError } from "./options.ts";

/** There is no companion to check; the message says why. */
export class NoCompanion extends Error {}

/**
 * Finds the companion that the arguments name, or starts it.
 * @param cleanup removes what is made for it
 * @throws UsageError, NoCompanion
 */
export async function openSubject(args: Arguments, cleanup: Cleanup): Promise<Subject> {
  const limits = createLimits(toPatience(args));
  if (args.has("isolated") && (isGiven(args) || args.command.length === 0)) {
    throw new UsageError(
      "--isolated needs a command that starts companions, after --, and neither --port nor --url",
    );
  }
  // Short: editors put sockets below it, whose paths may have 107 characters.
  const folder = await realpath(await mkdtemp(join(tmpdir(), "conf-")));
  cleanup.later(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const command = args.command.length === 0 ? [] : fromHere(args.command, process.cwd());
  const starts = createStarts<StartOptions, StartedCompanion>((options) =>
    startCompanion({ command, folder, within: limits.process, ...options }),
  );
  cleanup.later(starts.close);
  const started = isGiven(args) || command.length === 0 ? undefined : await startFirst(starts.start);
  const target = started?.target ?? (await findTarget(args));
  const scratch = await makeScratch(target, folder);
  cleanup.later(() => rm(scratch, { recursive: true, force: true, maxRetries: 5 }));
  const perform = toPerform(args, started, limits);
  const own: Subject = {
    target,
    limits,
    scratch,
    ...(perform && { perform }),
    ...(command.length > 0 && { start: starts.start }),
  };
  if (!started) return own;
  return {
    ...own,
    async isolate() {
      const companion = await starts.start({});
      const performAlone = toPerform(args, companion, limits);
      const subject = {
        ...own,
        target: companion.target,
        scratch: await makeScratch(companion.target, folder),
        ...(performAlone && { perform: performAlone }),
      };
      return { subject, close: async () => void (await companion.end("SIGTERM")) };
    },
  };
}

const isGiven = (args: Arguments) => args.has("url") || args.has("port");

export function toPatience(args: Arguments): { patience: number; silence: number } {
  const number = (name: string, otherwise: number) => {
    const value = Number(args.value(name) ?? otherwise);
    if (!(value > 0)) throw new UsageError(`--${name} must be a number above 0, got ${args.value(name)}`);
    return value;
  };
  return { patience: number("patience", 1), silence: 1000 * number("silence", 20) };
}

/** Starts companions by a command; `close` ends those that still run, also when the run is interrupted. */
export function createStarts<Options, Started extends { end(signal: NodeJS.Signals): Promise<boolean> }>(
  startOne: (options: Options) => Promise<Started>,
) {
  const starts: Promise<Started>[] = [];
  let isOver = false;
  return {
    async start(options: Options): Promise<Started> {
      if (isOver) throw new Error("the run is over");
      const starting = startOne(options);
      starts.push(starting);
      return starting;
    },
    async close() {
      isOver = true;
      const settled = await Promise.allSettled(starts);
      await Promise.all(settled.map((one) => one.status === "fulfilled" && one.value.end("SIGTERM")));
    },
  };
}

/** @throws NoCompanion when it cannot be started */
export async function startFirst<Started>(
  start: (options: Record<string, never>) => Promise<Started>,
): Promise<Started> {
  try {
    return await start({});
  } catch (error) {
    throw new NoCompanion(error instanceof Error ? error.message : String(error));
  }
}

async function findTarget(args: Arguments): Promise<Target> {
  const url = args.value("url");
  if (url !== undefined) return toTarget(url, args);
  const systemFolders = readSystemFolders(process.env);
  const port = args.value("port");
  const found =
    port === undefined
      ? await findServing(process.cwd(), systemFolders)
      : (await findCompanions(systemFolders)).filter((one) => String(one.port) === port);
  const [only, ...others] = found;
  if (!only) {
    const where =
      port === undefined
        ? `no companion has ${process.cwd()} open`
        : `no discovery file names a companion on port ${port}`;
    throw new NoCompanion(
      `${where}; looked in ${[systemFolders.tmp, ...Object.values(systemFolders.homes)].join(" and ")}`,
    );
  }
  if (others.length > 0) {
    const list = found.map((one) => `--port ${one.port}  ${one.name}, ${one.roots.join(", ")}`).join("\n  ");
    throw new UsageError(`several companions serve this folder; say which one:\n  ${list}`);
  }
  return only;
}

async function toTarget(text: string, args: Arguments): Promise<Target> {
  const token = args.value("token") ?? process.env.IDE_COMPANION_TOKEN;
  if (token === undefined || token === "")
    throw new UsageError("--url needs a token: --token, or IDE_COMPANION_TOKEN");
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" || url.port === "")
    throw new UsageError(`--url must be like http://127.0.0.1:PORT/mcp, got ${text}`);
  const agent = args.value("agent") ?? defaultAgent;
  if (!isAgentName(agent))
    throw new UsageError(`--agent must be one of ${agentNames.join(", ")}, got ${agent}`);
  const port = Number(url.port);
  if (!(await isListening(port))) throw new NoCompanion(`no process listens on port ${port} of 127.0.0.1`);
  return {
    port,
    name: text,
    tokens: new Map([[agent, token]]),
    files: [],
    systemFolders: readSystemFolders(process.env),
    roots: [],
  };
}

/** Inside an open folder, because some editors show no other files. */
export async function makeScratch({ roots }: Pick<Target, "roots">, folder: string): Promise<string> {
  const [root] = roots;
  if (root !== undefined) return realpath(await mkdtemp(join(root, "conformance-")));
  const scratch = join(folder, "files");
  await mkdir(scratch);
  return scratch;
}

/** Runs the editor command as a user of this companion. */
export function toPerform(
  args: Arguments,
  started: Pick<StartedCompanion, "sandbox" | "env"> | undefined,
  limits: Limits,
) {
  const line = args.value("editor-command");
  if (line === undefined) return undefined;
  const command = fromHere(toWords(line), process.cwd());
  if (command.length === 0) throw new UsageError("--editor-command must not be empty");
  return createEditorCommand({
    command,
    cwd: started?.sandbox.workspace ?? process.cwd(),
    env: started?.env ?? process.env,
    within: limits.process,
  });
}
